"""Bringing what was committed from the write-ahead log into the database, beside the crawl.

SQLite would do so within a commit every now and then, which then takes a tenth of a second and more.
A thread with a connection of its own does it meanwhile; a log that outgrows it is SQLite's business again.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

from lagotto.store import database

COMMITS = 32
"""After so many the log is worth a look."""


class Checkpoints:
    """Waits in a thread for commits, and brings them home."""

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
        """Let the thread finish what it is at."""
        self._over = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        # What goes wrong here goes wrong for the crawl as well, which says so.
        with suppress(sqlite3.Error), closing(database.connect(str(self._path))) as db:
            while self._due.wait() and not self._over:
                self._due.clear()
                db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
