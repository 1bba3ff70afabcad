"""Write constraints.txt: exact versions of all dependencies, with extras and development tools.

`make lock` runs it with the oldest supported Python, so that the versions exist for newer ones too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HEADER = "# Exact versions for every supported Python; written by `make lock`, not by hand.\n"


def requirements() -> list[str]:
    """All requirements in pyproject.toml: to build, to run, and of each extra."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    return [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(requirement for extra in extras for requirement in extra),
    ]


def resolve(wanted: list[str]) -> dict[str, str]:
    """Name -> version that pip would install into an empty environment."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        # surt, which wacz needs, has no wheel; it is plain Python.
        wheels = ["--only-binary=:all:", "--no-binary=surt"]
        options = ["--dry-run", "--ignore-installed", *wheels, "--report", report.name]
        subprocess.run([sys.executable, "-m", "pip", "--quiet", "install", *options, *wanted], check=True)
        chosen = json.load(report)["install"]
    found = [one["metadata"] for one in chosen]
    return {re.sub(r"[-_.]+", "-", one["name"]).lower(): one["version"] for one in found}


if __name__ == "__main__":
    if sys.version_info[:2] != (3, 11):
        sys.exit("lock with Python 3.11, the oldest that Lagotto supports: make lock PYTHON=python3.11")
    versions = resolve(requirements())
    lines = [f"{name}=={version}\n" for name, version in sorted(versions.items())]
    (PROJECT / "constraints.txt").write_text(HEADER + "".join(lines))
    print(f"constraints.txt: {len(lines)} packages")
