"""How often each page changes, learned from its visits, and when a visit is worth its request.

A page changes at random with some rate. What is known of the rate is a probability for each of 25 rates, from
once in four years to once an hour. A visit after t seconds finds a change with probability 1 - exp(-rate t)
(Cho and Garcia-Molina 2003). Before its first visits a page has the mix of rates of the pages whose URLs look
like its own, which in turn leans on that of its host and of all pages.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

HOUR, DAY = 3600.0, 86_400.0
RATES = np.geomspace(1 / (4 * 365 * DAY), 1 / HOUR, 25)
"""Changes a second."""
SHORTEST, LONGEST = HOUR, 90 * DAY
"""Interval between two visits to a page: at least and at most."""
INTERVALS = np.geomspace(SHORTEST, LONGEST, 96)
LEANING = 10.0
"""Pages that a mix of rates counts for, as the beginning of the mix of a part."""
ROUNDS = 8
"""Times that the mix of all pages is estimated again."""
_FLAT = np.full(len(RATES), 1 / len(RATES))
_STALE = RATES[:, None] * INTERVALS
_GAIN = (1 - np.exp(-_STALE)) / RATES[:, None] - INTERVALS * np.exp(-_STALE)
"""Seconds of freshness that one visit more brings, by rate and by interval.

A page of rate r that is visited f times a second is as we have it in (f / r) (1 - exp(-r / f)) of the time.
This is the derivative by f. It grows with the interval, and is small for pages that change all the time:
they are stale again at once.
"""


class Rates:
    """Probabilities of rates for numbered pages; each page belongs to a part, and each part to a host."""

    def __init__(self, parts: Sequence[tuple[Hashable, Hashable]]) -> None:
        """`parts` has (host, part) of each page."""
        self._host = _numbered([host for host, _ in parts])
        self._part = _numbered(parts)
        self._seen = np.zeros((len(parts), len(RATES)))
        """Logarithm of the likelihood of what the visits to each page found."""
        self._visited = np.zeros(len(parts), bool)
        self._prior = np.tile(_FLAT, (len(parts), 1))

    def observe(self, page: int, seconds: float, changed: bool) -> None:
        """A visit, so many seconds after the one before, found the page changed or not."""
        stale = RATES * max(seconds, 1.0)
        self._seen[page] += np.log(-np.expm1(-stale)) if changed else -stale
        self._visited[page] = True

    def learn(self) -> None:
        """Estimate the mixes of rates of all pages, hosts and parts from all visits so far."""
        known = np.flatnonzero(self._visited)
        if not len(known):
            return
        mix = _FLAT
        for _ in range(ROUNDS):
            mix = _mixed(mix[None], np.zeros(len(known), int), _posterior(mix[None], self._seen[known]))[0]
        of_hosts = np.tile(mix, (self._host.max() + 1, 1))
        hosts = self._host[known]
        of_hosts = _mixed(of_hosts, hosts, _posterior(of_hosts[hosts], self._seen[known]))
        host_of_part = np.zeros(self._part.max() + 1, int)
        host_of_part[self._part] = self._host
        of_parts, parts = of_hosts[host_of_part], self._part[known]
        of_parts = _mixed(of_parts, parts, _posterior(of_parts[parts], self._seen[known]))
        self._prior = of_parts[self._part]

    def probabilities(self) -> np.ndarray:
        """Of each page (rows), the probability of each of `RATES`."""
        return _posterior(self._prior, self._seen)

    def probabilities_of(self, page: int) -> np.ndarray:
        """The same of one page."""
        return np.asarray(_posterior(self._prior[page : page + 1], self._seen[page : page + 1])[0])

    def changes_a_day(self) -> np.ndarray:
        """Expected changes a day of each page."""
        return np.asarray(self.probabilities() @ RATES * DAY)


def gains(probabilities: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Seconds of freshness that a visit to each page brings, so long after the last one."""
    places = np.clip(np.searchsorted(INTERVALS, seconds), 0, len(INTERVALS) - 1)
    curves = probabilities @ _GAIN
    # Below the shortest interval the gain still grows with time, so that older pages come first.
    return np.asarray(curves[np.arange(len(places)), places] * np.minimum(1.0, seconds / SHORTEST))


def intervals(probabilities: np.ndarray, weights: np.ndarray, least_gain: float) -> np.ndarray:
    """Seconds after which a visit to each page brings so much, times its weight."""
    curves = (probabilities @ _GAIN) * weights[:, None]
    enough = curves >= least_gain
    return np.where(enough.any(axis=1), INTERVALS[enough.argmax(axis=1)], LONGEST)


def least_gain(probabilities: np.ndarray, weights: np.ndarray, every: float) -> float:
    """The least gain that is worth a visit, if one page is visited every so many seconds on average."""
    low, high = 0.0, 4.0 * LONGEST * float(weights.max(initial=1.0))
    for _ in range(50):
        middle = (low + high) / 2
        visits = float(np.mean(1 / intervals(probabilities, weights, middle)))
        low, high = (middle, high) if visits > 1 / every else (low, middle)
    return high


def _posterior(prior: np.ndarray, seen: np.ndarray) -> np.ndarray:
    logs = np.log(prior) + seen
    found = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _mixed(priors: np.ndarray, groups: np.ndarray, pages: np.ndarray) -> np.ndarray:
    """Mix of rates of each group: that of its pages, leaning on its prior."""
    sums = LEANING * priors
    np.add.at(sums, groups, pages)
    return np.asarray(sums / sums.sum(axis=1, keepdims=True))


def _numbered(names: Sequence[Hashable]) -> np.ndarray:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], int)
