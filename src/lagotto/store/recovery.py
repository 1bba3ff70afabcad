"""Before a crawl is opened: telling a clean stop from a crash, a power cut and damage."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lagotto.errors import DamagedStore
from lagotto.store import database
from lagotto.store.lock import Trace, boot_id
from lagotto.store.plainly import said_plainly

CHECKED_AT_ONCE = 256 << 20
"""Bytes up to which a database is read through on opening; `doctor` does it at any size."""


def check_before_open(directory: Path, before: Trace | None) -> list[str]:
    """Raise if the database is not what the last process left; returns what a person should know.

    Nothing is written, so that a damaged crawl stays as it was found.
    """
    path = directory / database.FILE
    with said_plainly(path), closing(database.connect_to_read(path)) as db:
        small = path.stat().st_size <= CHECKED_AT_ONCE
        clean = before is not None and bool(before.digest)
        if small and before is not None and clean and database.digest(path) != before.digest:
            raise DamagedStore(
                f"{path} is not as Lagotto left it; restore it from a copy, or, if the change was yours, "
                "accept it with `lagotto doctor --accept`"
            )
        problems = structural_problems(db) if small and not clean else []
        if problems:
            raise DamagedStore(f"{path} is damaged ({problems[0]}); restore it from a copy")
        notes = [] if clean else ["recovered after an unclean stop: what was in flight is queued still"]
        return notes + _check_commits(path, before, commits_in(db))


def structural_problems(db: sqlite3.Connection, *, thorough: bool = False) -> list[str]:
    """Where the pages of the file do not fit together."""
    check = "integrity_check" if thorough else "quick_check"
    return [problem for (problem,) in db.execute(f"PRAGMA {check}(10)") if problem != "ok"]


def commits_in(db: sqlite3.Connection) -> int:
    """Transactions that the database holds."""
    commits: int = db.execute("SELECT value FROM crawl WHERE name = 'commits'").fetchone()[0]
    return commits


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
