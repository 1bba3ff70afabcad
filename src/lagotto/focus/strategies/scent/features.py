"""The features of a link's target that are known before it is fetched.

A success rate is (Σ relevance + 2·base) / (n + 2) - base over the n fetched members of a group. A fetched
target is left out of its own groups; otherwise its features would contain what they have to predict.
"""

from __future__ import annotations

from math import log1p
from typing import NamedTuple

import numpy as np

from lagotto.focus.strategies.scent.evidence import MEMBERS, RELEVANCE

SIMILARITIES = ("anchor", "context", "url")
"""Texts of a link that are compared with the user's words; the anchor must come first."""
NAMES = (
    "bias",
    *SIMILARITIES,
    "meaning",
    "anchor on relevant page",
    "parents",
    "siblings",
    "siblings in place",
    "host's links in place",
    "neighbours",
    "number of parents",
    "relevant parents",
    "relevant parents, log",
    "host",
    "directory",
    "pages of host",
    "pages of directory",
)
PRIOR_OF = {
    "bias": -3.5,
    "anchor": 2.0,
    "context": 1.5,
    "url": 1.5,
    "parents": 1.5,
    "siblings": 1.0,
    "siblings in place": 0.5,
    "neighbours": 1.0,
    "host": 0.5,
    "directory": 1.0,
}
"""Prior weights; those of all other features are 0."""
PRIOR = np.array([PRIOR_OF.get(name, 0.0) for name in NAMES])
LINK_SMOOTHING = np.array([[2.0], [2.0], [2.0], [1.0]])
"""Number of average members that are added to each group of links (page, place, host's place, neighbours)."""
TARGET_SMOOTHING = 2.0
_ALL_SMOOTHING = np.concatenate([LINK_SMOOTHING, np.full((2, 1), TARGET_SMOOTHING)])
_BEST = 1
"""First of the features that are the maximum over a target's links."""
_MEAN = _BEST + len(SIMILARITIES) + 2
"""First of the features that are the mean over a target's links."""
_REST = _MEAN + 1 + len(LINK_SMOOTHING)


class LinkColumns(NamedTuple):
    """Features of links, a column each."""

    relevance: np.ndarray
    """Relevance of the page that the link is on."""
    similarity: np.ndarray
    """Similarity to the user's words, a row for each of `SIMILARITIES`."""
    meaning: np.ndarray
    """Similarity of the anchor to the judge's term weights."""
    successes: np.ndarray
    """Totals of the link's groups, without its own target: (kind of total, group, link)."""


class TargetColumns(NamedTuple):
    """Features of targets, a column each."""

    links: np.ndarray
    """Number of known links."""
    successes: np.ndarray
    """Totals of its host and directory, without the target itself: (kind of total, group, target)."""


def features(links: LinkColumns, targets: TargetColumns, lengths: np.ndarray, base: float) -> np.ndarray:
    """A row of features for each target, in the order of `NAMES`.

    Links are sorted by target; `lengths` is the number of links of each.
    """
    of_links = np.empty((_REST - _BEST, len(links.meaning)))
    _fill_texts(of_links, links.similarity, links.meaning, links.relevance)
    of_links[_MEAN + 1 - _BEST :] = rates(links.successes, LINK_SMOOTHING, base)
    found = np.empty((len(NAMES), len(lengths)))
    found[0] = 1.0
    _reduce(found[_BEST:_MEAN], found[_MEAN:_REST], of_links, lengths)
    relevant = targets.links * found[_MEAN]
    found[_REST] = np.log(targets.links)
    found[_REST + 1] = relevant / (1.0 + relevant)
    found[_REST + 2] = np.log1p(relevant)
    found[_REST + 3 : _REST + 5] = rates(targets.successes, TARGET_SMOOTHING, base)
    found[_REST + 5 :] = np.log1p(targets.successes[MEMBERS])
    return found.T


def features_of_one(
    relevance: float, similarity: np.ndarray, meaning: np.ndarray, successes: np.ndarray, base: float
) -> np.ndarray:
    """The same for targets with one link each, all on a page of this relevance.

    `successes` has the groups of the links first, then those of the targets.
    """
    found = np.empty((len(NAMES), len(meaning)))
    found[0] = 1.0
    _fill_texts(found[_BEST:], similarity, meaning, relevance)
    of_groups = rates(successes, _ALL_SMOOTHING, base)
    found[_MEAN + 1 : _REST] = of_groups[: len(LINK_SMOOTHING)]
    found[_REST] = 0.0
    found[_REST + 1] = relevance / (1.0 + relevance)
    found[_REST + 2] = log1p(relevance)
    found[_REST + 3 : _REST + 5] = of_groups[len(LINK_SMOOTHING) :]
    found[_REST + 5 :] = np.log1p(successes[MEMBERS, len(LINK_SMOOTHING) :])
    return found.T


def rates(totals: np.ndarray, smoothing: np.ndarray | float, base: float) -> np.ndarray:
    """(Σ + smoothing·base) / (n + smoothing) - base, for totals as `Successes` keeps them."""
    return np.asarray((totals[RELEVANCE] + smoothing * base) / (totals[MEMBERS] + smoothing) - base)


def _fill_texts(
    of_links: np.ndarray, similarity: np.ndarray, meaning: np.ndarray, relevance: np.ndarray | float
) -> None:
    n = len(SIMILARITIES)
    of_links[:n] = similarity
    of_links[n] = meaning
    of_links[n + 1] = relevance * similarity[0]
    of_links[n + 2] = relevance


def _reduce(best: np.ndarray, mean: np.ndarray, of_links: np.ndarray, lengths: np.ndarray) -> None:
    """Maximum and mean over each target's links; 0 for a target without links."""
    best[:], mean[:] = 0.0, 0.0
    filled = lengths.nonzero()[0]
    starts = (lengths.cumsum() - lengths)[filled]
    if len(starts):
        best[:, filled] = np.maximum.reduceat(of_links[: len(best)], starts, axis=1)
        mean[:, filled] = np.add.reduceat(of_links[len(best) :], starts, axis=1) / lengths[filled]
