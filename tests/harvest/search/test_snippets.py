"""Snippets: what is highlighted, in any script."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.records import FetchedRow
from lagotto.base.views import StoredPage
from lagotto.harvest.search.index import PageIndex, locked
from lagotto.harvest.search.matching import analysed, text_query
from lagotto.harvest.search.query import read_query
from lagotto.harvest.search.results import LENGTH, Snippets


def page_with(text: str) -> StoredPage:
    url = "http://a.example/"
    at = "2026-01-31T12:00:00.000Z"
    row = FetchedRow(1, url, url, 200, at, 0.5, True, "", 0, "", None, "a.example", "en", "", "", text=text)
    return StoredPage(row, "text/html", None)


def snippet(folder: Path, query: str, text: str) -> str:
    with locked(folder, wait=True):
        index = PageIndex.create(folder, "a crawl", "en")
        with index.writing() as writer:
            writer.put(page_with(text))
            writer.commit(index.state)
    asked = text_query(index, analysed(index, read_query(query))) if query else None
    return Snippets(index, asked, lambda page: page.row.text or "").of(page_with(text)).marked("[", "]")


def test_words_are_highlighted_in_their_own_form(tmp_path: Path) -> None:
    text = "“Überall”\nstehen HERONS, das heißt: a heron."
    assert snippet(tmp_path, "heron", text) == "“Überall” stehen [HERONS], das heißt: a [heron]"


def test_characters_of_unspaced_scripts_are_words(tmp_path: Path) -> None:
    assert snippet(tmp_path, "京都", "東京都に住む。") == "東[京][都]に住む"


def test_the_best_piece_of_a_long_text_is_taken(tmp_path: Path) -> None:
    text = "Nothing here. " * 100 + "The heron fishes. " + "Nothing there. " * 100
    found = snippet(tmp_path, "heron", text)
    assert "[heron]" in found
    assert len(found) < 2 * LENGTH


def test_running_text_comes_before_menus(tmp_path: Path) -> None:
    sentence = "It stands in shallow water for hours, and a heron seldom misses its prey."
    assert snippet(tmp_path, "heron", f"Home\nHeron\nHerons\n{sentence}").startswith("It stands in shallow")
    assert snippet(tmp_path, "herons", f"Home\nHerons\n{'Nothing of that kind is here. ' * 3}").startswith(
        "Home [Herons]"
    )


def test_without_a_word_it_is_the_beginning(tmp_path: Path) -> None:
    assert snippet(tmp_path, "", "Birds.\n" * 100).startswith("Birds. Birds.")
    assert snippet(tmp_path, "zeppelin", "Birds.") == "Birds."
    assert snippet(tmp_path, "zeppelin", "") == ""
