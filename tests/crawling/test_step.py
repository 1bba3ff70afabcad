"""The pure step: scope first, then judge, then score, with a reason for every link left out."""

from __future__ import annotations

import msgspec
import numpy as np

from lagotto.base.records import DROPPED, Judgement, Lease, LinkScores, Page
from lagotto.crawling.frontier import Refused, Scope
from lagotto.crawling.worker.step import take_step
from lagotto.focus.strategies.base import Strategy
from lagotto.lab.checks import lease_of, make_page


class ByAnchor(Strategy):
    """Scores a link by the length of its anchor and drops links without one."""

    name = "by-anchor"
    summary = "For tests."
    link_parts = ("length",)

    def __init__(self, shelf: float | None = None) -> None:
        self.shelf = shelf

    def judge(self, page: Page) -> Judgement:
        return Judgement(relevance=0.5, relevant=True, shelf=self.shelf)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        lengths = np.array([len(link.anchor) or DROPPED for link in page.links], float)
        return LinkScores(lengths, np.where(np.isfinite(lengths), lengths, 0)[:, None])

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        return str(len(page.links)).encode()


PAGE = make_page(
    "http://birds.example/",
    "Birds",
    "birds",
    {"/heron": "a heron", "/x.jpg": "picture", "/owl": "", "http://other.example/": "elsewhere"},
)


def test_links_carry_score_parts_depth_and_parent() -> None:
    step = take_step(PAGE, lease_of(PAGE, depth=4), ByAnchor(), Scope())
    heron = step.links[0]
    assert (heron.url, heron.score, heron.parts) == ("http://birds.example/heron", 7.0, [7.0])
    assert (heron.depth, heron.parent, heron.anchor, heron.held) == (5, PAGE.url, "a heron", False)


def test_every_link_left_out_has_a_reason() -> None:
    step = take_step(PAGE, lease_of(PAGE), ByAnchor(), Scope(sites=["birds.example"]))
    assert [link.url for link in step.links] == ["http://birds.example/heron"]
    assert step.left_out == {Refused.FILE_TYPE: 1, Refused.SITE: 1, "low-score": 1}


def test_the_strategy_sees_only_links_in_scope() -> None:
    step = take_step(PAGE, lease_of(PAGE), ByAnchor(), Scope(sites=["birds.example"]))
    assert step.sample == b"2"


def test_links_of_a_shelved_page_are_held() -> None:
    step = take_step(PAGE, lease_of(PAGE), ByAnchor(shelf=0.7), Scope())
    assert step.links
    assert all(link.held for link in step.links)


def test_nofollow_of_the_page_and_of_a_link() -> None:
    closed = msgspec.structs.replace(PAGE, nofollow=True)
    assert take_step(closed, lease_of(PAGE), ByAnchor(), Scope()).left_out[Refused.PAGE_NOFOLLOW] == 4
    links = [msgspec.structs.replace(PAGE.links[0], rel="nofollow"), *PAGE.links[1:]]
    marked = msgspec.structs.replace(PAGE, links=links)
    obeyed = take_step(marked, lease_of(PAGE), ByAnchor(), Scope(), obey_nofollow=True)
    ignored = take_step(marked, lease_of(PAGE), ByAnchor(), Scope())
    assert obeyed.left_out[Refused.NOFOLLOW] == 1
    assert len(ignored.links) == len(obeyed.links) + 1
