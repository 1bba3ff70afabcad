"""`neural`: a network reads link contexts; first in, first out."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from lagotto.base.records import DROPPED
from lagotto.cli.train import train as train_command
from lagotto.focus.strategies.neural import Neural
from lagotto.focus.topic import Document, Settings, Topic, train
from lagotto.lab.checks import lease_of
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, crawl, page

BIRDS = ["bird heron nest feather", "bird eagle nest", "heron bird wing feather", "eagle bird wing"]
BANKS = ["bank loan money", "bank debt interest money", "loan interest bank", "debt money loan"]


@pytest.fixture(scope="module")
def topic() -> Topic:
    relevant = [Document.from_text(text) for text in BIRDS]
    irrelevant = [Document.from_text(text) for text in BANKS]
    terms = [document.terms for document in relevant], [document.terms for document in irrelevant]
    return Topic(
        "birds", network=train("birds", *terms, held_out=0.0), relevant=relevant, irrelevant=irrelevant
    )


def test_positive_links_are_fetched_in_the_order_they_were_found(topic: Topic) -> None:
    web = TinyWeb(
        page("seed", "bird", {"a": "a heron", "b": "a loan", "c": "eagle, bird and nest"}),
        page("a", "bird", {"d": "bird"}),
        page("b", "bird", {"lost": "bird"}),
        page("c", "bank", {"e": "feather"}),  # an irrelevant page, but the context of its link is positive
        page("d", "bird"),
        page("e", "bird", {"f": "bank"}),
        page("f", "bird"),
    )
    assert crawl(Neural(topic), web, "seed") == ["seed", "a", "c", "d", "e"]


def test_every_link_shows_output_and_label(topic: Topic) -> None:
    strategy = Neural(topic)
    found = page("a", "bird", {"b": "heron", "c": "loan", "d": "nothing it knows"})
    scores = strategy.score(found, strategy.judge(found), lease_of(found))
    outputs, labels = scores.parts.T
    assert strategy.link_parts == ("output", "label")
    assert labels.tolist() == [1.0, -1.0, -1.0]
    assert outputs[0] > 0.5 > outputs[1] > outputs[2] == 0.0
    assert scores.values.tolist() == [0.0, DROPPED, DROPPED]


def test_the_context_counts_as_well_as_the_anchor(topic: Topic) -> None:
    strategy = Neural(topic)
    found = page("a", "bird", {"b": "click here"}, context="feather wing nest")
    assert strategy.score(found, strategy.judge(found), lease_of(found)).values.tolist() == [0.0]


def test_a_page_is_judged_by_the_network_with_its_strongest_features(topic: Topic) -> None:
    strategy = Neural(topic)
    on, off = strategy.judge(page("a", "bird heron river")), strategy.judge(page("b", "loan money river"))
    assert (on.relevant, off.relevant) == (True, False)
    assert on.parts["output"] == on.relevance > 0.5 > off.relevance
    assert on.parts["term:bird"] > 0 > off.parts["term:loan"]
    assert strategy.judge(page("c", "river")).relevance == 0.0


def test_examples_train_a_network_with_the_paper_s_settings(topic: Topic) -> None:
    strategy = Neural(Topic("birds", relevant=topic.relevant, irrelevant=topic.irrelevant))
    assert strategy.network is not None
    settings = strategy.network.settings
    assert (settings.hidden, settings.rate, settings.target_mse) == (50, 0.1, 0.001)
    assert strategy.judge(page("a", "bird heron")).relevant


def test_training_on_contexts_cuts_the_examples_into_pieces() -> None:
    long = [Document.from_text(" ".join(texts * 10)) for texts in (BIRDS, BANKS)]
    strategy = Neural(
        Topic("birds", relevant=long[:1], irrelevant=long[1:]), train_on="contexts", max_epochs=20
    )
    assert strategy.network is not None
    assert strategy.network.trained_on == "contexts"
    assert strategy.judge(page("a", "heron nest")).relevant
    assert not strategy.judge(page("a", "loan debt")).relevant


def first_pages_web() -> TinyWeb:
    """A seed whose neighbourhood has three pages like the words and three unlike them."""
    return TinyWeb(
        page("seed", "bird heron nest", ["b1", "b2", "b3", "m1", "m2", "m3"]),
        *(
            page(f"b{n}", f"{text} bird", {f"bb{n}": "wing nest heron"})
            for n, text in enumerate(BIRDS[:3], 1)
        ),
        *(page(f"m{n}", text, {f"mm{n}": "money loan bank"}) for n, text in enumerate(BANKS[:3], 1)),
        *(page(f"bb{n}", "heron wing", {f"bbb{n}": "heron nest"}) for n in (1, 2, 3)),
        *(page(f"mm{n}", "bird bank") for n in (1, 2, 3)),
        *(page(f"bbb{n}", "bird") for n in (1, 2, 3)),
    )


def test_words_and_seeds_only_train_on_the_neighbourhood() -> None:
    strategy = Neural(Topic("bird"), first_pages=7)
    # All links of the seed are followed; of the others none has the word bird, so none is.
    crawling = TinyCrawl(first_pages_web(), "seed")
    assert crawling.run(strategy, pages=6) == ["seed", "b1", "b2", "b3", "m1", "m2"]
    assert strategy.network is None
    assert crawling.run(strategy) == ["seed", "b1", "b2", "b3", "m1", "m2", "m3"]
    assert strategy.network is not None
    contexts = page("a", "bird", {"x": "wing nest heron", "y": "money loan bank"})
    assert strategy.score(contexts, strategy.judge(contexts), lease_of(contexts)).values.tolist() == [
        0.0,
        DROPPED,
    ]


def test_pages_that_cannot_be_told_apart_put_training_off() -> None:
    strategy = Neural(Topic("bird"), first_pages=3)
    for number in range(3):
        found = page(f"p{number}", "bird")
        sample = strategy.sample(found, strategy.judge(found), lease_of(found))
        assert sample is not None
        strategy.learn(sample)
    assert strategy.network is None
    for text in ["bird heron"] * 2 + ["bank loan"]:
        found = page("p", text)
        sample = strategy.sample(found, strategy.judge(found), lease_of(found))
        assert sample is not None
        strategy.learn(sample)
    assert strategy.network is not None
    assert np.isfinite(strategy.judge(page("a", "heron")).relevance)


def test_the_strategy_and_the_training_command_have_the_same_defaults() -> None:
    by_strategy = inspect.signature(Neural).parameters
    assert by_strategy["features"].default == Settings().features
    assert {option.name: option.default for option in train_command.params}["features"] == Settings().features
