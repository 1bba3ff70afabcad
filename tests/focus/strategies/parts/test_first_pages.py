"""The first pages of a crawl, sorted into on and off topic."""

from __future__ import annotations

from lagotto.focus.strategies.parts.first_pages import MAX_TERMS, FirstPage, FirstPages
from lagotto.lab.checks import lease_of
from tests.focus.strategies.tiny_crawl import page


def first(number: int, similarity: float, seed: bool = False) -> FirstPage:
    return FirstPage(number, seed, similarity, {"term": 1})


def test_seeds_and_the_most_similar_third_are_on_topic() -> None:
    pages = FirstPages(8)
    for number, similarity in enumerate([0.1, 0.9, 0.3, 0.0, 0.8, 0.2]):
        pages.add(first(number, similarity))
    pages.add(first(6, 0.0, seed=True))
    assert not pages.enough
    pages.add(first(7, 0.05, seed=True))
    assert pages.enough
    assert [page.id for page in pages.on_topic()] == [6, 7, 1, 4]
    assert [page.id for page in pages.off_topic()] == [0, 3]


def test_closed_pages_are_forgotten() -> None:
    pages = FirstPages(1)
    pages.add(first(0, 0.5))
    pages.close()
    assert pages.enough
    assert pages.pages == []
    again = FirstPages(50)
    again.load(pages.save())
    assert again.enough


def test_only_the_most_frequent_terms_of_a_long_page_are_kept() -> None:
    found = page("a", " ".join(f"word{number} " * (1 + number % 3) for number in range(2 * MAX_TERMS)))
    kept = FirstPage.of(found, lease_of(found, depth=0), 0.5, excerpt=20)
    assert len(kept.terms) == MAX_TERMS
    assert min(kept.terms.values()) >= 2
    assert kept.seed
    assert kept.document.text == found.text[:20]
