"""The database file: checking it before it is opened, making it, connecting to it."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

import xxhash

from lagotto.base.errors import CrawlDirectoryError, DamagedStore, NewerStore, NotACrawl, OlderStore
from lagotto.store import columns, crash_points
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.durable import rename
from lagotto.store.sqlite import checksums
from lagotto.store.sqlite.raw_file import open_connection, read_beside
from lagotto.store.sqlite.schema import APPLICATION_ID, statements
from lagotto.store.warc.writer import FOLDER, sync_newest

FILE = "crawl.db"
CACHE_MIB = 64
_MAGIC = b"SQLite format 3\0"


def check_format(path: Path) -> None:
    """Raise unless the file is a crawl of the current format; nothing is written anywhere."""
    version = format_of(path)
    if version < columns.FORMAT:
        raise OlderStore(
            f"{path} was written by an older Lagotto (format {version}, this one reads {columns.FORMAT}); "
            f"bring it up to date with `lagotto migrate {path.parent}`"
        )


def format_of(path: Path) -> int:
    """Format of a crawl database that this version can open or migrate; raises for everything else."""
    if not path.is_file():
        raise NotACrawl(f"there is no crawl in {path.parent}; start one with `lagotto crawl ... -o DIR`")
    with disk_errors_explained(path), read_beside(path) as stream:
        head = stream.read(100)
        size = path.stat().st_size
    if len(head) < 100 or not head.startswith(_MAGIC):
        raise DamagedStore(f"{path} is damaged: it is {_what_it_is(head)}; restore it from a copy")
    if int.from_bytes(head[68:72]) != APPLICATION_ID:
        raise NotACrawl(f"{path} is a database of some other program; choose another directory")
    version = int.from_bytes(head[60:64])
    if version > columns.FORMAT:
        raise NewerStore(
            f"{path} was written by a newer Lagotto (format {version}, this one reads {columns.FORMAT}); "
            "install that version or a newer one"
        )
    if version < (oldest := min(columns.MIGRATIONS, default=columns.FORMAT)):
        raise CrawlDirectoryError(
            f"{path} is too old for this Lagotto (format {version}, the oldest it reads is {oldest}); "
            "crawl again into another directory"
        )
    page_size = int.from_bytes(head[16:18])
    whole = int.from_bytes(head[28:32]) * (65536 if page_size == 1 else page_size)
    # A full disk, or a kill, may have stopped pages on their way here from the log, which still has them.
    if size < whole and not _has_pages(Path(f"{path}-wal")):
        raise DamagedStore(f"{path} is damaged: its end is missing; restore it from a copy")
    return version


def _has_pages(log: Path) -> bool:
    return log.is_file() and log.stat().st_size > 0


def _what_it_is(head: bytes) -> str:
    if not head:
        return "empty"
    return "cut off" if head.startswith(_MAGIC[: len(head)]) else "no database"


def create(path: Path, config: bytes) -> None:
    """Make an empty crawl database with its configuration; it is there wholly or not at all."""
    fresh = path.with_suffix(".new")
    with disk_errors_explained(path):
        # SQLite would take a log that a lost database has left behind for part of the new one.
        for leftover in (fresh, Path(f"{fresh}-journal"), Path(f"{path}-wal"), Path(f"{path}-shm")):
            leftover.unlink(missing_ok=True)
        try:
            with closing(connect(str(fresh))) as db:
                set_up(db)
                db.execute("INSERT INTO crawl VALUES ('config', ?)", (config,))
            crash_points.point("create.before")
            rename(fresh, path)
            crash_points.point("create.after")
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise


def set_up(db: sqlite3.Connection) -> None:
    """Create the tables."""
    db.executescript(f"""
        BEGIN;
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {columns.FORMAT};
        {statements()}
        INSERT INTO crawl VALUES ('created', strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), ('commits', 0);
        COMMIT;
    """)


def connect(name: str, *, uri: bool = False) -> sqlite3.Connection:
    """A connection that begins and ends transactions only when told to."""
    db = open_connection(name, uri=uri, cached_statements=256, timeout=30)
    checksums.register(db)
    return db


def connect_to_write(path: Path) -> sqlite3.Connection:
    """A connection for the one process that crawls.

    The write-ahead log lets others read meanwhile. A commit survives the end of the process at once
    and a power cut from the next checkpoint on, or at once if `synchronous` is raised to FULL. Checkpoints
    are left to `Checkpoints`, which syncs the answers first.
    """
    db = connect(str(path))
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA secure_delete = OFF")
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute(f"PRAGMA cache_size = {-1024 * CACHE_MIB}")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("PRAGMA journal_size_limit = 67108864")
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, beside a running crawl or on a read-only disk."""
    quoted = path.resolve().as_uri()
    db = connect(f"{quoted}?mode=ro", uri=True)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        # A read-only disk has no room for the log's index; without a log none is needed.
        db = connect(f"{quoted}?immutable=1", uri=True)
    except UnicodeDecodeError:
        db.close()
        raise DamagedStore(f"{path} is damaged (its schema is no text); restore it from a copy") from None
    return db


def digest(path: Path) -> str:
    """Checksum of the whole file."""
    hash = xxhash.xxh3_128()
    with read_beside(path) as stream:
        while block := stream.read(1 << 20):
            hash.update(block)
    return hash.hexdigest()


COMMITS = 32
"""Commits between two checkpoints."""


def checkpoint(db: sqlite3.Connection, path: Path, *, mode: str = "PASSIVE") -> None:
    """Put what is in the log into the database file.

    That has all commits on the disk that were made so far, so the answers that they name are synced before.
    An answer of a commit made in between may still be lost by a power cut; resuming fetches it again.
    """
    sync_newest(path.parent / FOLDER)
    db.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()


class Checkpoints:
    """Runs a checkpoint in a thread after every `COMMITS` commits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._commits = 0
        self._due = threading.Event()
        self._over = False
        self._thread: threading.Thread | None = None

    def committed(self) -> None:
        """One more commit is in the log."""
        self._commits += 1
        if self._commits % COMMITS == 0:
            self._due.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Let the thread finish its checkpoint, and end it."""
        self._over = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        with suppress(sqlite3.Error), closing(connect(str(self._path))) as db:
            while self._due.wait() and not self._over:
                self._due.clear()
                # The crawl meets the same error in its next commit, and reports it.
                with suppress(sqlite3.Error, OSError):
                    checkpoint(db, self._path)
