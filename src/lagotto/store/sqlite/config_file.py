"""The configuration of a crawl: kept in the database, with a copy for people in `config.toml`.

What counts is in the database, so a copy that was deleted is written again, and one that was cut off or
changed is not taken for the configuration.
"""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.protocols.storage import Finding, Severity
from lagotto.store import crash_points
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.durable import write_whole
from lagotto.store.sqlite import database

CONFIG_FILE = "config.toml"
_NOW, _BEFORE = "config", "config-before"


def read(directory: Path) -> bytes:
    """The configuration; raises if its copy was changed."""
    path = directory / database.FILE
    database.format_of(path)
    with disk_errors_explained(path), closing(database.connect_to_read(path)) as db:
        _compare(db, directory)
        return _kept(db, _NOW)


def write(db: sqlite3.Connection, directory: Path, config: bytes) -> None:
    """Replace the configuration; a kill leaves the old one or the new one."""
    if _kept(db, _NOW) != config:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT OR REPLACE INTO crawl SELECT ?, value FROM crawl WHERE name = ?", (_BEFORE, _NOW))
        db.execute("INSERT OR REPLACE INTO crawl VALUES (?, ?)", (_NOW, config))
        db.execute("COMMIT")
    crash_points.point("config.between")
    if _file(directory) != config:
        _write_file(directory, config)


def check_copy(db: sqlite3.Connection, directory: Path) -> list[str]:
    """Raise if `config.toml` was changed or damaged; write it again if it is missing or empty, and say so."""
    kept, copy = _kept(db, _NOW), _file(directory)
    if not kept or copy == kept:
        return []
    _compare(db, directory)
    _write_file(directory, kept)
    if copy:
        return []  # A kill came between the database and its copy.
    return [f"{directory / CONFIG_FILE} was missing and was written again from the database"]


def _compare(db: sqlite3.Connection, directory: Path) -> None:
    """Raise if the database and `config.toml` have different configurations."""
    kept, copy = _kept(db, _NOW), _file(directory)
    if kept and copy and copy not in (kept, _kept(db, _BEFORE)):
        raise CrawlDirectoryError(
            f"{_changed(directory)}, or, if the change was yours, accept it with "
            f"`lagotto doctor --accept {directory}`"
        )


def findings(db: sqlite3.Connection, directory: Path) -> Iterator[Finding]:
    """What is to be said of `config.toml`."""
    path = directory / CONFIG_FILE
    kept, copy = _kept(db, _NOW), _file(directory)
    if kept and not copy:
        what = "is missing" if copy is None else "is empty, as a power cut may leave it"
        yield Finding(Severity.NOTE, f"{path} {what}; resuming writes it again.")
    elif kept and copy not in (kept, _kept(db, _BEFORE)):
        yield Finding(Severity.ERROR, f"{_changed(directory)}; if the change was yours, accept it.")


def accept(db: sqlite3.Connection, directory: Path) -> None:
    """Take `config.toml` for the configuration; one that is missing or empty is written again instead.

    Raises if it is no TOML, so that a damaged one never replaces the one in the database.
    """
    kept, copy = _kept(db, _NOW), _file(directory)
    if not kept:
        return
    try:
        tomllib.loads((copy or b"").decode())
    except ValueError as error:
        raise CrawlDirectoryError(
            f"{directory / CONFIG_FILE} cannot be accepted, as it is damaged ({error}); "
            "delete it and it is written again from the database"
        ) from None
    write(db, directory, copy or kept)


def _changed(directory: Path) -> str:
    path = directory / CONFIG_FILE
    return f"{path} is not as Lagotto left it; delete it and it is written again from the database"


def _kept(db: sqlite3.Connection, name: str) -> bytes:
    """The configuration in the database, empty if the crawl was made without one."""
    row = db.execute("SELECT value FROM crawl WHERE name = ?", (name,)).fetchone()
    return bytes(row[0]) if row else b""


def _file(directory: Path) -> bytes | None:
    path = directory / CONFIG_FILE
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CrawlDirectoryError(f"cannot read {path}: {error.strerror}; check its permissions") from None


def _write_file(directory: Path, config: bytes) -> None:
    """Write `config.toml`, readable by its owner alone; it is replaced wholly or not at all."""
    write_whole(directory / CONFIG_FILE, config)
