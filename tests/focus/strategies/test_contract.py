"""Every strategy of the papers, with each kind of input: contract, resume, explanation."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.dynamic import Dynamic
from lagotto.focus.strategies.hybrid import Hybrid
from lagotto.focus.strategies.linkrank import LinkRank
from lagotto.focus.strategies.neural import Neural
from lagotto.focus.strategies.simple import BestFirst, BreadthFirst, Priority
from lagotto.focus.strategies.static import Static
from lagotto.focus.topic import Document, Topic
from lagotto.lab.checks import check_strategy
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, page

WORDS = Topic("bird heron")
EXAMPLES = Topic(
    "bird",
    relevant=[
        Document.from_text(text) for text in ("bird heron nest", "bird eagle feather nest", "heron wing")
    ],
    irrelevant=[Document.from_text(text) for text in ("bank loan", "money debt bank", "loan interest money")],
)

CASES: dict[str, Callable[[], Strategy]] = {
    "bfs": lambda: BreadthFirst(WORDS),
    "best-first": lambda: BestFirst(WORDS),
    "static, words": lambda: Static(WORDS),
    "static, first pages": lambda: Static(WORDS, first_pages=5),
    "static, examples": lambda: Static(EXAMPLES),
    "dynamic": lambda: Dynamic(WORDS),
    "priority": lambda: Priority(WORDS),
    "neural, words": lambda: Neural(WORDS),
    "neural, first pages": lambda: Neural(WORDS, first_pages=6, max_epochs=20),
    "neural, contexts": lambda: Neural(WORDS, first_pages=6, max_epochs=5, train_on="contexts"),
    "neural, examples": lambda: Neural(EXAMPLES, max_epochs=20),
    "hybrid, words": lambda: Hybrid(WORDS),
    "hybrid, first pages": lambda: Hybrid(WORDS, first_pages=5, expand_every=2),
    "hybrid, examples": lambda: Hybrid(EXAMPLES, expand_every=2),
    "hybrid, switched off": lambda: Hybrid(EXAMPLES, priority_queue=False, content_seen=False, expand=False),
    "linkrank, words": lambda: LinkRank(WORDS),
    "linkrank, first pages": lambda: LinkRank(WORDS, first_pages=5),
    "linkrank, examples": lambda: LinkRank(EXAMPLES),
}


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def make(request: pytest.FixtureRequest) -> Callable[[], Strategy]:
    chosen: Callable[[], Strategy] = request.param
    return chosen


def test_contract(make: Callable[[], Strategy]) -> None:
    check_strategy(make)


def test_options_are_kept_under_their_names(make: Callable[[], Strategy]) -> None:
    strategy = make()
    for option in inspect.signature(type(strategy)).parameters:
        assert hasattr(strategy, option), option


def web() -> TinyWeb:
    """Fourteen pages, on and off topic, that link to and fro."""
    texts = ["bird heron nest", "bank loan money", "bird wing feather", "heron bird river", "money bird debt"]
    names = [f"p{number}" for number in range(14)]
    return TinyWeb(
        *(
            page(
                name,
                f"{texts[number % 5]} {texts[number % 3]} word{number}",
                {names[(number * 3 + step) % 14]: texts[(number + step) % 4] for step in (1, 2, 5)},
                context="bird",
            )
            for number, name in enumerate(names)
        )
    )


@pytest.mark.parametrize("snapshots", [True, False], ids=["snapshot", "samples"])
def test_a_crawl_that_is_stopped_and_resumed_goes_on_as_if_nothing_had_happened(
    make: Callable[[], Strategy], snapshots: bool
) -> None:
    whole = TinyCrawl(web(), "p0", "p1")
    order = whole.run(make())
    assert len(order) > 4
    resumed = TinyCrawl(web(), "p0", "p1", snapshots=snapshots)
    for pages in (1, 3, 6, 7, 10, 100):
        resumed.run(make(), pages=pages)
    assert resumed.order == order
    assert [outcome.judgement for outcome in resumed.outcomes] == [
        outcome.judgement for outcome in whole.outcomes
    ]


def test_every_judgement_can_be_explained(make: Callable[[], Strategy]) -> None:
    crawl = TinyCrawl(web(), "p0")
    crawl.run(make())
    for outcome in crawl.outcomes:
        assert outcome.judgement is not None
        parts = outcome.judgement.parts
        assert outcome.judgement.relevance in parts.values()
        assert sum(part.startswith("term:") for part in parts) <= 8
