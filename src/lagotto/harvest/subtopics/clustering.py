"""Sorting vectors into groups: spherical k-means on vectors that were drawn towards their neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.focus.judging.similarity import nearest, unit
from lagotto.harvest.subtopics.communities import communities

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

MOST = 24
"""Groups that are made at most, unless the user names a number."""
LEAST_SHARE = 0.01
LEAST_SIZE = 5
"""A community with a smaller share of the pages, or fewer pages, is not counted."""
STARTS = 8
TRIALS = 4
STEPS = 50
ROUNDS, OWN, NEIGHBOURS = 3, 0.3, 10
"""Vectors are replaced so often by a mean of their own (with this share) and their neighbours' vectors."""


class Groups(NamedTuple):
    """Groups of vectors."""

    centres: Floats
    labels: Integers


def smoothed(vectors: Floats) -> Floats:
    """Vectors drawn towards those of the nearest pages, which makes groups denser."""
    near = nearest(vectors, NEIGHBOURS)
    for _ in range(ROUNDS):
        around = np.zeros_like(vectors)
        for place in range(near.rows.shape[1]):
            around += near.weights[:, place, np.newaxis] * vectors[near.rows[:, place]]
        vectors = unit(OWN * vectors + (1.0 - OWN) * unit(around))
    return vectors


def natural_number(vectors: Floats) -> int:
    """How many groups there are, by communities of a size worth naming; at least 1."""
    sizes = np.bincount(communities(vectors))
    return int(np.clip((sizes >= max(LEAST_SIZE, LEAST_SHARE * len(vectors))).sum(), 1, MOST))


def k_means(vectors: Floats, count: int, begin: Floats | None = None) -> Groups:
    """Groups by cosine. With `begin` their centres start there, and as many as are missing are added."""
    draw = np.random.default_rng(0)
    starts = STARTS if begin is None else 1
    found = [_settle(vectors, _spread(vectors, count, draw, begin)) for _ in range(starts)]
    return max(found, key=lambda each: each[0])[1]


def closest(vectors: Floats, centres: Floats) -> tuple[Integers, Floats]:
    """The nearest centre of each vector, and the cosine with it."""
    cosines = vectors @ centres.T
    labels = np.argmax(cosines, axis=1)
    return labels, np.take_along_axis(cosines, labels[:, np.newaxis], axis=1)[:, 0]


def _spread(vectors: Floats, count: int, draw: np.random.Generator, begin: Floats | None) -> Floats:
    """First centres: those given, then vectors that lie apart (greedy k-means++)."""
    centres = [vectors[draw.integers(len(vectors))]] if begin is None else list(begin)
    distances = 1.0 - closest(vectors, np.array(centres))[1]
    while len(centres) < count and distances.sum() > LEAST_DISTANCE:
        chances = np.maximum(distances, 0.0).astype(np.float64)
        chosen = draw.choice(len(vectors), TRIALS, p=chances / chances.sum())
        after = [np.minimum(distances, 1.0 - vectors @ vectors[at]) for at in chosen]
        best = int(np.argmin([each.sum() for each in after]))
        centres.append(vectors[chosen[best]])
        distances = after[best]
    return np.array(centres)


LEAST_DISTANCE = 1e-3
"""Vectors that are all alike make one group."""


def _settle(vectors: Floats, centres: Floats) -> tuple[float, Groups]:
    """Move centres until no vector changes its group; returns the sum of cosines too."""
    labels = np.full(len(vectors), -1)
    for _ in range(STEPS):
        new, cosines = closest(vectors, centres)
        if (new == labels).all():
            break
        labels = new
        sums = np.zeros_like(centres)
        np.add.at(sums, labels, vectors)
        filled = np.bincount(labels, minlength=len(centres)) > 0
        centres = unit(sums[filled])
        labels = (np.cumsum(filled) - 1)[labels]
    return float(cosines.sum()), Groups(centres, labels)
