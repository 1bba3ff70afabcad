"""The weight table of `dynamic`: computed from what people ask, and computed again as they go on asking.

    W_new(t) = (1 - a)·qf(t) + a·W_old(t),   0 < a <= 0.5

qf(t) is the number of queries of the window that contain t, not of occurrences; W_old(t) is the weight in
the previous table, 0 for a term that is not in it. Terms with W_new >= threshold are the new table, so a
term below the threshold starts again from 0, and the weight of one no longer asked for is multiplied by a
at each rebuild. Each version keeps the weights below its threshold, to be shown; they are used for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.text import readable_terms, terms
from lagotto.focus.topic.phrases import clean_phrases, phrases_of_queries
from lagotto.focus.topic.table import WeightTable

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_written = re.compile(r"(\d+(?:\.\d+)?) ?(s|m|h|d)?").fullmatch


class Interval(Struct, frozen=True):
    """An interval in pages, which keeps a crawl repeatable, or in time; 0 means not counted."""

    pages: int = 0
    seconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Interval:
        """Read `500` or `500 pages` as pages, `90s`, `10m`, `2h`, `1d` as time.

        >>> Interval.parse("500 pages"), Interval.parse("10m")
        (Interval(pages=500, seconds=0.0), Interval(pages=0, seconds=600.0))
        """
        found = _written(text.strip().removesuffix("pages").removesuffix("page").strip())
        number = float(found[1]) if found else 0.0
        if found is None or number <= 0 or (not found[2] and not number.is_integer()):
            raise InputError(f"'{text}' is no interval; write it like '500 pages' or '10m'")
        return cls(seconds=number * _SECONDS[found[2]]) if found[2] else cls(pages=int(number))

    def due(self, pages: int, seconds: float) -> bool:
        """Whether so many pages or seconds since the last time are enough."""
        return 0 < self.pages <= pages or 0 < self.seconds <= seconds


ALPHA = 0.5
THRESHOLD = 1.0
KEPT_VERSIONS = 50


class Window(Struct):
    """The queries of one interval, counted."""

    queries: int = 0
    frequencies: dict[str, int] = {}
    """Term -> number of queries that contain it."""
    readable: dict[str, str] = {}
    phrases: list[str] = []
    """Phrases and names that count as one term, among them those that these queries hold."""


def count_queries(queries: Iterable[str], language: str = "en", phrases: Iterable[str] = ()) -> Window:
    """Count in how many queries each term stands.

    A phrase that any of the queries quotes is one term in all of them, as are those of the list.
    """
    asked = list(queries)
    known = dict.fromkeys([*clean_phrases(phrases, language), *phrases_of_queries(asked, language)])
    frequencies: Counter[str] = Counter()
    readable: dict[str, str] = {}
    for query in asked:
        found = set(terms(query, language, known))
        frequencies.update(found)
        if not found <= readable.keys():
            readable |= readable_terms(query, language, known)
    return Window(len(asked), dict(sorted(frequencies.items())), readable, list(known))


def reweigh(
    frequencies: Mapping[str, int], old: Mapping[str, float], alpha: float = ALPHA
) -> dict[str, float]:
    """New weight of every term asked for now or weighted before, the threshold not yet applied.

    >>> reweigh({"poll": 3, "bjp": 1}, {"poll": 1.5, "date": 6.0}, alpha=0.5)
    {'bjp': 0.5, 'date': 3.0, 'poll': 2.25}
    """
    every = sorted(frequencies.keys() | old.keys())
    return {term: (1 - alpha) * frequencies.get(term, 0) + alpha * old.get(term, 0.0) for term in every}


class QueryTable:
    """A weight table that is rebuilt from each window of queries; its versions are kept.

    `window` says what qf counts: `new`, the queries since the last rebuild, or `all`, every query so far,
    for a log that does not grow. A table never becomes empty: when no term would be left, the last version
    stays.
    """

    def __init__(
        self,
        *,
        alpha: float = ALPHA,
        threshold: float = THRESHOLD,
        language: str = "en",
        phrases: Iterable[str] = (),
        window: Literal["new", "all"] = "new",
    ) -> None:
        if not 0 < alpha <= 0.5:
            raise InputError(f"alpha is {alpha}; it must be above 0 and at most 0.5")
        if not threshold >= 0:
            raise InputError(f"the threshold is {threshold}; it must not be negative")
        self.alpha = alpha
        self.threshold = threshold
        self.language = language
        self.phrases = clean_phrases(phrases, language)
        self.window = window
        self.versions: list[WeightTable] = []
        """Oldest first; the last one is in force."""
        self._all = Window()

    @property
    def table(self) -> WeightTable:
        """The table in force, empty before the first rebuild."""
        return self.versions[-1] if self.versions else WeightTable({}, language=self.language)

    @property
    def below(self) -> Mapping[str, float]:
        """Terms that the last rebuild left out, with their weights."""
        return self.table.below

    def count(self, queries: Iterable[str]) -> Window:
        """Count a window of queries with the phrases known so far; changes nothing."""
        return count_queries(queries, self.language, self.phrases)

    def rebuild(self, window: Window) -> WeightTable:
        """Make the next version from a window."""
        self.phrases = list(dict.fromkeys([*self.phrases, *window.phrases]))
        if self.window == "all":
            window = self._all = _joined(self._all, window)
        old = self.table
        weights = reweigh(window.frequencies, old, self.alpha)
        kept = {term: weight for term, weight in weights.items() if weight and weight >= self.threshold}
        if kept or not old:
            below = {term: weight for term, weight in weights.items() if weight and term not in kept}
            readable = {**old.readable, **window.readable}
            self.versions = [*self.versions, self._version(kept, below, readable, window.queries)]
            del self.versions[:-KEPT_VERSIONS]
        return self.table

    def save(self) -> bytes:
        """Everything that rebuilds have changed."""
        versions = [msgspec.Raw(version.to_json()) for version in self.versions]
        return msgspec.json.encode(_State(versions, self.phrases, self._all))

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        state = msgspec.json.decode(saved, type=_State)
        self.versions = [WeightTable.from_json(bytes(version)) for version in state.versions]
        self.phrases, self._all = state.phrases, state.all

    def _version(
        self, weights: dict[str, float], below: dict[str, float], readable: dict[str, str], queries: int
    ) -> WeightTable:
        return WeightTable(
            weights,
            readable,
            self.language,
            source="query log",
            provenance={"alpha": self.alpha, "threshold": self.threshold, "queries": queries},
            version=self.table.version + 1 if self.versions else 1,
            below=below,
        )


class _State(Struct):
    versions: list[msgspec.Raw]
    phrases: list[str]
    all: Window


def _joined(before: Window, new: Window) -> Window:
    """Both windows as one."""
    frequencies = Counter(before.frequencies)
    frequencies.update(new.frequencies)
    phrases = list(dict.fromkeys([*before.phrases, *new.phrases]))
    return Window(before.queries + new.queries, dict(frequencies), before.readable | new.readable, phrases)
