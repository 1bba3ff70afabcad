"""Combinations of filters are bounded; pages under one parameter, or with contents of their own, are not."""

from __future__ import annotations

from itertools import product
from random import Random

from lagotto.crawling.frontier import Refused
from lagotto.crawling.frontier.traps import Facets
from lagotto.crawling.frontier.traps.facets import ENOUGH
from tests.crawling.frontier.traps.webs import page

SHOP = "http://a.example/shop"
COMBINATIONS = [
    f"{SHOP}?colour={colour}&size={size}&sort={sort}"
    for colour, size, sort in product(range(8), range(6), range(4))
]


def test_combinations_of_filters_are_bounded() -> None:
    rule, fetched = Facets(), 0
    urls = list(COMBINATIONS)
    Random(1).shuffle(urls)
    for url in urls:
        if rule.refuses(url) is None:
            fetched += 1
            rule.count(page(url, "the same products", bits=14))
    assert fetched == ENOUGH
    assert (
        str(rule.refuses(COMBINATIONS[0]))
        == f"{Refused.FACETS}: {SHOP} combines the same few parameters again and again"
    )
    assert rule.refuses(f"{SHOP}?page=2") is None
    assert rule.refuses(SHOP) is None
    assert rule.refuses("http://a.example/other?colour=1&size=2") is None


def test_combinations_with_contents_of_their_own_are_wanted() -> None:
    rule = Facets()
    for url in COMBINATIONS:
        assert rule.refuses(url) is None
        rule.count(page(url, url))


def test_numbered_pages_are_wanted_even_if_they_look_alike() -> None:
    rule = Facets()
    for n in range(500):
        url = f"{SHOP}?view=article&id={n}"
        assert rule.refuses(url) is None
        rule.count(page(url, "template", bits=10))
