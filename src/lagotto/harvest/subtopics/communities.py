"""How many groups a harvest falls into: communities among its pages, by Louvain's method.

Each page is joined with those most like it. Louvain's method (Blondel et al. 2008) moves pages, and then
whole communities, to where the modularity grows most:

    gain of page i in community C = links of i into C - RESOLUTION · degree of i · degrees in C / all degrees
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.focus.judging.similarity import nearest

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

NEIGHBOURS = 15
RESOLUTION = 0.4
"""Below 1 for fewer, larger communities. On the labelled webs .4 was best of .4, .6 and .8."""
ROUNDS = 20
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
    near = nearest(vectors, NEIGHBOURS).rows
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
    for _ in range(ROUNDS):
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
