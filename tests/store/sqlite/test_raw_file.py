"""Reading a database file beside SQLite leaves the locks of this process alone."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from lagotto.store.sqlite import database
from lagotto.store.sqlite.raw_file import read_beside

_LOCKED = """
import fcntl, sys
with open(sys.argv[1], "rb+") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
        print("free")
    except BlockingIOError:
        print("locked")
"""


def lock_of(path: Path) -> str:
    """What another process finds: whether SQLite's shared lock on the database is held."""
    return subprocess.run(
        [sys.executable, "-c", _LOCKED, str(path)], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_locks_stay_until_the_last_connection_is_closed(tmp_path: Path) -> None:
    path = tmp_path / database.FILE
    database.create(path, b"")
    with closing(database.connect_to_write(path)) as writer:
        writer.execute("SELECT count(*) FROM urls").fetchone()
        reader = database.connect_to_read(path)
        assert lock_of(path) == "locked"
        database.check_format(path)
        database.digest(path)
        with read_beside(path) as stream:
            assert stream.read(15) == b"SQLite format 3"
        assert lock_of(path) == "locked", "a plain close would have dropped it"
        reader.close()
        assert lock_of(path) == "locked"
        assert not stream.closed
    assert lock_of(path) == "free"
    assert stream.closed


def test_a_file_that_nobody_has_open_is_closed_at_once(tmp_path: Path) -> None:
    path = tmp_path / database.FILE
    database.create(path, b"")
    with read_beside(path) as stream:
        pass
    assert stream.closed
