"""Choosing the words that tell relevant from irrelevant examples best, by mutual information.

I(U; C) = Σ P(u,c)·log2( P(u,c) / (P(u)·P(c)) )      u: the page has the term or not, c: relevant or not
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from lagotto.base.records import Page
from lagotto.base.text import terms

FEATURES = 1000
"""The paper names no number. In single runs on development topics 1000 did better than 300; 2000 was within
a hundredth of 1000, with another cap on epochs, so nothing is claimed between those two."""
MIN_DOCUMENTS = 2
"""Terms of a single example are left out: they tell more about that page than about the topic."""

Counts = Mapping[str, int]


def mutual_information(with_relevant: int, relevant: int, with_irrelevant: int, irrelevant: int) -> float:
    """Bits that a term's presence tells about relevance.

    `with_relevant` of the `relevant` examples have the term, and so for the irrelevant ones.

    >>> mutual_information(5, 5, 0, 5), mutual_information(3, 6, 3, 6)
    (1.0, 0.0)
    """
    total = relevant + irrelevant
    having = with_relevant + with_irrelevant
    cells = (
        (with_relevant, having, relevant),
        (with_irrelevant, having, irrelevant),
        (relevant - with_relevant, total - having, relevant),
        (irrelevant - with_irrelevant, total - having, irrelevant),
    )
    # Rounding may leave a tiny negative number where there is no information.
    return max(0.0, sum(n / total * math.log2(n * total / (u * c)) for n, u, c in cells if n))


def choose_features(
    relevant: Sequence[Counts], irrelevant: Sequence[Counts], size: int = FEATURES
) -> dict[str, float]:
    """The `size` terms with the most information, most first."""
    in_relevant = Counter(term for counts in relevant for term in counts)
    in_irrelevant = Counter(term for counts in irrelevant for term in counts)
    informative = {
        term: mutual_information(in_relevant[term], len(relevant), in_irrelevant[term], len(irrelevant))
        for term in in_relevant.keys() | in_irrelevant.keys()
        if in_relevant[term] + in_irrelevant[term] >= MIN_DOCUMENTS
    }
    best = sorted(informative, key=lambda term: (-informative[term], term))[:size]
    return {term: informative[term] for term in best if informative[term] > 0}


CONTEXT_TERMS = 15
"""Terms of a piece as long as a link's context: the anchor and ten words on either side, stop words out."""


def pieces(text: str, language: str = "en", size: int = CONTEXT_TERMS) -> list[dict[str, int]]:
    """A page cut into pieces as long as a link's context, to train on what the network will read."""
    found = terms(text, language)
    cut = [found[start : start + size] for start in range(0, len(found), size)]
    return [dict(Counter(piece)) for piece in cut if len(piece) > size // 2]


def link_contexts(pages: Iterable[Page], targets: Set[str]) -> list[dict[str, int]]:
    """Term counts of anchor and context of every link that leads to one of the target URLs."""
    contexts = []
    for page in pages:
        for link in page.links:
            found = link.anchor_terms + link.context_terms
            if link.url in targets and found:
                contexts.append(dict(Counter(found)))
    return contexts
