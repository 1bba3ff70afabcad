"""Similarity in meaning of terms and pages to the user's words, by word vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from math import exp, sqrt

import numpy as np

from lagotto.focus.strategies.scent.buckets import buckets
from lagotto.focus.strategies.scent.term_tables import Table, TermRows
from lagotto.focus.topic import Vectors, load_thesaurus, load_vectors

MOST_WORDS = 10
"""Heaviest words that are looked up; with more of them almost any term would be kin."""
COHERENCE = 10.0
"""Weight of the other words in choosing a word's sense: factor e to this power for a cosine of 1."""


def kin_of(words: Mapping[str, float], language: str, meaning: Meaning, terms: TermRows) -> Table:
    """Kinship of each term to the words, summed over the words."""
    kin = Table(terms, np.float32)
    for kinship in kinships(words, language, meaning):
        kin.add(buckets(kinship), np.fromiter(kinship.values(), np.float64))
    return kin


def kinships(words: Mapping[str, float], language: str, meaning: Meaning) -> Iterator[dict[str, float]]:
    """For each of the heaviest words: term -> the square root of the chance that it falls under the word."""
    thesaurus = load_thesaurus(language)
    for word in sorted(words, key=lambda word: -words[word])[:MOST_WORDS]:
        share = words[word] / max(words.values())
        chances = thesaurus.names_of(_family(word, language, meaning))
        yield {term: share * sqrt(chance) for term, chance in chances.items()}


def _family(word: str, language: str, meaning: Meaning) -> dict[int, float]:
    """Concept under a word -> likelihood of the sense it falls under, relative to the likeliest one."""
    thesaurus = load_thesaurus(language)
    meant = {
        concept: often * exp(COHERENCE * meaning.closeness(thesaurus.around(concept)))
        for concept, often in thesaurus.concepts(word).items()
    }
    return thesaurus.families(meant)


NEAR = 0.35
"""Cosine above which a term is similar to a word; any two words have some similarity."""
EXAMPLES = 2.0
"""Weight of many example pages beside the words."""
FEW = 3
"""Number of example pages that have half that weight."""
_AT_ONCE = 1 << 13
"""Vectors that are compared with the topic together."""


@cache
def _vectors(language: str) -> tuple[Vectors, np.ndarray, np.ndarray]:
    """The vectors, the buckets of the terms that have one in ascending order, and the row of each."""
    vectors = load_vectors(language)
    # Of stems that share a bucket the last one counts.
    row_of = dict(zip(buckets(vectors.stems).tolist(), count()))
    listed = np.array(sorted(row_of), np.int32)
    return vectors, listed, np.array([row_of[bucket] for bucket in listed.tolist()], np.int32)


class Meaning:
    """The meaning of the user's words, and the terms that are similar to one of them."""

    def __init__(self, words: Mapping[str, float], language: str, terms: TermRows) -> None:
        self._vectors, self._listed, self._rows = _vectors(language)
        self._row_of = Table(terms, np.int32, -1)
        self._row_of[self._listed] = self._rows
        self._own = self._vectors_of(words)
        self._topic = _unit(self._own.sum(axis=0))
        self._sides = self._topic[np.newaxis]
        """A vector for each word: all words' mean plus that word. A topic may have several sides."""
        self.likeness = Table(terms, np.float32)
        """Cosine of each term with the nearest side of the topic."""
        self.near = Table(terms, np.float32)
        """Cosine of each term with the nearest word, minus NEAR; at least 0."""
        self._compare()

    def _vectors_of(self, words: Mapping[str, float]) -> np.ndarray:
        """A vector for each part of each word or phrase that has one, scaled by the word's weight."""
        parts = [(part, weight) for word, weight in words.items() for part in word.split(" ")]
        rows = self._row_of[buckets(part for part, _ in parts)]
        weights = np.array([weight for _, weight in parts]) / max(words.values(), default=1.0)
        known = rows >= 0
        return np.asarray(self._vectors.rows(rows[known]) * weights[known, np.newaxis])

    def lean(self, relevant: np.ndarray, irrelevant: np.ndarray) -> None:
        """Move the topic's vector towards examples and away from counter-examples, given as vectors.

        The more examples there are, the more they count beside the words.
        """
        if not len(relevant) or not len(self._listed):
            return
        centre = relevant.mean(axis=0) - (irrelevant.mean(axis=0) if len(irrelevant) else 0.0)
        self._topic = _unit(self._topic + EXAMPLES * len(relevant) / (len(relevant) + FEW) * _unit(centre))
        self._compare()

    def vector(self, terms: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """A page's mean vector, scaled to length 1; 0 if none of its terms has a vector."""
        rows = self._row_of.take(terms)
        (known,) = (rows >= 0).nonzero()
        return _unit(weights.take(known) @ self._vectors.rows(rows.take(known)))

    def closeness(self, terms: Iterable[str]) -> float:
        """Cosine of the mean vector of terms with the topic's vector."""
        rows = self._row_of[buckets(terms)]
        return float(_unit(self._vectors.rows(rows[rows >= 0]).sum(axis=0)) @ self._topic)

    def of_page(self, terms: np.ndarray, weights: np.ndarray) -> float:
        """Cosine of a page's mean vector with the nearest side."""
        return float((self._sides @ self.vector(terms, weights)).max())

    def _compare(self) -> None:
        """Compare all terms that have a vector with the topic."""
        if not self._topic.any():
            return
        # If no word has a vector, the examples alone define the topic.
        self._sides = self._topic[np.newaxis]
        if len(self._own):
            self._sides = np.array([_unit(self._topic + word) for word in self._own])
        for start in range(0, len(self._rows), _AT_ONCE):
            terms = self._listed[start : start + _AT_ONCE]
            vectors = self._vectors.rows(self._rows[start : start + _AT_ONCE])
            if len(self._own):
                self.near[terms] = np.maximum((vectors @ self._own.T).max(axis=1) - NEAR, 0.0)
            self.likeness[terms] = (vectors @ self._sides.T).max(axis=1)


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / (sqrt(vector @ vector) or 1.0))
