"""Searching a crawl: words, phrases, filters, order, folding, pages alike, bad input."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lagotto
from lagotto.base.errors import InputError, NotACrawl, UnknownName
from lagotto.harvest.search import Search
from lagotto.harvest.subtopics import Subtopic, Subtopics
from tests.harvest.search.birds import COPY, GERMAN, HERON, STORK, WIND, Birds
from tests.site import Site


def urls(birds: Birds, query: str, **options: object) -> list[str]:
    found = lagotto.search(birds.directory, query, **options)  # type: ignore[arg-type]
    return [hit.url for hit in found.hits]


def test_pages_with_all_words_are_found_whatever_their_form(birds: Birds) -> None:
    assert urls(birds, "herons waited") == [HERON]
    assert set(urls(birds, "Grey")) == {HERON, STORK, WIND}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"grey heron"', {HERON, STORK}),
        ('"grey area"', {WIND}),
        ('"heron grey"', set()),
        ("heron -stork", {HERON, GERMAN}),
        ('grey -"grey heron"', {WIND}),
        ("stork OR turbine", {STORK, WIND}),
        ("stork OR turbine grey power", {WIND}),
        ("heron host:birds.example", {HERON, STORK}),
        ("host:power.example", {WIND}),
        ("host:power.example:8080", {WIND}),
        ("-host:birds.example water", {COPY, WIND}),
        ("language:de", {GERMAN}),
        ("language:de-AT heron", {GERMAN}),
        ("grey relevant:no", {WIND}),
        ("grey relevant:yes", {HERON, STORK}),
        ("after:2023-11-17", {GERMAN, WIND}),
        ("heron before:2023-11-16", {HERON, STORK}),
        ("before:2023", set()),
        ("the heron and the stork", {STORK}),
        ("http://", set()),
    ],
)
def test_what_a_query_may_say(birds: Birds, query: str, expected: set[str]) -> None:
    assert set(urls(birds, query)) == expected


async def test_without_words_to_highlight_the_main_content_begins(tmp_path: Path) -> None:
    letter = "Home » Newsletter » Birds » All the news about our birds, once more in the newsletter"
    pages = {
        f"/{name}": f"<title>{name}</title><div class=breadcrumbs><a href=/>{letter}</a></div>"
        f"<p>The {name} heron is a bird "
        f'that stands in shallow water and waits for its prey. <a href="/{other}">{other}</a></p>'
        for name, other in (("grey", "purple"), ("purple", "grey"))
    }
    async with Site(pages) as site:
        grey, purple = (f"http://{site.hosts[0]}/{name}" for name in ("grey", "purple"))
        config = lagotto.Config(
            topic="heron", seeds=[grey], delay=0.0, parsers=1, allow_private=["127.0.0.0/8"], strategy="bfs"
        )
        async with lagotto.Crawl(config, tmp_path / "c") as crawl:
            await crawl.run()

    def begins(query: str, sentence: str, like: str = "") -> bool:
        hits = lagotto.search(tmp_path / "c", query, like=like).hits
        return bool(hits) and all(hit.snippet.text.startswith(sentence) for hit in hits)

    assert begins("", "The purple heron is a bird", like=grey)
    assert begins("before:2100", "The ")
    assert begins("newsletter", letter[:11])
    for file in (tmp_path / "c" / "warc").iterdir():
        file.unlink()
    assert begins("", letter, like=purple)


def test_subtopics_are_a_filter(birds: Birds, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def sorted_pages(*_: object) -> Subtopics:
        made.append(1)
        groups = [Subtopic(1, "Wading birds", 2, 0.7, [], [], []), Subtopic(2, "Energy", 1, 0.3, [], [], [])]
        return Subtopics(groups, 3, 0, {1: 1, 2: 1, 5: 2})

    monkeypatch.setattr(sys.modules[Search.__module__], "subtopics_of", sorted_pages)
    assert set(urls(birds, 'grey subtopic:"Wading birds"')) == {HERON, STORK}
    assert set(urls(birds, "grey -subtopic:wading")) == {COPY, WIND}
    with Search(birds.directory) as crawl:
        for _ in range(2):
            assert [hit.url for hit in crawl.search("subtopic:2").hits] == [WIND]
    assert len(made) == 3


def test_a_subtopic_that_is_not_there_is_refused(birds: Birds) -> None:
    with pytest.raises(UnknownName, match="no subtopics yet"):
        lagotto.search(birds.directory, "subtopic:herons")


def test_function_words_alone_are_searched_for(birds: Birds) -> None:
    assert set(urls(birds, "from")) == {WIND}


def test_a_word_in_the_title_counts_more(birds: Birds) -> None:
    assert urls(birds, "stork OR heron", relevance_weight=0)[0] in (STORK, HERON)
    assert urls(birds, "power", relevance_weight=0) == [WIND]
    assert urls(birds, "white OR grey", relevance_weight=0)[0] == STORK


def test_a_word_in_a_heading_counts_more(birds: Birds) -> None:
    assert urls(birds, '"unlike water"', relevance_weight=0) == [STORK]
    plain, in_heading = (
        lagotto.search(birds.directory, query, relevance_weight=0).hits[0] for query in ("glides", "nest")
    )
    assert (plain.url, in_heading.url) == (STORK, STORK)
    assert in_heading.score > 1.5 * plain.score


def test_relevance_is_a_factor_that_the_user_sets(birds: Birds) -> None:
    plain = lagotto.search(birds.directory, "water", relevance_weight=0, near_duplicates="keep")
    weighted = lagotto.search(birds.directory, "water", relevance_weight=1, near_duplicates="keep")
    first = {hit.url: hit.score for hit in plain.hits}
    assert len(first) == 4
    for hit in weighted.hits:
        assert hit.score == pytest.approx(first[hit.url] * (hit.relevance or 0), rel=1e-5)
    assert weighted.hits[-1].url == WIND


def test_near_duplicates_are_folded_and_counted(birds: Birds) -> None:
    folded = lagotto.search(birds.directory, "shallow water")
    assert [(hit.url, hit.near_duplicates) for hit in folded.hits] == [(HERON, 1)]
    assert folded.total == 2
    kept = lagotto.search(birds.directory, "shallow water", near_duplicates="keep")
    assert [hit.url for hit in kept.hits] == [HERON, COPY]


def test_without_a_page_that_has_all_words_pages_with_some_are_found(birds: Birds) -> None:
    found = lagotto.search(birds.directory, "stork zeppelin")
    assert not found.every_word
    assert [hit.url for hit in found.hits] == [STORK]


def test_pages_alike(birds: Birds) -> None:
    found = lagotto.search(birds.directory, like=STORK)
    assert {hit.url for hit in found.hits} >= {HERON}
    assert STORK not in [hit.url for hit in found.hits]
    assert COPY not in urls(birds, "", like=HERON)
    assert urls(birds, "white", like=HERON) == [STORK]


def test_pages_of_results(birds: Birds) -> None:
    every = urls(birds, "heron OR wind")
    assert every == [*urls(birds, "heron OR wind", n=2), *urls(birds, "heron OR wind", n=2, offset=2)]
    assert urls(birds, "heron", offset=10) == []


def test_snippets_show_the_words(birds: Birds) -> None:
    [hit] = lagotto.search(birds.directory, "turbine").hits
    assert hit.snippet.marked("[", "]").startswith("Wind [turbines] and birds")


def test_what_makes_no_sense_is_refused(birds: Birds) -> None:
    for query in ("", "  ", '"', "?!", "-", '"" ...'):
        with pytest.raises(InputError, match="no word to look for"):
            lagotto.search(birds.directory, query)
    with pytest.raises(InputError, match="takes a date"):
        lagotto.search(birds.directory, "after:yesterday")
    with pytest.raises(InputError, match="between 0 and 1"):
        lagotto.search(birds.directory, "heron", relevance_weight=2)
    with pytest.raises(InputError, match="choose fold or keep"):
        lagotto.search(birds.directory, "heron", near_duplicates="drop")
    with pytest.raises(InputError, match="at least 1"):
        lagotto.search(birds.directory, "heron", n=0)
    with pytest.raises(InputError, match="first 10,000 pages at most"):
        lagotto.search(birds.directory, "heron", offset=1_000_000_000)
    with pytest.raises(InputError, match="is no page of the crawl"):
        lagotto.search(birds.directory, like="http://elsewhere.example/")
    with pytest.raises(NotACrawl):
        lagotto.search(birds.directory.parent, "heron")


def test_a_page_that_failed_has_nothing_alike(birds: Birds) -> None:
    birds.fetch("http://dead.example/")
    with pytest.raises(InputError, match="brought no page"):
        lagotto.search(birds.directory, like="http://dead.example/")


def test_a_crawl_without_pages_has_nothing_to_find(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "empty", ())
    found = lagotto.search(crawl.directory, "heron")
    assert (found.hits, found.notes) == ([], ["the crawl has no pages yet"])
    assert not (crawl.directory / "index").exists()
    crawl.fetch("http://dead.example/")
    assert lagotto.search(crawl.directory, "heron").hits == []
    assert not (crawl.directory / "index").exists()
    crawl.fetch(HERON)
    assert urls(crawl, "heron") == [HERON]
    crawl.close()


def test_titles_are_found_where_no_text_was_kept(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "crawl", keep_text=False)
    assert urls(crawl, "grey heron", near_duplicates="keep") == [HERON, COPY]
    crawl.close()


def test_the_index_lies_in_the_cache_if_the_crawl_cannot_hold_it(
    birds: Birds, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert urls(birds, "stork") == [STORK]
    assert not (birds.directory / "index").exists()
    assert list((tmp_path / "cache" / "lagotto" / "index").glob("*/meta.json"))


def test_one_search_sees_what_comes_later(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "crawl", (HERON,))
    with Search(crawl.directory) as search:
        assert search.search("stork").total == 0
        crawl.fetch(STORK)
        assert search.search("stork").total == 1
    crawl.close()


@pytest.fixture(scope="module")
def open_search(tmp_path_factory: pytest.TempPathFactory) -> Search:
    crawl = Birds(tmp_path_factory.mktemp("search") / "crawl")
    crawl.close()
    return Search(crawl.directory)


@settings(deadline=None, max_examples=300)
@given(
    query=st.text()
    | st.text(st.sampled_from('ab"-: OR*~^()[]{}\\/hosthernlgu\u6771\u200b\u0301'), max_size=30)
)
def test_any_text_is_a_query_or_is_refused_in_a_sentence(open_search: Search, query: str) -> None:
    with suppress(InputError):
        for hit in open_search.search(query).hits:
            assert all(0 <= start < end <= len(hit.snippet.text) for start, end in hit.snippet.highlights)
