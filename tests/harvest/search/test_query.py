"""What a user types, read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from lagotto.base.errors import InputError
from lagotto.harvest.search.query import Filter, read_query


def test_words_phrases_alternatives_and_exclusions() -> None:
    wanted = read_query('solar "heat pump" OR boiler -gas -"natural gas" c++')
    assert wanted.groups == [["solar"], ["heat pump", "boiler"], ["c++"]]
    assert wanted.excluded == ["gas", "natural gas"]


@pytest.mark.parametrize("text", ["OR", "a OR", "OR a", '"open', "-", ":", "host :x", "http://a.example/b"])
def test_odd_queries_are_words(text: str) -> None:
    assert not read_query(text).filters


def test_filters() -> None:
    found = read_query("host:A.Example -language:DE relevant:yes before:2026-02")
    assert found.groups == []
    assert found.filters == [
        Filter("host", "a.example"),
        Filter("language", "de", excluded=True),
        Filter("relevant", True),
        Filter("before", datetime(2026, 2, 1, tzinfo=UTC)),
    ]


@pytest.mark.parametrize("text", ["after:2026-13", "before:x", "relevant:perhaps", 'host:""'])
def test_filters_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=text.partition(":")[0]):
        read_query(text)
