"""A crawl of format 4, 5 or 6 opens with all that it held."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.batch import MIGRATED
from lagotto.base.errors import DamagedStore, NewerStore, OlderStore
from lagotto.base.events import PageDone
from lagotto.base.protocols.storage import Severity
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from lagotto.store.sqlite import database, lock
from lagotto.store.sqlite.schema import VERSION
from tests.conftest import PROJECT
from tests.store.blocking import Blocking, run

OLD = Path(__file__).parent / "formats" / "format-4.tar.xz"
"""Twelve pages of the demo web crawled with `scent`; two marks were taken, a third one was not."""
FIRST = "http://sunday-reader.example/article.php?id=2336"
SECOND = "http://north-marsh.example/topics/waders/"
THIRD = "http://north-marsh.example/wiki/Birdsong_for_avocets_708_(waders)"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with tarfile.open(OLD) as archive:
        archive.extractall(tmp_path / "crawl", filter="data")
    return tmp_path / "crawl"


def tables(path: Path) -> dict[str, list[tuple[str, str, int]]]:
    """Name, type and NOT NULL of the columns of each table."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: [(column[1], column[2], column[3]) for column in db.execute(f"PRAGMA table_info({name})")]
            for name in sorted(names)
        }


def test_a_reader_says_what_to_do_and_changes_nothing(old: Path) -> None:
    before = {path: path.read_bytes() for path in old.iterdir() if path.is_file()}
    storage = storage_at(old)
    with pytest.raises(OlderStore, match=rf"format 4, .*`lagotto migrate {old}`"):
        storage.reader()
    assert any(finding.severity is Severity.ERROR for finding in storage.examine())
    assert {path: path.read_bytes() for path in old.iterdir() if path.is_file()} == before


def test_a_migrated_crawl_holds_what_the_old_one_held(old: Path, tmp_path: Path) -> None:
    storage = storage_at(old)
    assert storage.migrate() == (
        f"brought from format 4 to {VERSION}; the old database is kept as {old / 'crawl.db.format-4'}"
    )
    assert {finding.severity for finding in storage.examine()} == {Severity.GOOD}
    Blocking.create(tmp_path / "new").close()
    assert tables(old / database.FILE) == tables(tmp_path / "new" / database.FILE)
    with storage.reader() as reader, closing(sqlite3.connect(old / "crawl.db.format-4")) as db:
        rows = list(reader.rows(with_text=True))
        query = "SELECT u.url, p.title FROM pages p JOIN urls u USING (seq) ORDER BY p.page"
        assert [(row.url, row.title) for row in rows] == db.execute(query).fetchall()
        assert all(row.text for row in rows if row.status == 200)
        assert [event.page for event in reader.events() if isinstance(event, PageDone)] == [*range(1, 14)]
        assert [(mark.url, mark.on, mark.who) for mark in reader.marks()] == [
            (FIRST, False, MIGRATED),
            (SECOND, True, MIGRATED),
        ]
        first = reader.history(FIRST)
        assert first is not None
        assert first.page is not None
        assert (first.page.relevant, first.page.relevant_at_fetch) == (False, True)
        assert [command.taken_at is not None for command in reader.commands()] == [True, True, False]
        assert reader.learned().state is not None
        assert reader.status().pages == 12
    assert "nothing was changed" in storage.migrate()


async def test_opening_for_writing_migrates_and_goes_on(old: Path) -> None:
    async with Crawl.resume(old) as crawl:
        assert "brought from format 4" in crawl.notice
        assert await crawl.take_commands() == 0, "it was taken when the crawl was opened"
    with storage_at(old).reader() as reader:
        assert [mark.url for mark in reader.marks()] == [FIRST, SECOND, THIRD]
        assert all(command.applied for command in reader.commands())
    assert {finding.severity for finding in storage_at(old).examine()} == {Severity.GOOD}


KILLED = """
import os, signal, sqlite3, sys
from lagotto.store.sqlite import migration
from lagotto.store import storage_at
kill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "before":
    migration._apply_feedback = kill
else:
    import lagotto.store.sqlite.database as database
    connect = database.connect_to_write
    def dying(path):
        db = connect(path)
        db.set_trace_callback(lambda query: "checkpoint" in query and kill())
        return db
    database.connect_to_write = dying
storage_at(sys.argv[1]).migrate()
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_killed_migration_is_repeated_or_done(old: Path, moment: str) -> None:
    command = [sys.executable, "-c", KILLED, str(old), moment]
    assert subprocess.run(command, cwd=PROJECT, env=os.environ).returncode == -signal.SIGKILL
    store = Blocking.open(old).hold_all("local")
    assert (store.concluded, len(store.reader().marks())) == (13, 2)
    assert [each.n for each in run(store.store.commands())] == [3]
    store.close()
    assert {finding.severity for finding in storage_at(old).examine()} == {Severity.GOOD}
    assert database.format_of(old / "crawl.db.format-4") == 4


def test_a_newer_format_is_refused(old: Path) -> None:
    with closing(sqlite3.connect(old / database.FILE)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    for act in (storage_at(old).reader, storage_at(old).migrate):
        with pytest.raises(NewerStore, match="install that version or a newer one"):
            act()


def test_a_crawl_of_format_5_gets_the_tables_for_later_visits(old: Path) -> None:
    storage = storage_at(old)
    storage.migrate()
    path = old / database.FILE
    whole = tables(path)
    with closing(sqlite3.connect(path)) as db:
        for table in ("visits", "earlier", "gone", "terms"):
            db.execute(f"DROP TABLE {table}")
        db.execute("ALTER TABLE pages DROP COLUMN facts")
        db.execute("PRAGMA user_version = 5")
    (old / lock.FILE).unlink()
    with pytest.raises(OlderStore, match="format 5"):
        storage.reader()
    assert f"brought from format 5 to {VERSION}" in storage.migrate()
    assert tables(path) == whole
    with storage.reader() as reader:
        assert len(list(reader.rows(with_text=True))) == reader.status().concluded == 13
        assert (list(reader.visits()), len(reader.marks())) == ([], 2)


def test_a_crawl_of_format_6_keeps_its_checksums(old: Path) -> None:
    storage = storage_at(old)
    storage.migrate()
    path = old / database.FILE
    whole = tables(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE pages DROP COLUMN facts")
        db.execute("DROP TABLE terms")
        db.execute("PRAGMA user_version = 6")
        before = db.execute("SELECT page, checksum FROM pages").fetchall()
    (old / lock.FILE).unlink()
    assert f"brought from format 6 to {VERSION}" in storage.migrate()
    assert tables(path) == whole
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT page, checksum FROM pages").fetchall() == before
    with storage.reader() as reader:
        assert {page.facts for page in reader.stored_pages()} == {None}


def test_a_crawl_of_format_7_gets_a_table_of_term_counts(old: Path) -> None:
    storage = storage_at(old)
    storage.migrate()
    path = old / database.FILE
    whole = tables(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE terms")
        db.execute("PRAGMA user_version = 7")
    (old / lock.FILE).unlink()
    assert f"brought from format 7 to {VERSION}" in storage.migrate()
    assert tables(path) == whole
    with storage.reader() as reader:
        assert {page.terms for page in reader.judged_pages(5, with_text=False)} == {None}


def test_a_damaged_crawl_of_format_6_is_not_migrated(old: Path) -> None:
    storage = storage_at(old)
    storage.migrate()
    with closing(sqlite3.connect(old / database.FILE)) as db:
        db.execute("ALTER TABLE pages DROP COLUMN facts")
        db.execute("PRAGMA user_version = 6")
        db.execute("UPDATE pages SET title = 'not what was written' WHERE page = 2")
        db.commit()
    (old / lock.FILE).unlink()
    with pytest.raises(DamagedStore, match="page 2"):
        storage.migrate()
