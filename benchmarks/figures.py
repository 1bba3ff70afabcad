"""Results of a benchmark, printed and saved as JSON for the documentation."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from measuring import OUTPUT, PROJECT

LIBRARIES = ("aiohttp", "turbohtml", "ada-url", "numpy", "msgspec", "fastwarc")
_started = time.time()
_load = os.getloadavg()[0]
# Read when a run begins: at its end there may be another commit.
_revision = subprocess.run(
    ["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=False
).stdout.strip()


class Table(msgspec.Struct):
    """Rows of figures under a caption."""

    caption: str
    head: list[str]
    rows: list[list[str]]

    def markdown(self) -> str:
        """The table; all columns but the first are aligned as figures."""
        lines = ["| " + " | ".join(self.head) + " |", "|---|" + "---:|" * (len(self.head) - 1)]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return f"{self.caption}\n\n" + "\n".join(lines)


class Picture(msgspec.Struct):
    """A picture beside the figures, by the name of its file."""

    file: str
    caption: str


class Aim(msgspec.Struct):
    """An aim and the result."""

    what: str
    aim: str
    found: str
    reached: bool

    def row(self) -> list[str]:
        """The aim as a row of a table."""
        return [self.what, self.aim, self.found, "yes" if self.reached else "**no**"]


class Figures(msgspec.Struct, kw_only=True):
    """All results of one run of a benchmark."""

    name: str
    sentences: list[str]
    """Explanation of the figures."""
    aims: list[Aim] = []
    tables: list[Table] = []
    pictures: list[Picture] = []
    measured: dict[str, Any] = {}
    """The single measurements."""
    command: str = ""
    date: str = ""
    seconds: float = 0.0
    load: float = 0.0
    """Load average of the machine when the run began."""
    machine: str = ""
    versions: dict[str, str] = {}


def publish(figures: Figures, others: dict[str, str] | None = None) -> None:
    """Print the results, and save them with machine, date and versions, also of other crawlers."""
    figures.command = " ".join([f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    figures.date = date.today().isoformat()
    figures.seconds = round(time.time() - _started, 1)
    figures.load = round(_load, 1)
    figures.machine = machine()
    figures.versions = own_versions() | (others or {})
    OUTPUT.mkdir(exist_ok=True)
    kept = msgspec.json.format(msgspec.json.encode(figures))
    (OUTPUT / f"{figures.name}.json").write_bytes(kept + b"\n")
    for table in figures.tables:
        print(f"\n{table.markdown()}")
    print("", *figures.sentences, "", sep="\n", flush=True)


def load(name: str) -> Figures | None:
    """Results of the last run of a benchmark."""
    path = OUTPUT / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=Figures) if path.exists() else None


def machine() -> str:
    """The machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores of {model}, {memory:.0f} GiB, {platform.system()} "
        f"{platform.release().partition('-')[0]}"
    )


def own_versions() -> dict[str, str]:
    """Versions of Lagotto and of the libraries that its speed depends on."""
    lagotto = f"{version('lagotto')} ({_revision})" if _revision else version("lagotto")
    own = {"lagotto": lagotto, "Python": platform.python_version(), "SQLite": sqlite3.sqlite_version}
    return own | {name: version(name) for name in LIBRARIES}


def count(number: float) -> str:
    """A number with separated thousands."""
    return f"{number:,.0f}"
