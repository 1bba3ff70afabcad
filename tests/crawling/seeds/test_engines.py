from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.urls import canonical
from lagotto.crawling.seeds.engines import MAX_ROWS, MAX_TITLE, answer, plain_text


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "mailto:a@b.org",
        "",
        "   ",
        "http://",
        7,
    ],
)
def test_only_http_urls_get_through(url: object) -> None:
    said = answer([{"url": url, "title": "x"}], limit=10)
    assert said.results == []
    assert said.left_out == 1


def test_rows_of_any_shape() -> None:
    rows: list[object] = [
        "http://a.org/",
        {"href": "http://b.org"},
        {"link": "http://c.org"},
        None,
        3,
        [],
        {"url": None},
        {},
    ]
    said = answer(rows, limit=10)
    assert [result.url for result in said.results] == ["http://a.org/", "http://b.org/", "http://c.org/"]
    assert said.left_out == 5


def test_the_rank_is_the_place_in_the_engines_own_list() -> None:
    said = answer(["mailto:x@y.org", "http://a.org/", "http://b.org/"], limit=10)
    assert [result.rank for result in said.results] == [2, 3]


def test_a_url_that_comes_twice_keeps_its_better_rank() -> None:
    said = answer(["http://a.org/x", "HTTP://A.org:80/./x#part", "http://b.org/"], limit=10)
    assert [(result.url, result.rank) for result in said.results] == [
        ("http://a.org/x", 1),
        ("http://b.org/", 3),
    ]


def test_titles_lose_tags_entities_and_terminal_escapes() -> None:
    row = {
        "url": "http://a.org/",
        "title": "<b>Solar</b>\x1b[31m &lt;script&gt;power&lt;/script&gt;\u202e\n!",
    }
    assert answer([row], limit=1).results[0].title == "Solar [31m power !"


def test_endless_lists_are_cut() -> None:
    rows = (f"mailto:{n}@a.org" for n in itertools.count())
    assert answer(rows, limit=10).left_out == MAX_ROWS


def test_no_more_than_the_limit() -> None:
    assert len(answer((f"http://a.org/{n}" for n in range(100)), limit=7).results) == 7


def test_a_huge_title_is_cut_before_it_costs_anything() -> None:
    assert len(plain_text("<" * 5_000_000 + "x" * 1000, MAX_TITLE)) <= MAX_TITLE


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
rows = st.lists(
    json_values | st.fixed_dictionaries({"url": json_values, "title": json_values, "content": json_values}),
    max_size=8,
)


@given(rows, st.integers(1, 10))
def test_whatever_an_engine_says_what_comes_out_is_clean(rows: list[Any], limit: int) -> None:
    said = answer(rows, limit)
    assert len(said.results) <= limit
    for result in said.results:
        assert canonical(result.url) == result.url
        assert result.title.isprintable()
        assert 1 <= result.rank <= len(rows)
