"""How much a page has of the user's words: by name, by meaning, by similar words, by kin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from lagotto.focus.strategies.scent.buckets import FIRST, ByTerm, buckets
from lagotto.focus.strategies.scent.meaning import Meaning, kin_of, kinships
from lagotto.focus.strategies.scent.term_tables import Table, TermRows
from lagotto.focus.topic import WeightTable, load_background, load_vectors

NAMED = 0.6
"""Weight of naming the user's words beside the cosine with them."""
LIKENESS = 1.0
"""Weight of meaning beside the words themselves in short texts."""
KINSHIP = 1.0
"""Weight of kinship in short texts; the larger of the two counts."""
WEIGHTS = np.array([1.0, 0.5, 0.5, 0.5])
"""Weights of the parts: words named, same meaning, similar words, kin."""
CLEAR = 0.15
"""Cosine with the words from which on a page does not name them in passing."""
BY_MEANING = len(WEIGHTS) - 1
"""Number of parts that do not depend on naming a word."""


Heaviest = tuple[np.ndarray, np.ndarray]
"""Buckets of a page's heaviest terms, and their weights."""


class Scale(NamedTuple):
    """Means and standard deviations of the parts of a word score, which make them comparable."""

    means: np.ndarray
    deviations: np.ndarray


USUAL = Scale(np.array([0.2, 0.4, 0.13, 0.1]), np.array([0.15, 0.13, 0.1, 0.1]))
"""Typical values, used until a crawl has its own."""


class Words:
    """Looks for the user's words in pages and short texts."""

    def __init__(
        self, weights: Mapping[str, float], language: str, terms: TermRows, *, by_meaning: bool
    ) -> None:
        self.weights = dict(weights)
        self.buckets = buckets(self.weights)
        self._weights = np.fromiter(self.weights.values(), np.float64)
        self._by_meaning = by_meaning
        self._meaning = Meaning(self.weights if by_meaning else {}, language, terms)
        self.part_weights = WEIGHTS if by_meaning else WEIGHTS * [1.0, 0.0, 0.0, 0.0]
        self._language = language
        self._terms = terms
        self._akin = Table(terms, np.float32, width=2)
        """For each term: similarity to the nearest word, and kinship."""
        self._look_up_akin()

    def signs(
        self, counts: Mapping[str, int], titled: list[str], found: np.ndarray, weights: np.ndarray
    ) -> np.ndarray:
        """For each word l / (l + 1) + ½·[in the title] with l = 1 + ln tf, or 0 if absent.

        The parts by meaning follow. `found` and `weights` are the page's heaviest terms; the last `FIRST` of
        them make its vector.
        """
        signs = np.zeros(len(self.weights) + BY_MEANING)
        in_title = set(titled)
        for at, word in enumerate(self.weights):
            if occurrences := counts.get(word, 0):
                level = 1.0 + log(occurrences)
                signs[at] = level / (level + 1.0) + 0.5 * (word in in_title)
        self._add_meaning(signs, found, weights)
        return signs

    def signs_of_terms(self, found: np.ndarray, levels: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """As `signs`, of a page of which only the heaviest terms are kept; `levels` are their 1 + ln tf."""
        signs = np.zeros(len(self.weights) + BY_MEANING)
        at, of = np.nonzero(self.buckets[:, np.newaxis] == found)
        signs[at] = levels[of] / (levels[of] + 1.0)
        self._add_meaning(signs, found, weights)
        return signs

    def _add_meaning(self, signs: np.ndarray, found: np.ndarray, weights: np.ndarray) -> None:
        signs[-BY_MEANING] = self._meaning.of_page(found[-FIRST:], weights[-FIRST:])
        signs[1 - BY_MEANING :] = weights @ self._akin.take(found) / (sqrt(weights @ weights) or 1.0)

    def lean(self, relevant: list[Heaviest], irrelevant: list[Heaviest]) -> None:
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
            kin = kin_of(self.weights, self._language, self._meaning, self._terms)
            listed = self._terms.listed
            self._akin[listed] = np.column_stack([self._meaning.near[listed], kin[listed]])

    def ask(self, query: Table, idf: ByTerm) -> None:
        """Write the words into `query` as a vector of length 1."""
        query[self.buckets] = self._weights * idf.take(self.buckets)
        query[self.buckets] /= np.linalg.norm(query[np.unique(self.buckets)]) or 1.0

    def short_query(self, query: Table, terms: np.ndarray) -> np.ndarray:
        """Weights of terms in short texts, which seldom name a word: meaning and kinship count too."""
        meant = np.maximum(LIKENESS * self._meaning.likeness[terms], KINSHIP * self._akin[terms][:, 1])
        return np.asarray(query[terms] + meant)

    def parts(self, cosines: np.ndarray, signs: np.ndarray, idf: ByTerm) -> np.ndarray:
        """The parts of pages' word scores, given their cosines with the words."""
        named = signs[:, :-BY_MEANING] @ self.shares(idf)
        return np.column_stack([cosines + NAMED * named, signs[:, -BY_MEANING:]])

    def shares(self, idf: ByTerm) -> np.ndarray:
        """Each word's share of all the words, by weight and rarity."""
        shares = self._weights * idf.take(self.buckets)
        return np.asarray(shares / (shares.sum() or 1.0))

    def presence(self, cosines: np.ndarray, signs: np.ndarray, idf: ByTerm) -> np.ndarray:
        """How clearly pages name the words, 0 to 1: not in passing, and not one of several alone."""
        covered = np.minimum(signs[:, :-BY_MEANING], 1.0) @ self.shares(idf)
        return np.asarray(covered * np.clip(cosines / CLEAR, 0.0, 1.0))

    def scores(self, parts: np.ndarray, scale: Scale) -> np.ndarray:
        """Word scores: the weighted sum of the parts, each in standard deviations from its mean."""
        return np.asarray((parts - scale.means) / scale.deviations @ self.part_weights)

    def found_in(self, signs: np.ndarray) -> dict[str, float]:
        """How much of each word a page has, for explaining."""
        names = (*self.weights, "about the same", "like words", "kin")
        return {name: round(has, 3) for name, has in zip(names, signs.tolist(), strict=True) if has}


def names_a_word(signs: np.ndarray) -> bool:
    """Whether a page has any of the user's words, as `Words.signs` found them."""
    return bool(signs[:-BY_MEANING].any())


def scale_of(parts: np.ndarray) -> Scale:
    """Scale of the parts among these pages; deviations have a lower limit."""
    return Scale(parts.mean(axis=0), np.maximum(parts.std(axis=0), USUAL.deviations / 10))


class Meant(NamedTuple):
    """Terms that count besides the user's words, strongest first."""

    like: dict[str, float]
    """Term -> how similar in meaning it is to the nearest of the words."""
    kin: dict[str, float]
    """Term -> kinship: what falls under the words, as a robin under birds."""


def meant_by(words: Mapping[str, float], language: str, n: int = 40) -> Meant:
    """The n strongest terms of each kind, for words given as terms with weights."""
    meaning = Meaning(words, language, TermRows())
    stems = load_vectors(language).stems
    like = dict(zip(stems, meaning.near.take(buckets(stems)).tolist(), strict=True))
    kin: Counter[str] = Counter()
    for kinship in kinships(words, language, meaning):
        kin.update(kinship)
    return Meant(_strongest(like, words, n), _strongest(kin, words, n))


def _strongest(values: Mapping[str, float], words: Mapping[str, float], n: int) -> dict[str, float]:
    others = ((term, value) for term, value in values.items() if value > 0 and term not in words)
    return {term: round(value, 3) for term, value in sorted(others, key=lambda pair: (-pair[1], pair[0]))[:n]}


SIZE = 100
"""Words that are shown."""


def shown_table(weights: ByTerm, words: Iterable[str], language: str, version: int) -> WeightTable:
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
