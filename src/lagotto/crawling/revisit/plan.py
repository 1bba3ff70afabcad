"""Which pages are visited again, and when: by how often they change and how much they matter."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime

import numpy as np
from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.base.records import Found, Lease
from lagotto.base.urls import checksum, host_of
from lagotto.crawling.frontier.shapes import shape_of

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


OFF_TOPIC = 0.2
"""What a page off topic counts, compared with one on topic."""
LEARN_EVERY = 10
"""The mixes of rates are estimated again after a tenth of the pages were visited, 100 at least."""


class PlannedPage(Struct):
    """A page that may be visited again."""

    number: int
    url: str
    depth: int
    parent: str
    relevant: bool
    at: float
    """Wall-clock time of the last visit."""
    answered: float
    """Wall-clock time of the last visit that said something about the page."""
    gone: bool = False


class Plan:
    """Says what a visit to each page is worth, and when the next one is due."""

    def __init__(self, reader: Reader, every: float) -> None:
        """`every` is the mean interval between two visits to a page, in seconds."""
        self.every = every
        self.pages: list[PlannedPage] = []
        self._places: dict[int, int] = {}
        for stored in reader.stored_pages():
            if stored.is_page:
                row = stored.row
                at = datetime.fromisoformat(row.fetched_at).timestamp()
                self._places[row.seq] = len(self.pages)
                page = PlannedPage(
                    row.seq, row.url, row.depth, row.parent, bool(row.relevant), at, at, stored.gone
                )
                self.pages.append(page)
        self._rates = Rates([(host_of(page.url), shape_of(page.url)) for page in self.pages])
        self._weights = np.array([1.0 if page.relevant else OFF_TOPIC for page in self.pages])
        self._remember(reader)
        self._since = 0
        self._learn()

    def _remember(self, reader: Reader) -> None:
        """Take in the visits that were made before."""
        visits = list(reader.visits())
        for number in {visit.page for visit in visits if visit.found is Found.CHANGED}:
            if (place := self._places.get(number)) is not None:
                page = self.pages[place]
                page.answered = reader.page_versions(page.url)[0].fetched_at
        for visit in visits:
            if (place := self._places.get(visit.page)) is not None:
                self._take_in(place, visit.at, visit.found)

    def _take_in(self, place: int, at: float, found: Found) -> None:
        page = self.pages[place]
        page.at = at
        if found is not Found.FAILED:
            self._rates.observe(place, at - page.answered, found is not Found.SAME)
            page.answered, page.gone = at, found is Found.GONE

    def _learn(self) -> None:
        self._rates.learn()
        self._chances = self._rates.probabilities()
        self._least = least_gain(self._chances, self._weights, self.every) if self.pages else 0.0
        self._since = 0

    def worths(self, now: float) -> np.ndarray:
        """What a visit to each page would bring now."""
        ages = np.array([max(0.0, now - page.at) for page in self.pages])
        return np.asarray(gains(self._chances, ages) * self._weights)

    def due(self) -> np.ndarray:
        """Wall-clock time at which each page is due."""
        waits = intervals(self._chances, self._weights, self._least)
        waits = np.where([page.gone for page in self.pages], LONGEST, waits)
        return np.asarray(np.array([page.at for page in self.pages]) + waits)

    def changes_a_day(self) -> np.ndarray:
        """Expected changes a day of each page."""
        return self._rates.changes_a_day()

    def visited(self, number: int, at: float, found: Found) -> tuple[float, float]:
        """Take in a visit; returns when the page is due next, and what the visit will be worth then."""
        place = self._places[number]
        page = self.pages[place]
        self._take_in(place, at, found)
        self._since += 1
        if self._since >= max(100, len(self.pages) // LEARN_EVERY):
            self._learn()
        else:
            self._chances[place] = self._rates.probabilities_of(place)
        chances, weights = self._chances[place : place + 1], self._weights[place : place + 1]
        wait = LONGEST if page.gone else float(intervals(chances, weights, self._least)[0])
        return at + wait, float(gains(chances, np.array([wait]))[0] * weights[0])


def leases(pages: Sequence[PlannedPage], worths: np.ndarray) -> list[Lease]:
    """Pages as the worker takes them."""
    return [
        Lease(
            id=checksum(page.url),
            url=page.url,
            host=host_of(page.url),
            score=float(worth),
            depth=page.depth,
            parent=page.parent,
            seq=page.number,
        )
        for page, worth in zip(pages, worths, strict=True)
    ]
