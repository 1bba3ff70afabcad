"""Groups of similar documents: k-means on unit TF·IDF vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lagotto.sparse import SparseRows, sums

STARTS = 4
"""Random starts, of which the best result is kept."""
TRIALS = 4
"""Random candidates for each further centre of a start, of which the best one is taken."""
STEPS = 100


def unit_vectors(documents: Sequence[Mapping[str, int]]) -> SparseRows:
    """TF·IDF vectors of length 1, with tf = 1 + ln(count) and idf = 1 + ln((1 + n) / (1 + df))."""
    numbers: dict[str, int] = {}
    terms = [numbers.setdefault(term, len(numbers)) for document in documents for term in document]
    columns = np.array(terms, np.intp)
    counts = np.array([count for document in documents for count in document.values()], np.float64)
    lengths = np.array([len(document) for document in documents])
    frequencies = np.bincount(columns, minlength=len(numbers))
    idf = 1.0 + np.log((1.0 + len(documents)) / (1.0 + frequencies))
    values = (1.0 + np.log(counts)) * idf[columns]
    norms = np.sqrt(sums(values * values, lengths))
    return SparseRows(columns, values / norms.repeat(lengths), lengths, len(numbers))


def k_means(vectors: SparseRows, clusters: int, seed: int = 0) -> np.ndarray:
    """The cluster of each vector, all of length 1 or 0; the best of several random starts."""
    draw = np.random.default_rng(seed)
    results = [_settle(vectors, _spread(vectors, clusters, draw)) for _ in range(STARTS)]
    return min(results, key=lambda result: result[1])[0]


def _spread(vectors: SparseRows, clusters: int, draw: np.random.Generator) -> np.ndarray:
    """Choose vectors that lie apart as the first centres (greedy k-means++)."""
    n = len(vectors)
    centres = [_vector(vectors, int(draw.integers(n)))]
    nearest = _distances(vectors, centres[0])
    while len(centres) < clusters and nearest.sum() > 0:
        chosen = draw.choice(n, TRIALS, p=nearest / nearest.sum())
        candidates = [_vector(vectors, number) for number in chosen.tolist()]
        distances = [np.minimum(nearest, _distances(vectors, candidate)) for candidate in candidates]
        best = int(np.argmin([each.sum() for each in distances]))
        centres.append(candidates[best])
        nearest = distances[best]
    return np.array(centres)


def _settle(vectors: SparseRows, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """Move centres until no vector changes its cluster; returns the clusters and the sum of distances."""
    labels = np.full(len(vectors), -1)
    for _ in range(STEPS):
        distances = np.array([_distances(vectors, centre) for centre in centres])
        nearest = distances.argmin(axis=0)
        if (nearest == labels).all():
            break
        labels = nearest
        for number in np.unique(labels):
            centres[number] = _centre(vectors, labels == number)
    return labels, float(distances.min(axis=0).sum())


def _vector(vectors: SparseRows, number: int) -> np.ndarray:
    return _centre(vectors, np.arange(len(vectors)) == number)


def _centre(vectors: SparseRows, members: np.ndarray) -> np.ndarray:
    return vectors.transposed_times(members / members.sum())


def _distances(vectors: SparseRows, centre: np.ndarray) -> np.ndarray:
    """Squared distances of unit vectors to a centre."""
    return np.asarray(np.maximum(1.0 - 2.0 * vectors.times(centre) + centre @ centre, 0.0))
