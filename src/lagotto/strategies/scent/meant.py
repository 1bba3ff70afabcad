"""What a topic's words are taken to mean, before anything is fetched: similar words, and kin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from lagotto.strategies.scent.buckets import buckets
from lagotto.strategies.scent.kin import kinships
from lagotto.strategies.scent.meaning import Meaning
from lagotto.topic import load_vectors


class Meant(NamedTuple):
    """Terms that count besides the user's words, strongest first."""

    like: dict[str, float]
    """Term -> how similar in meaning it is to the nearest of the words."""
    kin: dict[str, float]
    """Term -> kinship: what falls under the words, as a robin under birds."""


def meant_by(words: Mapping[str, float], language: str, n: int = 40) -> Meant:
    """The n strongest terms of each kind, for words given as terms with weights."""
    meaning = Meaning(words, language)
    stems = load_vectors(language).stems
    like = dict(zip(stems, meaning.near.take(buckets(stems)).tolist(), strict=True))
    kin: Counter[str] = Counter()
    for kinship in kinships(words, language, meaning):
        kin.update(kinship)
    return Meant(_strongest(like, words, n), _strongest(kin, words, n))


def _strongest(values: Mapping[str, float], words: Mapping[str, float], n: int) -> dict[str, float]:
    others = ((term, value) for term, value in values.items() if value > 0 and term not in words)
    return {term: round(value, 3) for term, value in sorted(others, key=lambda pair: (-pair[1], pair[0]))[:n]}
