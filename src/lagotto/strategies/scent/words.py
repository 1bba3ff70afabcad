"""The user's words, and what a page has of them: by name, by what it is about, by like words, by kin."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, FIRST, buckets
from lagotto.strategies.scent.kin import kin_of
from lagotto.strategies.scent.meaning import Meaning

NAMED = 0.6
"""Weight of having the user's words at all beside being about them."""
LIKENESS = 1.0
"""Weight of meaning beside the words themselves in short texts."""
KINSHIP = 1.0
"""Weight of kin in them, where it is more."""
WEIGHTS = np.array([1.0, 0.5, 0.5, 0.5])
"""Of naming the words, of being about the same, of using words of like meaning, and of naming their kin."""
BY_MEANING = len(WEIGHTS) - 1
"""Parts of a word score that no word is named for."""


Terms = tuple[np.ndarray, np.ndarray]
"""Buckets of a page's heaviest terms, and their weights."""


class Scale(NamedTuple):
    """Means and standard deviations of the parts of a word score, which make them comparable."""

    means: np.ndarray
    deviations: np.ndarray


USUAL = Scale(np.array([0.2, 0.4, 0.13, 0.1]), np.array([0.15, 0.13, 0.1, 0.1]))
"""What crawls that have seen something have in the mean."""


class Words:
    """Looks for the user's words in pages and short texts."""

    def __init__(self, weights: Mapping[str, float], language: str, *, by_meaning: bool) -> None:
        self.weights = dict(weights)
        self.buckets = buckets(self.weights)
        self._weights = np.fromiter(self.weights.values(), np.float64)
        self._by_meaning = by_meaning
        self._meaning = Meaning(self.weights if by_meaning else {}, language)
        self.part_weights = WEIGHTS if by_meaning else WEIGHTS * [1.0, 0.0, 0.0, 0.0]
        self._language = language
        self._akin = np.zeros((BUCKETS, 2), np.float32)
        """Of each bucket's term: how near it is in meaning to any one word, and how much it is their kin."""
        self._look_up_akin()

    def signs(
        self, counts: Mapping[str, int], titled: list[str], found: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """For each word l / (l + 1) + ½·[in the title], l = 1 + ln tf, or 0 without it; then what it means.

        `found` and `weights` are the page's heaviest terms, of which the last ones say what it is about.
        """
        signs = np.zeros(len(self.weights) + BY_MEANING)
        in_title = set(titled)
        for at, word in enumerate(self.weights):
            if occurrences := counts.get(word, 0):
                level = 1.0 + log(occurrences)
                signs[at] = level / (level + 1.0) + 0.5 * (word in in_title)
        signs[-BY_MEANING] = self._meaning.of_page(found[-FIRST:], weights[-FIRST:])
        signs[1 - BY_MEANING :] = weights @ self._akin.take(found, axis=0) / (sqrt(weights @ weights) or 1.0)
        return signs

    def lean(self, relevant: list[Terms], irrelevant: list[Terms]) -> None:
        """Let example pages, given by their terms, say what the words are about."""
        if self._by_meaning:
            self._meaning.lean(
                *(
                    np.array(
                        [self._meaning.vector(found[-FIRST:], weights[-FIRST:]) for found, weights in pages]
                    )
                    for pages in (relevant, irrelevant)
                )
            )
            self._look_up_akin()

    def _look_up_akin(self) -> None:
        if self._by_meaning:
            self._akin[:, 0] = self._meaning.near
            self._akin[:, 1] = kin_of(self.weights, self._language, self._meaning)

    def ask(self, query: np.ndarray, idf: np.ndarray) -> None:
        """Write the words as a vector of length 1 over what was asked before."""
        query[self.buckets] = self._weights * idf[self.buckets]
        query[self.buckets] /= np.linalg.norm(query[np.unique(self.buckets)]) or 1.0

    def short_query(self, query: np.ndarray, terms: np.ndarray) -> np.ndarray:
        """What these terms are worth in short texts, which seldom name a word: meaning and kin count too."""
        meant = np.maximum(LIKENESS * self._meaning.likeness[terms], KINSHIP * self._akin[terms, 1])
        return np.asarray(query[terms] + meant)

    def parts(self, cosines: np.ndarray, signs: np.ndarray, idf: np.ndarray) -> np.ndarray:
        """The parts of pages' word scores, given their cosines with the words."""
        shares = self._weights * idf[self.buckets]
        shares = shares / (shares.sum() or 1.0)
        return np.column_stack([cosines + NAMED * (signs[:, :-BY_MEANING] @ shares), signs[:, -BY_MEANING:]])

    def scores(self, parts: np.ndarray, scale: Scale) -> np.ndarray:
        """Word scores: the weighted sum of the parts, each in standard deviations from its mean."""
        return np.asarray((parts - scale.means) / scale.deviations @ self.part_weights)

    def found_in(self, signs: np.ndarray) -> dict[str, float]:
        """How much of each word a page has, for explaining."""
        names = (*self.weights, "about the same", "like words", "kin")
        return {name: round(has, 3) for name, has in zip(names, signs.tolist(), strict=True) if has}


def scale_of(parts: np.ndarray) -> Scale:
    """What makes parts comparable among these pages; a part that hardly differs stays what it is."""
    return Scale(parts.mean(axis=0), np.maximum(parts.std(axis=0), USUAL.deviations / 10))
