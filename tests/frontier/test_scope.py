"""Scope rules: each refusal for its own reason, and traps bounded while other pages pass."""

from __future__ import annotations

import pytest

from lagotto.errors import InputError
from lagotto.frontier.scope import Refused, Scope, shape_of

PAGE = "http://example.org/a/page.html"


@pytest.mark.parametrize(
    ("rules", "url", "depth", "reason"),
    [
        ({}, PAGE, 3, None),
        ({}, "ftp://example.org/a", 0, Refused.SCHEME),
        ({"depth": 2}, PAGE, 3, Refused.DEPTH),
        ({"depth": 2}, PAGE, 2, None),
        ({"url_length": 20}, PAGE, 0, Refused.LENGTH),
        ({"sites": ["example.org"]}, "http://www.example.org/x", 0, None),
        ({"sites": ["example.org"]}, "http://example.com/x", 0, Refused.SITE),
        ({"include": ["/news/"]}, PAGE, 0, Refused.INCLUDE),
        ({"include": ["/a/"]}, PAGE, 0, None),
        ({"exclude": [r"page\.html$"]}, PAGE, 0, Refused.EXCLUDE),
        ({}, "http://example.org/" + "d/e/" * 15, 0, Refused.PATH_DEPTH),
        ({}, "http://example.org/css/css/css/x", 0, Refused.REPEATED),
        ({}, "http://example.org/a/b/a/b/a/b/index.html", 0, Refused.REPEATED),
        ({}, "http://example.org/a/b/a/index.html", 0, None),
        ({}, "http://example.org/%252525252525", 0, Refused.ESCAPES),
        ({}, "http://example.org/photo.JPG", 0, Refused.FILE_TYPE),
        ({}, "http://example.org/view?file=photo.jpg", 0, None),
        ({"file_types": False}, "http://example.org/photo.jpg", 0, None),
    ],
)
def test_each_rule_has_its_reason(
    rules: dict[str, object], url: str, depth: int, reason: Refused | None
) -> None:
    assert Scope(**rules).refuses(url, depth) == reason  # type: ignore[arg-type]


def test_an_endless_calendar_is_bounded_and_named() -> None:
    scope = Scope(pattern_limit=10)
    months = [f"http://example.org/calendar?y={2000 + n // 12}&m={n % 12}" for n in range(100)]
    admitted = [url for url in months if scope.admits(url, 1) is None]
    assert len(admitted) == 10
    assert scope.admits("http://example.org/about.html", 1) is None
    assert scope.full_patterns == {"http://example.org/calendar?m&y": 90}


def test_pages_with_different_names_are_no_pattern() -> None:
    scope = Scope(pattern_limit=2)
    names = ["eagle", "heron", "osprey", "wren"]
    assert all(scope.admits(f"http://example.org/birds/{name}.html", 1) is None for name in names)


def test_shape_ignores_the_order_of_a_query() -> None:
    assert shape_of("http://a.org/shop?size=2&color=red") == shape_of("http://a.org/shop?color=blue&size=9")


def test_a_bad_pattern_is_told() -> None:
    with pytest.raises(InputError, match="not a valid regular expression"):
        Scope(include=["("])
