"""Errors of the disk become sentences that fit them."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.errors import CrawlDirectoryError, DiskFull
from lagotto.store.disk_errors import disk_errors_explained, os_error


@pytest.fixture
def immutable(tmp_path: Path) -> Iterator[Path]:
    """A database, opened for writing and then made immutable by the file system."""
    path = tmp_path / "crawl.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE t (x)")
    if subprocess.run(["chattr", "+i", path], capture_output=True).returncode:
        pytest.skip("needs a file system and the right to make files immutable")
    yield path
    subprocess.run(["chattr", "-i", path], check=True)


def test_an_immutable_database_is_not_a_full_disk(immutable: Path) -> None:
    subprocess.run(["chattr", "-i", immutable], check=True)
    with closing(sqlite3.connect(immutable, isolation_level=None)) as db:
        db.execute("INSERT INTO t VALUES (1)")
        subprocess.run(["chattr", "+i", immutable], check=True)
        with (
            pytest.raises(CrawlDirectoryError, match="Operation not permitted") as caught,
            disk_errors_explained(immutable),
        ):
            db.execute("INSERT INTO t VALUES (2)")
    assert not isinstance(caught.value, DiskFull)


def test_no_room_advises_nothing_that_only_a_crawl_can_do(tmp_path: Path) -> None:
    error = os_error(OSError(28, "No space left on device"), tmp_path / "out.csv")
    assert isinstance(error, DiskFull)
    assert "resume" not in str(error)
