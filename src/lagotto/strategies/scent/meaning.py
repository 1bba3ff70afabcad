"""How near terms and pages are in meaning to the user's words, by word vectors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, buckets
from lagotto.topic import load_vectors

NEAR = 0.35
"""Cosine beyond which a term says something of a word; between any two words there is some likeness."""


class _Table(NamedTuple):
    rows: np.ndarray
    row_of: np.ndarray
    """Bucket -> row, -1 for terms without a vector."""


@cache
def _table(language: str) -> _Table:
    vectors = load_vectors(language)
    row_of = np.full(BUCKETS, -1, np.int32)
    row_of[buckets(vectors.stems)] = np.arange(len(vectors.stems))
    return _Table(vectors.rows, row_of)


class Meaning:
    """What the user's words are about, and terms that are nearly said by one of them."""

    def __init__(self, words: Mapping[str, float], language: str) -> None:
        self._table = _table(language)
        own = self._vectors_of(words)
        topic = own.sum(axis=0)
        self._topic = topic / (float(np.linalg.norm(topic)) or 1.0)
        self.likeness = np.zeros(BUCKETS)
        """Cosine of each bucket's term with the words taken together."""
        self._near = np.zeros(BUCKETS)
        """How far each bucket's term is beyond NEAR to any one word."""
        if len(own):
            with_vector = np.flatnonzero(self._table.row_of >= 0)
            vectors = self._table.rows[self._table.row_of[with_vector]]
            self.likeness[with_vector] = vectors @ self._topic
            self._near[with_vector] = np.maximum((vectors @ own.T).max(axis=1) - NEAR, 0.0)

    def _vectors_of(self, words: Mapping[str, float]) -> np.ndarray:
        """A vector for each part of each word or phrase that has one, as long as the word weighs."""
        parts = [(part, weight) for word, weight in words.items() for part in word.split(" ")]
        rows = self._table.row_of[buckets(part for part, _ in parts)]
        weights = np.array([weight for _, weight in parts]) / max(words.values(), default=1.0)
        known = rows >= 0
        return np.asarray(self._table.rows[rows[known]] * weights[known, np.newaxis])

    def of_page(self, terms: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
        """Cosine of a page's mean vector with the words', and the share of its terms near any one word."""
        rows = self._table.row_of[terms]
        known = rows >= 0
        mean = weights[known] @ self._table.rows[rows[known]]
        about = float(mean @ self._topic) / (float(np.sqrt(mean @ mean)) or 1.0)
        near = float(weights @ self._near[terms]) / (float(np.sqrt(weights @ weights)) or 1.0)
        return about, near
