from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "find-python"


def found(home: Path, *versions: str) -> str | None:
    """What the script prints for a user with this home and no Python of the version on the PATH."""
    environment = {"HOME": str(home), "PATH": os.defpath}
    done = subprocess.run([SCRIPT, *versions], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def install(path: Path, body: str = f'exec "{sys.executable}" "$@"') -> str:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("versions", [".pyenv/versions", ".local/share/uv/python"])
def test_versions_of_pyenv_and_uv_are_found_the_newest_first(tmp_path: Path, versions: str) -> None:
    install(tmp_path / versions / "3.99.9" / "bin" / "python3.99")
    newest = install(tmp_path / versions / "3.99.10" / "bin" / "python3.99")
    assert found(tmp_path, "3.99") == newest
    assert found(tmp_path, "3.98", "3.99") == newest
    assert found(tmp_path, "3.98") is None


def test_a_launcher_that_does_not_start_is_passed_over(tmp_path: Path) -> None:
    install(tmp_path / ".pyenv/versions/3.99.1/bin/python3.99", "exit 127")
    assert found(tmp_path, "3.99") is None
    assert found(tmp_path, "3.99", sys.executable) == sys.executable
