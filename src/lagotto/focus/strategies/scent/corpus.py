"""The pages that the judge is fitted to, with their terms end to end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lagotto.base.sparse import sums
from lagotto.focus.strategies.scent.columns import Column
from lagotto.focus.strategies.scent.term_tables import Table, TermRows

_OF_TERMS = ("buckets", "weights")
"""Columns with a row for each term, not for each page."""


class Reading(NamedTuple):
    """What the judge keeps of a page."""

    buckets: np.ndarray
    weights: np.ndarray
    words: np.ndarray
    """Signs of the user's words, by name and by meaning."""


class Corpus:
    """Holds readings, and numbers their terms in order of first occurrence."""

    def __init__(self, words: int, terms: TermRows) -> None:
        self._columns = {
            "kept": Column(np.int64),
            "lengths": Column(np.int64),
            "words": Column(np.float64, words),
            "buckets": Column(np.int32),
            "weights": Column(np.float32),
        }
        self._places = Column(np.int32)
        """Number of each term of each page, as far as numbered."""
        self._place_of = Table(terms, np.int32, -1)
        self.met = Column(np.int32)
        """Buckets of the numbered terms."""
        self._counts = np.zeros(0, np.int64)
        """Document frequency of each of them, as far as counted."""
        self._counted = 0

    def __len__(self) -> int:
        return len(self._columns["kept"])

    @property
    def kept(self) -> np.ndarray:
        """Numbers of the pages, in order."""
        return self._columns["kept"].rows

    @property
    def words(self) -> np.ndarray:
        """Signs of the user's words, a row for each page."""
        return self._columns["words"].rows

    @property
    def lengths(self) -> np.ndarray:
        """Number of terms of each page."""
        return self._columns["lengths"].rows

    def readings(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Buckets and weights of each page's terms, in order."""
        ends = self.lengths.cumsum()[:-1]
        buckets, weights = (np.split(self._columns[name].rows, ends) for name in _OF_TERMS)
        return zip(buckets[: len(self)], weights[: len(self)], strict=True)

    def set_words(self, rows: np.ndarray) -> None:
        """Replace what the pages have of the user's words, a row each, where these are other words now."""
        self._columns["words"] = Column(np.float64, rows.shape[1])
        self._columns["words"].set(rows)

    def add(self, number: int, reading: Reading) -> None:
        """Add a page whose number is higher than all others."""
        self._columns["kept"].append(number)
        self._columns["lengths"].append(len(reading.buckets))
        self._columns["words"].append(reading.words)
        self._columns["buckets"].extend(reading.buckets)
        self._columns["weights"].extend(reading.weights)

    def insert(self, number: int, reading: Reading) -> int:
        """Insert a page between others by its number; returns its index."""
        at = int(np.searchsorted(self.kept, number))
        start = int(self.lengths[:at].sum())
        new = (np.array(number), np.array(len(reading.buckets)), reading.words, *reading[:2])
        for (name, column), rows in zip(self._columns.items(), new, strict=True):
            place = start if name in _OF_TERMS else at
            column.set(np.insert(column.rows, place, rows, axis=0))
        self._renumber()
        return at

    def leave_out(self, going: np.ndarray) -> None:
        """Remove pages, given as a mask over all."""
        of_terms = np.repeat(going, self.lengths)
        for name, column in self._columns.items():
            column.set(column.rows[~(of_terms if name in _OF_TERMS else going)])
        self._renumber()

    def places(self) -> np.ndarray:
        """Number of each term of each page; terms not met before are numbered now."""
        terms = self._columns["buckets"].rows[len(self._places) :]
        if len(terms):
            new = np.unique(terms[self._place_of[terms] < 0])
            self._place_of[new] = np.arange(len(self.met), len(self.met) + len(new))
            self.met.extend(new)
            self._places.extend(self._place_of[terms])
        return self._places.rows

    def counts(self, of_pages: np.ndarray) -> np.ndarray:
        """Document frequencies of the numbered terms, given the weight of each page, which is 1 for most."""
        places = self.places()
        new = np.bincount(places[self._counted :], minlength=len(self.met))
        new[: len(self._counts)] += self._counts
        self._counts, self._counted = new, len(places)
        counts = new.astype(np.float64)
        ends = self.lengths.cumsum()
        for at in np.flatnonzero(of_pages != 1.0).tolist():
            counts[places[ends[at] - self.lengths[at] : ends[at]]] += of_pages[at] - 1.0
        return counts

    def vectors(self, idf: np.ndarray) -> np.ndarray:
        """Weights of all terms in the pages' unit vectors, given the idf of the numbered terms."""
        values = self._columns["weights"].rows * idf.astype(np.float32)[self.places()]
        norms = np.sqrt(sums(values * values, self.lengths))
        values /= np.repeat(np.maximum(norms, 1e-12), self.lengths)
        return np.asarray(values)

    def arrays(self) -> dict[str, np.ndarray]:
        """All pages, for saving."""
        return {name: column.rows for name, column in self._columns.items()}

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Restore what `arrays` returned."""
        for name, column in self._columns.items():
            column.set(arrays[name])
        self._renumber()

    def _renumber(self) -> None:
        self._place_of[self.met.rows] = -1
        self.met.set(self.met.rows[:0])
        self._places.set(self._places.rows[:0])
        self._counts, self._counted = np.zeros(0, np.int64), 0
