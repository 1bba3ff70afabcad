"""A column that is declared once reaches both schemas, is written, read back and checked, or fails."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.errors import DamagedStore
from lagotto.base.protocols import Storage
from lagotto.base.records import Judgement, Page
from lagotto.base.urls import SHARDS
from lagotto.base.views import PageDetails
from lagotto.lab.checks.store_calls import commit, hold_all, outcome, queue, seed, top
from lagotto.store import columns, storage_at
from lagotto.store.columns import LINKS, PAGES, PLACE, Column, spelled
from lagotto.store.postgres import schema as postgres
from lagotto.store.sql import known_links
from lagotto.store.sqlite import database
from lagotto.store.sqlite import schema as sqlite
from lagotto.store.sqlite.checksums import broken_rows
from tests.store.blocking import Blocking, run

URL = "http://a.example/"
DUMMY = Column("length", "INT", fill=lambda _, page: page.length)


class Details(PageDetails):
    """A record with a field for the new column."""

    length: int = -1


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more column of a page, and a field for it."""
    monkeypatch.setattr(columns, "PAGES", (*PAGES, DUMMY))
    monkeypatch.setattr(known_links, "PageDetails", Details)


async def one_page(storage: Storage) -> None:
    """A crawl of one page, which has three terms."""
    store = await storage.create(b"")
    await hold_all(store)
    await queue(store, [seed(URL)])
    [lease] = await top(store)
    done = outcome(lease)
    done.page = Page(URL, "One", text="one two two", terms={"one": 1, "two": 2})
    done.judgement = Judgement(0.5, True)
    await commit(store, [done])
    await store.close()


def length_of(storage: Storage) -> int:
    """The dummy column of the page."""
    with storage.reader() as reader:
        history = reader.history(URL)
    assert history is not None
    assert isinstance(history.page, Details)
    return history.page.length


@pytest.mark.usefixtures("dummy")
def test_a_new_column_is_in_both_schemas() -> None:
    assert "length INTEGER NOT NULL" in sqlite.statements()
    assert "length integer NOT NULL" in postgres.statements(SHARDS)


@pytest.mark.usefixtures("dummy")
def test_a_new_column_is_written_read_and_checked(tmp_path: Path) -> None:
    storage = storage_at(tmp_path)
    run(one_page(storage))
    assert length_of(storage) == 3
    (tmp_path / "crawl.lock").unlink()
    with closing(sqlite3.connect(tmp_path / database.FILE)) as db:
        db.execute("UPDATE pages SET length = 4")
        db.commit()
    with closing(database.connect_to_read(tmp_path / database.FILE)) as db:
        assert list(broken_rows(db)) == [1]
    with storage.reader() as reader, pytest.raises(DamagedStore, match="page 1"):
        list(reader.rows())


def test_a_column_that_nothing_fills_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "PAGES", (*PAGES, Column("length", "INT")))
    with pytest.raises(sqlite3.IntegrityError, match="length"):
        run(one_page(storage_at(tmp_path)))


def test_every_answer_can_be_read_back() -> None:
    fields = set(PageDetails.__struct_fields__)
    filled = {column.name for column in PAGES if column.fill is not None}
    assert filled - fields == {"simhash", *PLACE}
    assert fields - {column.name for column in PAGES} == {"number", "place", "rank"}


def test_the_tables_have_what_is_declared(tmp_path: Path) -> None:
    Blocking.create(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / database.FILE)) as db:
        for table, declared in (("pages", PAGES), ("urls", LINKS)):
            found = [row[1:3] for row in db.execute(f"PRAGMA table_info({table})")]
            assert found == [(each.name, spelled(each.type, "sqlite")) for each in declared]


def test_only_the_checksum_itself_is_not_covered_by_it() -> None:
    assert [column.name for column in PAGES if not column.checked] == ["checksum"]
