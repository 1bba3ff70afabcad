"""Which pages an export holds, and in which order."""

from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.harvest.export.options import ExportOptions, made_options
from lagotto.harvest.export.selection import selected
from lagotto.store.sqlite.reader import SqliteReader


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({}, [1, 2, 3, 4, 5, 6]),
        ({"relevant_only": True}, [3, 4, 5]),
        ({"min_relevance": 0.5}, [3, 4, 5]),
        ({"min_relevance": 0.0}, [1, 2, 3, 4, 5]),
        ({"near_duplicates": "drop"}, [1, 2, 3, 4, 6]),
        ({"sort": "relevance"}, [3, 5, 4, 2, 1, 6]),
        ({"sort": "host"}, [3, 4, 6, 1, 2, 5]),
        ({"top": 2}, [3, 5]),
        ({"top": 3}, [3, 4, 5]),
        ({"top": 3, "sort": "relevance"}, [3, 5, 4]),
        ({"top": 100, "sort": "relevance"}, [3, 5, 4, 2, 1]),
        ({"numbers": [5, 2, 5]}, [2, 5]),
        ({"numbers": "4,99,3", "sort": "relevance"}, [3, 4]),
        ({"numbers": [1, 3], "relevant_only": True}, [3]),
        ({"top": 1, "near_duplicates": "drop", "sort": "host", "min_relevance": 0.5}, [3]),
    ],
)
def test_selection(reader: SqliteReader, options: dict[str, object], numbers: list[int]) -> None:
    found = list(selected(reader, made_options(options), with_text=True))
    assert [stored.row.seq for stored in found] == numbers
    assert all(stored.row.text for stored in found if stored.row.status == 200)


@pytest.mark.parametrize("sort", ["fetch", "relevance", "host"])
def test_an_empty_crawl(empty: SqliteReader, sort: str) -> None:
    assert list(selected(empty, ExportOptions(sort=sort, top=5))) == []


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"numbers": ""}, "page numbers such as 3,17"),
        ({"numbers": [0]}, "page numbers such as 3,17"),
        ({"sort": "size"}, "--sort cannot be 'size'; choose one of fetch, relevance, host"),
        ({"near_duplicates": "merge"}, "choose one of keep, drop"),
        ({"top": 0}, "--top must be a whole number of at least 1, not 0"),
        ({"chunks": -5}, "--chunks must be a whole number"),
        ({"min_relevance": 1.5}, "--min-relevance must lie between 0 and 1"),
        ({"min_relevance": float("nan")}, "--min-relevance must lie between 0 and 1"),
        ({"limit": 5}, "no option 'limit'"),
    ],
)
def test_options_that_make_no_sense(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        made_options(values)
