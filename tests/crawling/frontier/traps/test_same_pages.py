"""Other URLs of the same page: session ids, idle parameters, letter case; and pages that only look so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.crawling.frontier import Refused
from lagotto.crawling.frontier.traps import SamePages, Sighting
from lagotto.crawling.frontier.traps.evidence import ENOUGH
from lagotto.crawling.frontier.traps.same_pages import variations
from tests.crawling.frontier.traps.webs import page

HOST = "http://a.example"


def session(n: int, visit: int) -> str:
    return f"{HOST}/page?id={n}&sid={visit:032x}"


def only_session(n: int, visit: int) -> str:
    return f"{HOST}/page-{'abcdefghijklmnopqrstuvwxyz'[n]}?sid={visit}"


def session_in_path(n: int, visit: int) -> str:
    return f"{HOST}/(S({visit:x}f00ba7ba5eba11))/page{n}.aspx"


def session_after_path(n: int, visit: int) -> str:
    return f"{HOST}/page{n};jsessionid={visit:032X}"


def two_idle_parameters(n: int, visit: int) -> str:
    return f"{HOST}/page{n}?sid={visit:x}&time={visit * 7}"


def letter_case(n: int, visit: int) -> str:
    word = f"page-{n}"
    return f"{HOST}/" + "".join(c.upper() if visit >> i & 1 else c for i, c in enumerate(word))


@pytest.mark.parametrize(
    ("url", "reason", "why"),
    [
        (session, Refused.NO_EFFECT, "parameter sid does not change the pages of a.example"),
        (only_session, Refused.NO_EFFECT, "parameter sid does not change the pages of a.example"),
        (session_in_path, Refused.NO_EFFECT, "(S(#)) in part 1 of the path"),
        (session_after_path, Refused.NO_EFFECT, "jsessionid=# in part 2 of the path"),
        (two_idle_parameters, Refused.NO_EFFECT, "the query does not change the pages of a.example"),
        (letter_case, Refused.LETTER_CASE, "letter case does not change the pages of a.example"),
    ],
)
def test_what_does_not_change_a_page_is_found_out(
    url: Callable[[int, int], str], reason: Refused, why: str
) -> None:
    rule = SamePages()
    for n in range(ENOUGH):
        assert rule.refuses(url(0, 99)) is None
        rule.count(page(url(n, 1), n))
        rule.count(page(url(n, 2), n))
    trapped = rule.refuses(url(0, 5))
    assert trapped is not None
    assert trapped.reason == reason
    assert why in str(trapped)
    assert rule.refuses(url(20, 5)) is None, "a page that was not fetched is wanted"
    assert rule.refuses(url(0, 5).replace("a.example", "b.example")) is None


def test_a_page_that_names_its_session_is_the_same_page() -> None:
    rule = SamePages()
    for n in range(ENOUGH):
        rule.count(page(session(n, 1), n, bits=2))
        rule.count(page(session(n, 2), n, bits=3))
    assert rule.refuses(session(0, 5)) is not None


def test_pages_that_must_not_be_kept_say_nothing() -> None:
    rule = SamePages()
    for n in range(ENOUGH):
        for visit in (1, 2):
            rule.count(Sighting(session(n, visit), 0, 5))
    assert rule.refuses(session(0, 5)) is None


def test_an_error_page_for_every_number_makes_no_parameter_idle() -> None:
    rule = SamePages()
    for n in range(200):
        rule.count(page(f"{HOST}/product?id={n}", "not found" if n % 10 else n))
    assert rule.refuses(f"{HOST}/product?id=1000") is None


PARAMETERS = st.dictionaries(
    st.sampled_from(["id", "cat", "page", "lang", "Id"]), st.integers(0, 30), max_size=4
)
URLS = st.tuples(st.sampled_from(["/a", "/A", "/b/17", "/b/18", "/c;v=2"]), PARAMETERS).map(
    lambda parts: HOST + parts[0] + "?" + "&".join(f"{name}={value}" for name, value in parts[1].items())
)


@given(st.lists(URLS, max_size=80), URLS)
def test_distinct_pages_are_never_taken_for_one(urls: list[str], link: str) -> None:
    rule = SamePages()
    for url in urls:
        rule.count(page(url, url))
    assert rule.refuses(link) is None


@given(URLS)
def test_a_variation_names_what_it_leaves_out(url: str) -> None:
    for name, rest in variations(url):
        assert name
        assert len(rest) <= len(url)
