"""What headers tell a crawler."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch.headers import MAX_RETRY_AFTER, location, retry_after, robots_tag

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 5 ", 5),
        ("0", 0),
        ("-5", 0),
        ("soon", 0),
        ("", 0),
        ("1.5", 0),
        ("٣", 0),
        ("315360000", MAX_RETRY_AFTER),
        ("9" * 5000, MAX_RETRY_AFTER),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60),
        ("Tue, 14 Nov 2023 22:14:20", 60),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0),
        ("Tue, 14 Nov 2033 22:00:00 GMT", MAX_RETRY_AFTER),
        ("Tue, 14 Nov 99999 22:00:00 GMT", 0),
        ("Tue, 34 Nov 2023 22:00:00 GMT", 0),
    ],
)
def test_retry_after(value: str, seconds: float) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=60))
def test_retry_after_is_always_a_sane_number(value: str) -> None:
    assert 0 <= retry_after(value, NOW) <= MAX_RETRY_AFTER


@pytest.mark.parametrize(
    ("values", "noindex", "nofollow"),
    [
        ([], False, False),
        (["noindex"], True, False),
        (["NoFollow"], False, True),
        (["none"], True, True),
        (["noindex, nofollow"], True, True),
        (["noarchive", "nofollow"], False, True),
        (["lagotto: noindex"], True, False),
        (["LAGOTTO: noindex, nofollow"], True, True),
        (["*: noindex"], True, False),
        (["otherbot: noindex, nofollow"], False, False),
        (["otherbot: noindex, lagotto: nofollow"], False, True),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], True, False),
        (["max-snippet: 20, nofollow"], False, True),
        (["noindexing"], False, False),
    ],
)
def test_x_robots_tag(values: list[str], noindex: bool, nofollow: bool) -> None:
    said = robots_tag(values, "lagotto")
    assert (bool(said & {"noindex", "none"}), bool(said & {"nofollow", "none"})) == (noindex, nofollow)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_x_robots_tag_takes_anything(values: list[str]) -> None:
    assert isinstance(robots_tag(values, "lagotto"), set)


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ("http://b.org/x", "http://b.org/x"),
        ("/x", "http://a.org/x"),
        ("x?y#z", "http://a.org/d/x?y"),
        ("//b.org", "http://b.org/"),
        ("HTTP://B.ORG:80/../x", "http://b.org/x"),
        ("/caf\u00e9", "http://a.org/caf%C3%A9"),
        ("/caf\udce9", "http://a.org/caf%E9"),
        ("http://user:secret@b.org/", "http://b.org/"),
        ("", ""),
        ("   ", ""),
        ("file:///etc/passwd", ""),
        ("data:text/html,x", ""),
        ("javascript:alert(1)", ""),
        ("http://", ""),
        ("http://[::bad", ""),
        ("/x" * 5000, ""),
    ],
)
def test_location(value: str, target: str) -> None:
    assert location(value, "http://a.org/d/page") == target


@given(st.text(max_size=60))
def test_location_is_an_http_url_or_nothing(value: str) -> None:
    assert location(value, "http://a.org/").startswith(("http://", "https://")) or not location(
        value, "http://a.org/"
    )
