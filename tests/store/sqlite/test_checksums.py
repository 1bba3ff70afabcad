"""Every change of a page or its text by anything but Lagotto is found; changes by Lagotto are not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.batch import Batch, Mark, NewJudgement
from lagotto.base.errors import DamagedStore
from lagotto.store.columns import PAGES
from lagotto.store.sqlite import database
from lagotto.store.sqlite.checksums import broken_rows, broken_texts
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.blocking import Blocking, run
from tests.store.crawls import a_crawl


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl that was killed: nothing but the checksums of rows and texts says how it was."""
    a_crawl(tmp_path)
    (tmp_path / "crawl.lock").unlink()
    return tmp_path


def change(directory: Path, statement: str) -> None:
    with closing(sqlite3.connect(directory / database.FILE)) as db:
        db.execute(statement)
        db.commit()


@pytest.mark.parametrize("column", [each.name for each in PAGES if each.name not in ("page", "seq")])
def test_a_change_of_any_column_is_found(crawl: Path, column: str) -> None:
    change(crawl, f"UPDATE pages SET {column} = coalesce({column}, '') || '7' WHERE page = 2")
    with SqliteReader.open(crawl) as reader, pytest.raises(DamagedStore, match="is damaged"):
        list(reader.rows())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE urls SET url = url || 'x' WHERE page = 2",
        "UPDATE urls SET depth = 9 WHERE page = 2",
        "UPDATE urls SET anchor = 'other' WHERE page = 2",
    ],
)
def test_a_change_of_its_url_is_found(crawl: Path, statement: str) -> None:
    change(crawl, statement)
    with closing(database.connect_to_read(crawl / database.FILE)) as db:
        assert 2 in list(broken_rows(db))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE texts SET text = x'00' WHERE page = 1",
        "UPDATE texts SET text = (SELECT text FROM texts WHERE page > 1) WHERE page = 1",
        "DELETE FROM texts WHERE page = 1",
    ],
)
def test_a_changed_text_is_found(crawl: Path, statement: str) -> None:
    change(crawl, statement)
    with SqliteReader.open(crawl) as reader:
        with pytest.raises(DamagedStore, match="the text of page 1 in "):
            list(reader.rows(with_text=True))
        with pytest.raises(DamagedStore, match="the text of page 1 in "):
            reader.text(1)
    with closing(database.connect_to_read(crawl / database.FILE)) as db:
        assert list(broken_texts(db)) == [1]


def test_marks_and_new_judgements_are_no_damage(crawl: Path) -> None:
    store = Blocking.open(crawl)
    store.hold_all()
    with SqliteReader.open(crawl) as reader:
        url = next(reader.rows()).url
    for on in (True, False, None):
        judged = [NewJudgement(1, 0.3, False, {"words": 0.3})]
        run(store.store.commit(Batch(marks=[Mark(url, on, "me", 1.0)], judgements=judged, model=2)))
        assert list(broken_rows(store.db)) == []
    store.close()
