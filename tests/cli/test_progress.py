"""What a crawl shows while it runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lagotto.base.records import DROPPED, Link, LinkScores, Page
from lagotto.cli.progress import link_lines, outlook_line, status_line
from lagotto.crawling.config import Config
from lagotto.crawling.rejudger import PagesRead
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import links_scored
from lagotto.focus.registry import strategy_class


@pytest.mark.parametrize(("strategy", "label"), [("scent", "negative"), ("static", "positive")])
def test_links_are_labelled_by_what_the_strategy_means(strategy: str, label: str) -> None:
    page = Page("http://a.example/", links=[Link("http://a.example/a", "x"), Link("http://a.example/b", "y")])
    scores = LinkScores(np.array([-1.0, 0.5]))
    event = links_scored(page, scores, (), strategy_class(strategy).positive_above)
    assert [line.split()[:3] for line in link_lines(event)] == [
        [label, "-1.000", "http://a.example/a"],
        ["positive", "0.500", "http://a.example/b"],
    ]


def test_a_link_that_is_not_followed_is_negative() -> None:
    event = links_scored(
        Page("http://a.example/", links=[Link("http://a.example/a")]), LinkScores(np.array([DROPPED])), ()
    )
    assert link_lines(event)[0].startswith("negative  -  http://a.example/a")


def test_parts_of_a_score_that_are_0_are_not_shown() -> None:
    page = Page("http://a.example/", links=[Link("http://a.example/a", "x")])
    scores = LinkScores(np.array([1.5]), np.array([[1.5, 0.0, 0.0001]]))
    [line] = link_lines(links_scored(page, scores, ("anchor", "url", "context")))
    assert line.endswith('"x"  anchor 1.500')


def test_judging_all_pages_again_shows_how_far_it_is(tmp_path: Path) -> None:
    class AtItsEnd(Crawl):
        @property
        def rejudging(self) -> PagesRead:
            return PagesRead(done=3, pages=12)

    crawl = AtItsEnd(Config(topic="birds", seeds=["http://a.example/"]), tmp_path / "crawl")
    assert status_line(crawl).endswith("judging all pages again: 3 of 12")


def test_exhausted_sites_are_mentioned() -> None:
    figures = {"pages": 900.0, "expected": 0.02, "marginal": 0.01}
    assert outlook_line({**figures, "exhausted": 0}) == outlook_line(figures)
    assert outlook_line({**figures, "exhausted": 700}).endswith(
        "; the sites found are exhausted since page 700: the rest of the budget goes to new hosts"
    )
