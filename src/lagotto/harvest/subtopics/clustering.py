"""How many groups a harvest falls into: communities among its pages, by Louvain's method.

Each page is joined with those most like it. Louvain's method (Blondel et al. 2008) moves pages, and then
whole communities, to where the modularity grows most:

    gain of page i in community C = links of i into C - RESOLUTION · degree of i · degrees in C / all degrees

The pages are then sorted into so many groups by spherical k-means, on vectors drawn towards their neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.focus.judging.similarity import nearest, unit

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

JOINED_WITH = 15
RESOLUTION = 0.4
"""Below 1 for fewer, larger communities. On the labelled webs .4 was best of .4, .6 and .8."""
MOVES = 20
LEAST_GAIN = 1e-9


class _Graph(NamedTuple):
    """A weighted graph; each link stands in both directions."""

    size: int
    sources: Integers
    targets: Integers
    weights: NDArray[np.float64]


def communities(vectors: Floats) -> Integers:
    """The community of each page, numbered from 0."""
    graph = _likeness(vectors)
    found = np.arange(len(vectors))
    while True:
        labels = _move(graph)
        count = int(labels.max(initial=-1)) + 1
        found = labels[found]
        if count == graph.size:
            return found
        graph = _joined(graph, labels, count)


def _likeness(vectors: Floats) -> _Graph:
    """Each page joined with its nearest ones, by cosine."""
    near = nearest(vectors, JOINED_WITH).rows
    cosines = np.einsum("ijk,ik->ij", vectors[near], vectors).ravel()
    sources = np.repeat(np.arange(len(vectors)), near.shape[1])
    weights = np.maximum(cosines, 0.0).astype(np.float64)
    return _Graph(
        len(vectors),
        np.concatenate([sources, near.ravel()]),
        np.concatenate([near.ravel(), sources]),
        np.concatenate([weights, weights]),
    )


def _move(graph: _Graph) -> Integers:
    """Move nodes to the neighbouring community with the largest gain until none moves."""
    order = np.argsort(graph.sources, kind="stable")
    ends = np.searchsorted(graph.sources[order], np.arange(graph.size + 1)).tolist()
    targets, weights = graph.targets[order].tolist(), graph.weights[order].tolist()
    degrees = np.bincount(graph.sources, graph.weights, graph.size).tolist()
    cost = RESOLUTION / max(sum(degrees), LEAST_GAIN)
    labels = list(range(graph.size))
    totals = list(degrees)
    draw = np.random.default_rng(0)
    for _ in range(MOVES):
        moved = False
        for node in draw.permutation(graph.size).tolist():
            links: dict[int, float] = {}
            for at in range(ends[node], ends[node + 1]):
                if targets[at] != node:
                    label = labels[targets[at]]
                    links[label] = links.get(label, 0.0) + weights[at]
            own, degree = labels[node], degrees[node]
            totals[own] -= degree
            best, most = own, links.get(own, 0.0) - cost * degree * totals[own]
            for label, link in links.items():
                gain = link - cost * degree * totals[label]
                if gain > most + LEAST_GAIN:
                    best, most = label, gain
            totals[best] += degree
            labels[node] = best
            moved = moved or best != own
        if not moved:
            break
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _joined(graph: _Graph, labels: Integers, count: int) -> _Graph:
    """The graph whose nodes are the communities."""
    pairs, places = np.unique(labels[graph.sources] * count + labels[graph.targets], return_inverse=True)
    weights = np.bincount(places, graph.weights, len(pairs)).astype(np.float64)
    return _Graph(count, pairs // count, pairs % count, weights)


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
