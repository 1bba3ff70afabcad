"""What is known of a link's target before it is fetched, as some twenty numbers.

Success rates are (Σ relevance + 2·base) / (n + 2) over the fetched members of a group, less the base rate;
a target that is itself fetched is left out of its own groups, or the model would learn to look it up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NAMES = (
    "bias",
    "anchor",
    "context",
    "url",
    "meaning",
    "anchor on relevant page",
    "parents",
    "number of parents",
    "relevant parents",
    "relevant parents, log",
    "siblings",
    "siblings in place",
    "host's links in place",
    "neighbours",
    "host",
    "directory",
    "pages of host",
)
PRIOR = np.array([-3.5, 2.0, 1.5, 1.5, 0, 0, 1.5, 0, 0, 0, 1.0, 0.5, 0, 1.0, 0.5, 1.0, 0])
SMOOTHING = 2.0
REACH = 4
"""Links before and after that count as neighbours."""


class LinkColumns(NamedTuple):
    """Links, one a row; links of the same page lie next to each other."""

    parent: np.ndarray
    """Number that links of the same page share."""
    target: np.ndarray | None
    """Row of the target; None when each link has a row of its own, in their order."""
    place: np.ndarray
    """Number that links of the same page in the same DOM place share."""
    relevance: np.ndarray
    """Of the page the link stands on."""
    similarity: np.ndarray
    """Of anchor, context and URL to the user's words: three columns."""
    meaning: np.ndarray
    """Of the anchor to the judge's term weights."""
    host_place: np.ndarray
    """Success rate of links in the same DOM place to the same host."""


class TargetColumns(NamedTuple):
    """Targets, one a row."""

    fetched: np.ndarray
    """1 where fetched, else 0."""
    relevance: np.ndarray
    """Of fetched ones, else 0."""
    host_rate: np.ndarray
    host_pages: np.ndarray
    directory_rate: np.ndarray


def rates(
    group: np.ndarray, relevance: np.ndarray, fetched: np.ndarray, base: float
) -> tuple[np.ndarray, np.ndarray]:
    """Each member's leave-one-out success rate of its group, less the base rate, and the group's size."""
    sums = np.bincount(group, relevance * fetched)[group] - relevance * fetched
    counts = np.bincount(group, fetched)[group] - fetched
    return smoothed(sums, counts, base), counts


def smoothed(sums: np.ndarray, counts: np.ndarray, base: float) -> np.ndarray:
    """(Σ + 2·base) / (n + 2) - base."""
    return np.asarray((sums + SMOOTHING * base) / (counts + SMOOTHING) - base)


def features(links: LinkColumns, targets: TargetColumns, base: float) -> np.ndarray:
    """A row of numbers, in the order of `NAMES`, for each target."""
    n = len(targets.fetched)
    target = slice(None) if links.target is None else links.target
    fetched, relevance = targets.fetched[target], targets.relevance[target]
    count = np.ones(n) if links.target is None else np.maximum(np.bincount(links.target, minlength=n), 1)

    def mean(values: np.ndarray) -> np.ndarray:
        if links.target is None:
            return values
        return np.asarray(np.bincount(links.target, values, n) / count)

    def best(values: np.ndarray) -> np.ndarray:
        if links.target is None:
            return values
        highest = np.full(n, -np.inf)
        np.maximum.at(highest, links.target, values)
        return np.where(np.isfinite(highest), highest, 0.0)

    found = count * mean(links.relevance)
    columns = [
        np.ones(n),
        *(best(column) for column in links.similarity.T),
        best(links.meaning),
        best(links.relevance * links.similarity[:, 0]),
        mean(links.relevance),
        np.log(count),
        found / (1 + found),
        np.log1p(found),
        mean(rates(links.parent, relevance, fetched, base)[0]),
        mean(rates(links.place, relevance, fetched, base)[0]),
        mean(links.host_place),
        mean(_neighbours(links.parent, relevance, fetched, base)),
        targets.host_rate,
        targets.directory_rate,
        np.log1p(targets.host_pages),
    ]
    return np.stack(columns, axis=1)


def _neighbours(parent: np.ndarray, relevance: np.ndarray, fetched: np.ndarray, base: float) -> np.ndarray:
    """Success of the links next to each one on its page, weighted by 1 / distance."""
    sums, weights = np.zeros(len(parent)), np.zeros(len(parent))
    for distance in range(1, min(REACH, len(parent) - 1) + 1):
        same = (parent[distance:] == parent[:-distance]) / distance
        for here, there in (
            (slice(None, -distance), slice(distance, None)),
            (slice(distance, None), slice(None, -distance)),
        ):
            sums[here] += same * relevance[there] * fetched[there]
            weights[here] += same * fetched[there]
    return np.asarray((sums + base) / (weights + 1) - base)
