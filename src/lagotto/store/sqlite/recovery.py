"""Checks before a crawl is opened: was it stopped cleanly, killed, cut off by a power failure, or damaged?"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

from lagotto.base.errors import DamagedStore
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sqlite import database
from lagotto.store.sqlite.lock import Trace, boot_id, holder, last_trace
from lagotto.store.sqlite.raw_file import broken_rows, broken_texts
from lagotto.store.sqlite.schema import SEALED

_log = logging.getLogger(__name__)

CHECKED_AT_ONCE = 256 << 20
"""Bytes up to which a database is read through on opening; `doctor` does it at any size."""


def check_before_open(directory: Path, before: Trace | None) -> list[str]:
    """Raise if the database is not what the last process left; returns notes for the user.

    Nothing is written, so that a damaged crawl stays as it was found.
    """
    path = directory / database.FILE
    with disk_errors_explained(path), closing(database.connect_to_read(path)) as db:
        small = path.stat().st_size <= CHECKED_AT_ONCE
        clean = before is not None and bool(before.digest)
        if small and before is not None and clean and database.digest(path) != before.digest:
            raise DamagedStore(
                f"{path} is not as Lagotto left it; restore it from a copy, or, if the change was yours, "
                "accept it with `lagotto doctor --accept`"
            )
        problems = [] if clean or not small else structural_problems(db) or content_problems(db)
        if problems:
            raise DamagedStore(f"{path} is damaged ({problems[0]}); restore it from a copy")
        notes = [] if clean else ["recovered after an unclean stop: what was in flight is queued still"]
        return notes + _check_commits(path, before, commits_in(db))


def check_before_reading(directory: Path) -> None:
    """Raise if a reader would see less, or something else, than the last process left.

    A crawl that runs is not checked: its files change all the time.
    """
    trace = last_trace(directory)
    if trace is None or holder(directory) is not None:
        return
    try:
        for note in check_before_open(directory, trace)[1:]:
            _log.warning("%s: %s", directory, note)
    except DamagedStore:
        # A crawl may have begun in the meantime.
        if holder(directory) is None and last_trace(directory) == trace:
            raise


def structural_problems(db: sqlite3.Connection, *, thorough: bool = False) -> list[str]:
    """Where the pages of the file do not fit together."""
    check = "integrity_check" if thorough else "quick_check"
    return [problem for (problem,) in db.execute(f"PRAGMA {check}(10)") if problem != "ok"]


def content_problems(db: sqlite3.Connection) -> list[str]:
    """Pages and texts that are not as they were written, at most ten of each."""
    if db.execute("PRAGMA user_version").fetchone()[0] < SEALED:
        return []
    rows = [f"the row of page {page} has changed" for page in islice(broken_rows(db), 10)]
    return rows + [f"the text of page {page} has changed" for page in islice(broken_texts(db), 10)]


def commits_in(db: sqlite3.Connection) -> int:
    """Transactions that the database holds."""
    row = db.execute("SELECT value FROM crawl WHERE name = 'commits'").fetchone()
    if row is None or not isinstance(row[0], int):
        raise DamagedStore(
            "the database is damaged: its number of commits is missing; restore it from a copy"
        )
    return row[0]


def _check_commits(path: Path, before: Trace | None, commits: int) -> list[str]:
    """A power cut may cost the last commits; without one, a file is missing or damaged."""
    lost = 0 if before is None else before.commits - commits
    if before is None or lost <= 0:
        return []
    if before.boot and before.boot == boot_id():
        raise DamagedStore(
            f"{path}-wal is missing or damaged: the last {lost} commits are gone; restore it from a copy, "
            "or accept the loss with `lagotto doctor --accept`"
        )
    return [f"the machine stopped before the last {lost} commits were on disk; their pages are fetched again"]
