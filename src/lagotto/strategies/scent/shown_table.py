"""The judge's strongest words as a weight table, for people to see."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from lagotto.strategies.scent.buckets import buckets
from lagotto.topic import WeightTable, load_background, load_vectors

SIZE = 100
"""Words that are shown."""


def shown_table(weights: np.ndarray, words: Iterable[str], language: str, version: int) -> WeightTable:
    """The heaviest words of weights by bucket, divided by the largest.

    The judge keeps hashes of terms. Only terms that are known otherwise have a name: the user's words and
    the stems that ship with Lagotto.
    """
    stems, places = _known(language)
    own = list(words)
    found = np.concatenate([buckets(own), places])
    values = weights.take(found)
    named: dict[str, float] = {}
    for at in _heaviest(values, 2 * SIZE).tolist():
        name = own[at] if at < len(own) else stems[at - len(own)]
        if len(named) < SIZE:
            named.setdefault(name, float(values[at]))
    largest = max(named.values(), default=1.0)
    return WeightTable(
        {name: weight / largest for name, weight in named.items()},
        language=language,
        source="the judge's words",
        version=version,
    )


def _heaviest(values: np.ndarray, most: int) -> np.ndarray:
    """Indices of the highest values above 0, highest first, equal ones in their order."""
    found = np.flatnonzero(values > 0)
    if len(found) > most:
        least = np.partition(values[found], len(found) - most)[len(found) - most]
        found = found[values[found] >= least]
    return found[np.argsort(-values[found], kind="stable")[:most]]


@cache
def _known(language: str) -> tuple[list[str], np.ndarray]:
    """Stems that ship for a language, and their buckets."""
    stems = list(dict.fromkeys([*load_background(language).frequencies, *load_vectors(language).stems]))
    return stems, buckets(stems)
