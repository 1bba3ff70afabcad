"""A crawl of an older format opens with all that it held, under a migration made up for the test."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.errors import DamagedStore, NewerStore, OlderStore
from lagotto.base.protocols.storage import Severity
from lagotto.store import columns, storage_at
from lagotto.store.columns import FORMAT, Column
from lagotto.store.sqlite import database, lock
from tests.conftest import PROJECT
from tests.store.blocking import Blocking
from tests.store.crawls import a_crawl

LENGTH = "Column('length', 'INT', 'NOT NULL DEFAULT 0', fill=lambda _, page: page.length)"
STEP = """
ALTER TABLE pages ADD COLUMN length INT NOT NULL DEFAULT 0;
CREATE TABLE notes (page BIG PRIMARY KEY, note TEXT NOT NULL)
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A crawl of the format before the present one."""
    a_crawl(tmp_path / "crawl")
    return tmp_path / "crawl"


@pytest.fixture
def newer(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This Lagotto has a newer format, with one more column and one more table."""
    monkeypatch.setattr(columns, "FORMAT", FORMAT + 1)
    monkeypatch.setattr(columns, "PAGES", (*columns.PAGES, eval(LENGTH, {"Column": Column})))
    monkeypatch.setattr(columns, "MIGRATIONS", {FORMAT: STEP})
    shared = columns.SHARED + STEP.partition(";")[2] + ";"
    monkeypatch.setattr(columns, "SHARED", shared)


def tables(path: Path) -> dict[str, set[tuple[str, str, int]]]:
    """Name, type and NOT NULL of the columns of each table."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: {(column[1], column[2], column[3]) for column in db.execute(f"PRAGMA table_info({name})")}
            for name in names
        }


@pytest.mark.usefixtures("newer")
def test_a_reader_says_what_to_do_and_changes_nothing(old: Path) -> None:
    before = {path: path.read_bytes() for path in old.iterdir() if path.is_file()}
    storage = storage_at(old)
    with pytest.raises(OlderStore, match=rf"format {FORMAT}, .*`lagotto migrate {old}`"):
        storage.reader()
    assert any(finding.severity is Severity.ERROR for finding in storage.examine())
    assert {path: path.read_bytes() for path in old.iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("newer")
def test_a_migrated_crawl_holds_what_the_old_one_held(old: Path, tmp_path: Path) -> None:
    storage = storage_at(old)
    copy = old / f"crawl.db.format-{FORMAT}"
    assert storage.migrate() == (
        f"brought from format {FORMAT} to {FORMAT + 1}; the old database is kept as {copy}"
    )
    assert {finding.severity for finding in storage.examine()} == {Severity.GOOD}
    Blocking.create(tmp_path / "new").close()
    assert tables(old / database.FILE) == tables(tmp_path / "new" / database.FILE)
    with storage.reader() as reader, closing(sqlite3.connect(copy)) as db:
        rows = list(reader.rows(with_text=True))
        query = "SELECT u.url, p.title FROM pages p JOIN urls u USING (seq) ORDER BY p.page"
        assert [(row.url, row.title) for row in rows] == db.execute(query).fetchall()
        assert len(rows) == 5
    assert "nothing was changed" in storage.migrate()


@pytest.mark.usefixtures("newer")
def test_opening_for_writing_migrates_and_goes_on(old: Path) -> None:
    store = Blocking.open(old)
    assert any(f"brought from format {FORMAT}" in note for note in store.notes)
    store.close()
    assert {finding.severity for finding in storage_at(old).examine()} == {Severity.GOOD}


KILLED = f"""
import os, signal, sys
from lagotto.store import columns, storage_at
from lagotto.store.columns import Column
from lagotto.store.sqlite import checksums, database
kill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
columns.FORMAT += 1
columns.PAGES += ({LENGTH},)
columns.MIGRATIONS[columns.FORMAT - 1] = {STEP!r}
if sys.argv[2] == "before":
    checksums.seal_all = kill
else:
    connect = database.connect_to_write
    def dying(path):
        db = connect(path)
        db.set_trace_callback(lambda query: "checkpoint" in query and kill())
        return db
    database.connect_to_write = dying
storage_at(sys.argv[1]).migrate()
"""


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_killed_migration_is_repeated_or_done(old: Path, moment: str) -> None:
    command = [sys.executable, "-c", KILLED, str(old), moment]
    assert subprocess.run(command, cwd=PROJECT, env=os.environ).returncode == -signal.SIGKILL
    store = Blocking.open(old).hold_all("local")
    assert store.concluded == 5
    store.close()
    assert {finding.severity for finding in storage_at(old).examine()} == {Severity.GOOD}
    assert database.format_of(old / f"crawl.db.format-{FORMAT}") == FORMAT


def test_a_newer_format_is_refused(old: Path) -> None:
    with closing(sqlite3.connect(old / database.FILE)) as db:
        db.execute(f"PRAGMA user_version = {FORMAT + 1}")
    for act in (storage_at(old).reader, storage_at(old).migrate):
        with pytest.raises(NewerStore, match="install that version or a newer one"):
            act()


@pytest.mark.usefixtures("newer")
def test_a_damaged_crawl_is_not_migrated(old: Path) -> None:
    with closing(sqlite3.connect(old / database.FILE)) as db:
        db.execute("UPDATE pages SET title = 'not what was written' WHERE page = 2")
        db.commit()
    (old / lock.FILE).unlink()
    with pytest.raises(DamagedStore, match="page 2"):
        storage_at(old).migrate()
