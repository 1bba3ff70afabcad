"""Copies committed pages from the write-ahead log into the database, in a thread beside the crawl.

SQLite would do it within a commit now and then, and that commit would take a tenth of a second or more.
If the thread falls behind, SQLite does it within a commit after all.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

from lagotto.store.sqlite import database

COMMITS = 32
"""Commits between two checkpoints."""


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
        # The crawl meets the same error in its next commit, and reports it.
        with suppress(sqlite3.Error), closing(database.connect(str(self._path))) as db:
            while self._due.wait() and not self._over:
                self._due.clear()
                db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
