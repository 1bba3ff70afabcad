"""What a crawl shows while it runs."""

from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.records import DROPPED, Link, LinkScores, Page
from lagotto.cli.progress import link_lines
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
