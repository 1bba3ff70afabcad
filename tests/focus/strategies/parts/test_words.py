"""Words that a user adds, reweighs or removes while a crawl runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lagotto.base.errors import InputError
from lagotto.base.records import Page
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.dynamic import Dynamic
from lagotto.focus.strategies.hybrid import Hybrid
from lagotto.focus.strategies.linkrank import LinkRank
from lagotto.focus.strategies.neural import Neural
from lagotto.focus.strategies.parts.words import Edits, edit_sample, words_of
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.strategies.simple import BestFirst, BreadthFirst, Priority
from lagotto.focus.strategies.static import Static
from lagotto.focus.topic import Document, Topic, Vocabularies, WeightTable
from lagotto.lab.checks.strategies import fictional_pages, lease_of, make_page

BIRDS = Topic("bird heron")
MONEY = make_page(
    "http://money.example/loans.html", "Loans", "The bank gives loans and mortgages at interest. " * 4
)
MAKERS: dict[str, Callable[[], Strategy]] = {
    "bfs": lambda: BreadthFirst(BIRDS),
    "best-first": lambda: BestFirst(BIRDS),
    "priority": lambda: Priority(BIRDS),
    "static": lambda: Static(BIRDS, first_pages=4),
    "dynamic": lambda: Dynamic(BIRDS),
    "hybrid": lambda: Hybrid(BIRDS, first_pages=4, expand_every=1),
    "linkrank": lambda: LinkRank(BIRDS),
    "neural": lambda: Neural(BIRDS),
    "scent": lambda: Scent(BIRDS),
}


def read(strategy: Strategy, pages: list[Page]) -> None:
    """Have the strategy learn from pages as a crawl would."""
    for page in pages:
        judgement = strategy.judge(page)
        lease = lease_of(page)
        strategy.score(page, judgement, lease)
        if (sample := strategy.sample(page, judgement, lease)) is not None:
            strategy.learn(sample)


def edit(strategy: Strategy, words: dict[str, float]) -> None:
    """Change words as a crawl would."""
    sample = strategy.edit(words)
    assert sample is not None
    strategy.learn(sample)


@pytest.mark.parametrize("name", MAKERS)
def test_a_page_about_a_new_word_is_worth_more_from_then_on(name: str) -> None:
    strategy = MAKERS[name]()
    read(strategy, fictional_pages()[:3])
    before = strategy.judge(MONEY).relevance
    edit(strategy, {"loan": 3.0, "bank": 3.0})
    assert strategy.judge(MONEY).relevance > before


@pytest.mark.parametrize("name", ["static", "dynamic", "hybrid", "scent"])
def test_an_edit_holds_when_the_table_is_made_again(name: str) -> None:
    strategy, untouched = MAKERS[name](), MAKERS[name]()
    edit(strategy, {"loan": 3.0, "bank": 3.0, "heron": 0.0})
    for each in (strategy, untouched):
        read(each, fictional_pages() * 2)
    assert strategy.judge(MONEY).relevance > untouched.judge(MONEY).relevance
    if not isinstance(strategy, Scent):
        table = strategy.table
        assert table is not None
        assert table["loan"] == 3.0
        assert "heron" not in table


def test_scent_scores_links_by_the_new_words() -> None:
    strategy = Scent(BIRDS)
    page = make_page("http://a.example/", "Links", "Some links.", {"/b": "bank loans", "/c": "herons"})
    read(strategy, [*fictional_pages(), page])
    edit(strategy, {"loan": 3.0, "bank": 3.0, "bird": 0.0, "heron": 0.0})
    scores = strategy.score(page, strategy.judge(page), lease_of(page)).values
    assert scores[0] > scores[1]
    revised = {revision.id: revision.score for revision in strategy.revisions()}
    loans, herons = (lease_of(make_page(link.url, "", "")).id for link in page.links)
    assert revised[loans] > revised[herons]


def test_a_network_and_vocabularies_have_no_words_to_change() -> None:
    trained = Topic(
        "bird",
        relevant=[Document.from_text("bird heron nest"), Document.from_text("bird eagle feather")],
        irrelevant=[Document.from_text("bank loan"), Document.from_text("money debt bank")],
    )
    assert Neural(trained, max_epochs=5).edit({"loan": 1.0}) is None
    assert LinkRank(Topic(vocabularies=Vocabularies((frozenset({"bird"}),)))).edit({"loan": 1.0}) is None


@pytest.mark.parametrize("name", MAKERS)
def test_the_last_word_cannot_be_removed(name: str) -> None:
    strategy = MAKERS[name]()
    with pytest.raises(InputError, match="without words"):
        strategy.edit({"bird": 0.0, "herons": 0.0})


def test_a_word_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="says nothing"):
        BestFirst(BIRDS).edit({"the": 1.0})


def test_a_phrase_is_one_term() -> None:
    edits = Edits("en")
    edits.add({"heat pump": 2.0})
    table = edits.apply(WeightTable({"solar": 1.0}))
    assert dict(table) == {"heat pump": 2.0, "solar": 1.0}
    assert table.phrases == ("heat pump",)


def test_other_samples_are_no_edits() -> None:
    assert words_of(edit_sample({"a": 1.0})) == {"a": 1.0}
    assert words_of(b"") is None
    assert words_of(b"\x93\x01\x02\x03") is None
