"""Examples as short as what the network of `neural` reads in a crawl: the words around links.

Trap: the paper trains on pages and applies the network to link contexts, which are a hundred times shorter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set

from lagotto.records import Page
from lagotto.text import terms

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
