"""Which pages are visited again, and when: by how often they change and how much they matter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from msgspec import Struct

from lagotto.frontier.shapes import shape_of
from lagotto.protocols import Reader
from lagotto.records import Found, Lease
from lagotto.revisiting.rates import LONGEST, Rates, gains, intervals, least_gain
from lagotto.urls import checksum, host_of

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
