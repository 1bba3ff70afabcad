"""Terms that fall under the user's words: birds under "bird", African towns under "Africa"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, sqrt

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, buckets
from lagotto.strategies.scent.meaning import Meaning
from lagotto.topic import load_thesaurus

MOST_WORDS = 10
"""Heaviest words that are looked up; with more of them almost any term would be kin."""
COHERENCE = 10.0
"""Weight of the other words in choosing a word's sense: factor e to this power for a cosine of 1."""
SELDOM = 0.1
"""Senses less likely than this, relative to the likeliest one, are left out."""


def kin_of(words: Mapping[str, float], language: str, meaning: Meaning) -> np.ndarray:
    """Kinship of each bucket's term to the words, summed over the words."""
    kin = np.zeros(BUCKETS, np.float32)
    for kinship in kinships(words, language, meaning):
        np.add.at(kin, buckets(kinship), np.fromiter(kinship.values(), np.float64))
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
    family: dict[int, float] = {}
    for concept, often in meant.items():
        likely = often / max(meant.values())
        if likely >= SELDOM:
            for member in thesaurus.family(concept).tolist():
                family[member] = max(family.get(member, 0.0), likely)
    return family
