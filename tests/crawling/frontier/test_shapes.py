"""Shapes: what is endless is bounded, by what was fetched of it, while other pages pass."""

from __future__ import annotations

from lagotto.crawling.frontier import Refused, Shapes
from lagotto.crawling.frontier.shapes import QUERIES, shape_of


def fetch(shapes: Shapes, urls: list[str]) -> int:
    """Fetch all URLs that are not refused; returns how many."""
    fetched = 0
    for url in urls:
        if shapes.refuses(url) is None:
            shapes.count(url)
            fetched += 1
    return fetched


def test_an_endless_calendar_is_bounded_and_named() -> None:
    shapes = Shapes(limit=10)
    months = [f"http://example.org/calendar?y={2000 + n // 12}&m={n % 12}" for n in range(100)]
    assert fetch(shapes, months) == 10
    assert shapes.refuses(months[0]) == Refused.PATTERN_LIMIT
    assert shapes.refuses("http://example.org/about.html") is None
    assert shapes.refuses(months[0].replace("example.org", "example.com")) is None
    assert shapes.full == {"http://example.org/calendar?m&y": 91}


def test_what_was_only_found_does_not_count() -> None:
    shapes = Shapes(limit=2)
    assert all(shapes.refuses(f"http://example.org/article/{n}") is None for n in range(100))


def test_pages_with_different_names_have_no_common_shape() -> None:
    names = ["eagle", "heron", "osprey", "wren"]
    assert fetch(Shapes(limit=2), [f"http://example.org/birds/{name}.html" for name in names]) == 4


def test_a_long_name_is_no_number() -> None:
    title = "http://example.org/news/why-the-heron-waits-so-long-in-the-rain"
    assert shape_of(title) == title
    assert shape_of("http://a.org/5bx2lz55wkyxnt55uq3zv445/x") == "http://a.org/#/x"
    assert (
        shape_of("http://a.org/p;jsessionid=0A5F03C2D1E4B9870A5F03C2D1E4B987")
        == "http://a.org/p;jsessionid=#"
    )


def test_filters_in_any_combination_are_bounded_by_their_path() -> None:
    facets = [f"f{n}" for n in range(12)]
    urls = [
        "http://example.org/shop?"
        + "&".join(f"{name}=x" for bit, name in enumerate(facets) if number >> bit & 1)
        for number in range(1, 1 << 12)
    ]
    assert fetch(Shapes(limit=5), urls) == QUERIES * 5


def test_shape_ignores_the_order_of_a_query() -> None:
    assert shape_of("http://a.org/shop?size=2&color=red") == shape_of("http://a.org/shop?color=blue&size=9")


def test_endless_host_names_are_bounded_by_their_site() -> None:
    shapes = Shapes(hosts_per_site=3)
    assert fetch(shapes, [f"http://h{n}.trap.example/" for n in range(50)]) == 3
    assert shapes.refuses("http://h1.trap.example/another-page") is None
    assert shapes.refuses("http://new.trap.example/") == Refused.HOSTS_PER_SITE
    assert shapes.full["*.trap.example"] == 48
    own = [
        "http://trap.example/",
        "http://www.trap.example/",
        "http://h9.other.example/",
        "http://127.0.0.1/",
    ]
    assert fetch(shapes, own) == 4


def test_without_limits_nothing_is_refused() -> None:
    assert fetch(Shapes(), [f"http://h{n}.example.org/?p={n}" for n in range(100)]) == 100
