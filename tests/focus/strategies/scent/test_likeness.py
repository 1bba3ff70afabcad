from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from lagotto.base.records import Lease, Link, Page
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic


class Colours:
    """An encoder that knows two meanings: what has to do with the sea, and all else."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] if "sea" in text or "sail" in text else [0.0, 1.0] for text in texts])


def page_with(*anchors: str, title: str = "") -> Page:
    links = [Link(f"http://b.example/{at}", anchor=anchor) for at, anchor in enumerate(anchors)]
    return Page(url="http://a.example/", title=title, terms={"wood": 3}, links=links)


def encoding() -> Scent:
    strategy = Scent(Topic("sailing seas"))
    assert strategy.use_encoder(cast(Encoder, Colours()))
    return strategy


def scores(strategy: Scent, page: Page) -> np.ndarray:
    lease = Lease(1, page.url, "a.example")
    return strategy.score(page, strategy.judge(page), lease).values


def test_a_link_whose_anchor_means_the_same_is_preferred() -> None:
    page = page_with("the seaside", "a factory", "")
    plain, encoded = scores(Scent(Topic("sailing seas")), page), scores(encoding(), page)
    assert encoded[0] > plain[0] + 1.0
    assert encoded[1] < plain[1]
    assert encoded[2] == plain[2]


def test_a_page_is_judged_as_without_an_encoder() -> None:
    page = page_with("the seaside", title="By the sea")
    assert encoding().judge(page) == Scent(Topic("sailing seas")).judge(page)


def test_a_crawl_that_is_resumed_is_the_same_without_the_encoder() -> None:
    strategy, later = encoding(), Scent(Topic("sailing seas"))
    page = page_with("the seaside", "a factory")
    sample = strategy.sample(page, strategy.judge(page), Lease(1, page.url, "a.example"))
    strategy.learn(sample)
    later.learn(bytes(sample))
    assert strategy.save() == later.save()


def test_new_words_end_what_the_encoder_adds() -> None:
    strategy, page = encoding(), page_with("the seaside")
    changed = Scent(Topic("sailing seas"))
    for each in (strategy, changed):
        each.learn(each.edit({"yacht": 1.0}))
    assert (scores(strategy, page) == scores(changed, page)).all()


def test_without_meaning_or_words_it_is_not_used() -> None:
    assert not Scent(Topic("sailing"), meaning=False).use_encoder(cast(Encoder, Colours()))
