"""What is known of a link's target before it is fetched, as some twenty numbers.

Success rates are (Σ relevance + 2·base) / (n + 2) over the fetched members of a group, less the base rate;
a target that is itself fetched is left out of its own groups, or the model would learn to look it up.
"""

from __future__ import annotations

from math import log1p
from typing import NamedTuple

import numpy as np

SIMILARITIES = ("anchor", "context", "url")
"""Texts of a link whose similarity to the user's words is known; the anchor comes first."""
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
"""Weights to begin with; all others begin at 0."""
PRIOR = np.array([PRIOR_OF.get(name, 0.0) for name in NAMES])
LINK_SMOOTHING = np.array([[2.0], [2.0], [2.0], [1.0]])
"""Members of the base rate's success that are added to each group of links; neighbours count by nearness."""
TARGET_SMOOTHING = 2.0
_ALL_SMOOTHING = np.concatenate([LINK_SMOOTHING, np.full((2, 1), TARGET_SMOOTHING)])
_BEST = 1
"""First of the columns that are the best of a target's links, and after them of those that are the mean."""
_MEAN = _BEST + len(SIMILARITIES) + 2
_REST = _MEAN + 1 + len(LINK_SMOOTHING)


class LinkColumns(NamedTuple):
    """Links, one a column."""

    relevance: np.ndarray
    """Of the page the link stands on."""
    similarity: np.ndarray
    """A row for each of `SIMILARITIES`."""
    meaning: np.ndarray
    """Of the anchor to the judge's term weights."""
    successes: np.ndarray
    """Totals of the link's groups, a row for each, what its target added to them left out."""


class TargetColumns(NamedTuple):
    """Targets, one a column."""

    links: np.ndarray
    """Number of known links."""
    successes: np.ndarray
    """Totals of its host and of its directory, what the target added to them left out."""


def features(links: LinkColumns, targets: TargetColumns, lengths: np.ndarray, base: float) -> np.ndarray:
    """A row of numbers, in the order of `NAMES`, for each target.

    Links lie target by target; `lengths` says how many each has.
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
    found[_REST + 5] = np.log1p(targets.successes[0].imag)
    return found.T


def features_of_one(
    relevance: float, similarity: np.ndarray, meaning: np.ndarray, successes: np.ndarray, base: float
) -> np.ndarray:
    """The same for targets with one link each, all of them on a page of this relevance.

    `successes` has a row for each group of the link, and then of the target.
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
    found[_REST + 5] = np.log1p(successes[len(LINK_SMOOTHING)].imag)
    return found.T


def rates(totals: np.ndarray, smoothing: np.ndarray | float, base: float) -> np.ndarray:
    """(Σ + smoothing·base) / (n + smoothing) - base, of totals as `Successes` keeps them."""
    return np.asarray((totals.real + smoothing * base) / (totals.imag + smoothing) - base)


def _fill_texts(
    of_links: np.ndarray, similarity: np.ndarray, meaning: np.ndarray, relevance: np.ndarray | float
) -> None:
    n = len(SIMILARITIES)
    of_links[:n] = similarity
    of_links[n] = meaning
    of_links[n + 1] = relevance * similarity[0]
    of_links[n + 2] = relevance


def _reduce(best: np.ndarray, mean: np.ndarray, of_links: np.ndarray, lengths: np.ndarray) -> None:
    """Best and mean over each target's links; a target without links has zeros."""
    best[:], mean[:] = 0.0, 0.0
    filled = lengths.nonzero()[0]
    starts = (lengths.cumsum() - lengths)[filled]
    if len(starts):
        best[:, filled] = np.maximum.reduceat(of_links[: len(best)], starts, axis=1)
        mean[:, filled] = np.add.reduceat(of_links[len(best) :], starts, axis=1) / lengths[filled]
