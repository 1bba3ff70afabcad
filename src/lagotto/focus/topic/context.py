"""The context of keywords: words of similar meaning, and words that fall under a keyword.

    W(c) = CONTEXT · max over keywords k of W(k)·r(k, c)

r(k, c) is the cosine of the two words' vectors, or the root of the chance that c names something under k in
the thesaurus, whichever is larger. The paper of `dynamic` names the context of keywords as future work.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt

import numpy as np

from lagotto.focus.topic.table import WeightTable
from lagotto.focus.topic.thesaurus import load_thesaurus
from lagotto.focus.topic.vectors import load_vectors

CONTEXT = 0.3
"""Weight of a related word beside its keyword, at most."""
NEAR = 0.5
"""Cosine from which a word counts as related."""
KEYWORDS = 20
"""Keywords whose context is looked up, the heaviest ones."""
SIZE = 100
"""Related words that join a table, the heaviest ones."""


def with_context(table: WeightTable) -> WeightTable:
    """The table with related words at a lower weight; its own keywords keep theirs."""
    related: dict[str, float] = {}
    for keyword in list(table)[:KEYWORDS]:
        for word, relation in related_words(keyword, table.language).items():
            weight = CONTEXT * table[keyword] * relation
            if word not in table and weight > related.get(word, 0.0):
                related[word] = weight
    heaviest = sorted(related, key=lambda word: (-related[word], word))[:SIZE]
    return WeightTable(
        {**table.weights, **{word: related[word] for word in heaviest}},
        table.readable,
        table.language,
        f"{table.source} with context",
        {**table.provenance, "context": len(heaviest)},
        table.version,
        table.below,
    )


@lru_cache(maxsize=1024)
def related_words(keyword: str, language: str = "en") -> Mapping[str, float]:
    """Words related to a keyword, by meaning or because they fall under it -> how much, 0 to 1."""
    related = _by_thesaurus(keyword, language)
    for word, cosine in _by_vectors(keyword, language).items():
        related[word] = max(cosine, related.get(word, 0.0))
    return related


def _by_vectors(keyword: str, language: str) -> dict[str, float]:
    """Words whose vectors are near; of a phrase the mean of its words counts."""
    vectors = load_vectors(language)
    row_of = _rows(language)
    own = [row_of[part] for part in keyword.split(" ") if part in row_of]
    if not own:
        return {}
    mean = np.sum(vectors.rows(np.array(own)), axis=0)
    cosines = vectors.rows(slice(None)) @ (mean / np.linalg.norm(mean))
    near = np.flatnonzero(cosines >= NEAR)
    return {vectors.stems[row]: min(1.0, float(cosines[row])) for row in near.tolist()}


def _by_thesaurus(keyword: str, language: str) -> dict[str, float]:
    """Names of what falls under a keyword, in the senses that it mostly has."""
    thesaurus = load_thesaurus(language)
    under = thesaurus.families(thesaurus.concepts(keyword))
    return {name: sqrt(chance) for name, chance in thesaurus.names_of(under).items()} if under else {}


@lru_cache(maxsize=8)
def _rows(language: str) -> Mapping[str, int]:
    return {stem: row for row, stem in enumerate(load_vectors(language).stems)}
