"""Term counts that are kept with pages, and the checksum that says how they were counted."""

from __future__ import annotations

from lagotto.base.text import counted_terms, counting
from lagotto.parse.page import parse_page


def test_the_checksum_tells_ways_of_counting_apart() -> None:
    ways = [
        ("en", []),
        ("de", []),
        ("en", ["heat pump"]),
        ("en", ["heat", "pump"]),
        ("en", ["heat pump", "solar"]),
    ]
    assert len({counting(*way) for way in ways}) == len(ways)
    assert 0 not in {counting(*way) for way in ways}
    assert counting("en", ["solar", "heat pump"]) == counting("en", ("heat pump", "solar", "solar"))


def test_terms_are_counted_as_the_parser_counts_them() -> None:
    body = b"<title>C++ and heat pumps</title><p>A heat pump, in C++. Pumps heat.</p>"
    for phrases in ((), ("heat pump", "C++")):
        page = parse_page("http://a.example/", body, phrases=phrases)
        found = counted_terms(page.title, page.text, page.language or "en", phrases)
        assert (found.titled, found.counts) == (page.title_terms, page.terms)
        assert page.counting == counting("en", phrases)
    assert page.terms["c++"] == 2
