"""Pages as short dense vectors, and the pages nearest to each: by text, by meaning, in blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

COLUMNS = 4096
"""Terms that the projection looks at, at most."""
WIDTH = 100
"""Length of a page's vector."""
SAMPLE = 4000
"""Pages that the projection is learned from, at most; all others are projected by it."""
BLOCK = 2048
"""Pages that are compared with all others at a time."""
AT_ONCE = 64
"""Pages whose rows are filled or sorted at a time, so that what that takes stays in the processor's cache."""
EXACT = 6000
"""Up to this number all pages are compared with each other, beyond it only those of the nearest cells."""
PROBES = 3
"""Cells in which a page's neighbours are looked for."""
NEIGHBOURS = 10


def unit(rows: NDArray[np.floating]) -> Floats:
    """Rows, or one vector, scaled to length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), np.float32)


def centred(rows: Floats) -> Floats:
    """Unit rows less their mean, of length 1 again: what pages have in common does not count."""
    return unit(rows - rows.mean(axis=0)) if len(rows) else rows


def likeness(vectors: Floats, asked: Floats) -> NDArray[np.float64]:
    """Likeness of vectors to the words: half to all together, half to the nearest one seen with them.

    The first row of `asked` is the vector of all words, the others are those of single words.
    """
    together, words = asked[0], asked[1:]
    sides = unit(together + words) if len(words) else together[np.newaxis]
    cosines = vectors @ np.vstack([together, sides]).T
    return np.asarray(0.5 * cosines[:, 0] + 0.5 * cosines[:, 1:].max(axis=1), np.float64)


def latent(terms: Integers, weights: Floats, lengths: Integers) -> Floats:
    """Latent semantic vectors of pages whose terms lie end to end, centred and of length 1.

    Principal directions are found by randomised subspace iteration on an even sample of the pages, over the
    terms that most of its pages share; a term of a single page says nothing of others.
    """
    n = len(lengths)
    if not n:
        return np.zeros((0, WIDTH), np.float32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    sample = np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).astype(np.int64))
    columns = _shared(terms[_places(starts, sample)])
    dense = _dense(terms, weights, starts, sample, columns)
    basis = principal_directions(dense, WIDTH)
    projected = np.empty((n, basis.shape[1]), np.float32)
    for first in range(0, n, BLOCK):
        rows = np.arange(first, min(n, first + BLOCK))
        known = dense[first : first + BLOCK] if len(sample) == n else None
        projected[rows] = (_dense(terms, weights, starts, rows, columns) if known is None else known) @ basis
    return centred(projected)


def _places(starts: Integers, rows: Integers) -> Integers:
    """Places of all terms of these pages."""
    lengths = starts[rows + 1] - starts[rows]
    shifts = np.repeat(starts[rows] - np.cumsum(lengths) + lengths, lengths)
    return np.asarray(np.arange(len(shifts)) + shifts, np.int64)


def _shared(terms: Integers) -> Integers:
    """The terms that most pages have, sorted; only those of at least two pages."""
    found, pages = np.unique(terms, return_counts=True)
    found, pages = found[pages > 1], pages[pages > 1]
    return np.sort(found[np.argsort(-pages, kind="stable")[:COLUMNS]])


def _dense(terms: Integers, weights: Floats, starts: Integers, rows: Integers, columns: Integers) -> Floats:
    """Unit rows of these pages over the columns' terms."""
    width = max(1, len(columns))
    dense = np.empty((len(rows), width), np.float32)
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        places = _places(starts, some)
        found = terms[places]
        at = np.minimum(np.searchsorted(columns, found), width - 1)
        known = columns[at] == found if len(columns) else np.zeros(len(found), np.bool_)
        of_rows = np.repeat(np.arange(len(some)), starts[some + 1] - starts[some])
        cells = (of_rows * width + at)[known]
        filled = np.bincount(cells, weights[places][known], len(some) * width).astype(np.float32)
        dense[first : first + AT_ONCE] = unit(filled.reshape(len(some), width))
    return dense


def principal_directions(rows: Floats, width: int) -> Floats:
    """At most so many principal directions of rows, as columns."""
    width = min(width, *rows.shape)
    random = np.random.default_rng(0).standard_normal((rows.shape[1], width + 20)).astype(np.float32)
    found = rows @ random
    for _ in range(3):
        found = rows @ (rows.T @ np.linalg.qr(found)[0])
    small = np.linalg.qr(found)[0].T @ rows
    values, vectors = np.linalg.eigh(small @ small.T)
    order = np.argsort(-values)[:width]
    return np.asarray(unit(vectors[:, order].T @ small).T, np.float32)


class Neighbours(NamedTuple):
    """The nearest pages of each page, with weights that add up to 1."""

    rows: Integers
    weights: Floats

    def mean(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Weighted mean of what the neighbours of each page have."""
        return np.asarray((values[self.rows] * self.weights).sum(axis=1), np.float64)


def nearest(vectors: Floats, count: int = NEIGHBOURS) -> Neighbours:
    """The pages with the highest cosine to each page, itself left out; negative ones have no weight."""
    n = len(vectors)
    count = min(count, n - 1)
    if count < 1:
        return Neighbours(np.zeros((n, 0), np.int64), np.zeros((n, 0), np.float32))
    rows, cosines = _all_compared(vectors, count) if n <= EXACT else _in_cells(vectors, count)
    weights = np.maximum(cosines, 0.0)
    return Neighbours(rows, weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9))


def _all_compared(vectors: Floats, count: int) -> tuple[Integers, Floats]:
    n = len(vectors)
    rows, cosines = np.empty((n, count), np.int64), np.empty((n, count), np.float32)
    for first in range(0, n, BLOCK):
        block = np.arange(first, min(n, first + BLOCK))
        found = vectors[block] @ vectors.T
        found[np.arange(len(block)), block] = -np.inf
        for start in range(0, len(block), AT_ONCE):
            some, of_some = block[start : start + AT_ONCE], found[start : start + AT_ONCE]
            rows[some] = best = np.argpartition(-of_some, count - 1, axis=1)[:, :count]
            cosines[some] = np.take_along_axis(of_some, best, axis=1)
    return rows, cosines


def _in_cells(vectors: Floats, count: int) -> tuple[Integers, Floats]:
    """Compare each page with the pages of the cells whose centres lie nearest to it."""
    n = len(vectors)
    centres = _centres(vectors, int(np.sqrt(n)))
    probes = np.empty((n, PROBES), np.int64)
    for first in range(0, n, BLOCK):
        block = slice(first, first + BLOCK)
        likeness = vectors[block] @ centres.T
        top = np.argpartition(-likeness, PROBES, axis=1)[:, :PROBES]
        order = np.argsort(-np.take_along_axis(likeness, top, axis=1), axis=1)
        probes[block] = np.take_along_axis(top, order, axis=1)
    rows = np.zeros((n, PROBES * count), np.int64)
    cosines = np.full((n, PROBES * count), -1.0, np.float32)
    members = _groups(probes[:, 0], len(centres))
    for probe in range(PROBES):
        for asking, inside in zip(_groups(probes[:, probe], len(centres)), members, strict=True):
            if not len(asking) or not len(inside):
                continue
            found = vectors[asking] @ vectors[inside].T
            found[asking[:, np.newaxis] == inside] = -1.0
            few = min(count, len(inside))
            best = np.argpartition(-found, few - 1, axis=1)[:, :few]
            places = slice(probe * count, probe * count + few)
            rows[asking, places] = inside[best]
            cosines[asking, places] = np.take_along_axis(found, best, axis=1)
    best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    return np.take_along_axis(rows, best, axis=1), np.take_along_axis(cosines, best, axis=1)


def _groups(of: Integers, count: int) -> list[Integers]:
    """Rows of each group, given the group of each row."""
    order = np.argsort(of, kind="stable")
    return np.split(order, np.searchsorted(of[order], np.arange(1, count)))


def _centres(vectors: Floats, count: int) -> Floats:
    """Centres of cells, by a few rounds of spherical k-means on an even sample."""
    sample = vectors[np.unique(np.linspace(0, len(vectors) - 1, 20 * count).astype(np.int64))]
    centres = sample[np.unique(np.linspace(0, len(sample) - 1, count).astype(np.int64))]
    for _ in range(5):
        nearest_centre = np.argmax(sample @ centres.T, axis=1)
        sums = np.stack([sample[rows].sum(axis=0) for rows in _groups(nearest_centre, len(centres))])
        filled = np.abs(sums).sum(axis=1, keepdims=True) > 0
        centres = np.where(filled, unit(sums), centres)
    return centres


AnyFloats = NDArray[np.float64]
ROUNDS = 3


def standard(values: NDArray[np.floating], among: NDArray[np.bool_] | None = None) -> AnyFloats:
    """Values in standard deviations from their mean over some of the pages; unknown ones are 0."""
    known = np.isfinite(values)
    chosen = values[known] if among is None else values[known & among]
    if not len(chosen):
        return np.zeros(len(values))
    deviation = max(float(chosen.std()), 1e-9)
    return np.where(known, (np.where(known, values, 0.0) - chosen.mean()) / deviation, 0.0)


def correlation(one: AnyFloats, other: AnyFloats) -> float:
    """Pearson's correlation, 0 where one of both does not vary."""
    if len(one) < 2:
        return 0.0
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 1e-12 else 0.0


def ramp(value: float, low: float, high: float) -> float:
    """0 up to `low`, 1 from `high` on, straight in between."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def smooth(values: AnyFloats, neighbours: Neighbours, share: float) -> AnyFloats:
    """Values mixed with those of the nearest pages, `share` being the neighbours' part, a few times over."""
    found = values
    for _ in range(ROUNDS if share else 0):
        found = (1.0 - share) * values + share * neighbours.mean(found)
    return found


def over_links(values: AnyFloats, children: NDArray[np.int64], parents: NDArray[np.int64]) -> AnyFloats:
    """Mean of the pages that link to each page; of a page without such links, its own value."""
    counts = np.bincount(children, minlength=len(values))
    sums = np.bincount(children, values[parents], len(values))
    return np.where(counts > 0, sums / np.maximum(counts, 1), values)
