"""Judging a harvest again when all of it is known.

A page's relevance at fetch is a guess: the model had seen little. `judge_again` takes every page fetched
(`harvest`), compares each with those next to it (`similarity`, `smoothing`), turns the result into calibrated
chances (`calibration`), learns from marks (`marks`), and can tell that the topic is not there (`presence`).
`recall` estimates what was missed. `encoder` adds a sentence encoder where one is installed.
Everything works on arrays: nothing here reads a store.
"""

from __future__ import annotations

from lagotto.focus.judging.harvest import FetchedPage, Gathering, Harvest, links_among
from lagotto.focus.judging.judge import Rejudged, judge_again
from lagotto.focus.judging.marks import worth_asking
from lagotto.focus.judging.presence import Presence
from lagotto.focus.judging.recall import Recall, estimate_recall

__all__ = [
    "FetchedPage",
    "Gathering",
    "Harvest",
    "Presence",
    "Recall",
    "Rejudged",
    "estimate_recall",
    "judge_again",
    "links_among",
    "worth_asking",
]
