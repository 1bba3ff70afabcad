"""Scope rules: each refusal for its own reason."""

from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.frontier import Refused, Scope

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


def test_a_bad_pattern_is_told() -> None:
    with pytest.raises(InputError, match="not a valid regular expression"):
        Scope(include=["("])


def test_sitemaps_need_not_look_like_pages() -> None:
    scope = Scope(include=["/news/"], exclude=["secret"], sites=["example.org"])
    assert scope.sitemap_refusal("http://www.example.org/sitemap.xml.gz") is None
    assert scope.sitemap_refusal("http://example.org/secret.xml") == Refused.EXCLUDE
    assert scope.sitemap_refusal("http://example.com/sitemap.xml") == Refused.SITE
