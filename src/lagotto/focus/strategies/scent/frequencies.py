"""How rare terms are: in general pages, and in those of the crawl."""

from __future__ import annotations

from functools import cache

import numpy as np

from lagotto.focus.strategies.scent.buckets import buckets
from lagotto.focus.strategies.scent.term_tables import Table, TermRows
from lagotto.focus.topic import load_background

RARE = 2e-4
"""Assumed document frequency of a term that the background does not have."""
OWN_SHARE = 0.1
"""Weight of the crawl's own document frequencies beside the background's."""


class Frequencies:
    """The idf of every term; terms that a crawl's pages repeat everywhere lose weight as they are met."""

    def __init__(self, language: str, terms: TermRows) -> None:
        listed, shares = _background(language)
        self._background = Table(terms, np.float32, RARE)
        self._background[listed] = shares
        self.rarity = Table(terms, np.float32, _idf(np.array([RARE], np.float32))[0])
        """The idf by the background alone."""
        self.rarity[listed] = _idf(shares)
        self.idf = self.rarity.copy()
        self.own = Table(terms, np.float32)
        """Document frequency of each term in the crawl's own pages."""
        self.met = np.zeros(0, np.int32)
        """Buckets of the terms of those pages."""

    def set_own(self, met: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Set the document frequencies of these buckets in the crawl's pages.

        Returns the buckets that have none any more; their idf is that of the background again.
        """
        self.own[self.met] = 0.0
        self.own[met] = shares
        gone = np.asarray(self.met[self.own[self.met] == 0])
        self.idf[gone] = self.rarity[gone]
        self.idf[met] = _idf(self._background[met] + OWN_SHARE * self.own[met])
        self.met = met
        return gone


@cache
def _background(language: str) -> tuple[np.ndarray, np.ndarray]:
    """Buckets of the background's terms, and the document frequency of each; read-only."""
    table = load_background(language)
    if not table.documents:
        return np.zeros(0, np.int32), np.zeros(0, np.float32)
    listed, of = np.unique(buckets(table.frequencies), return_inverse=True)
    shares = np.full(len(listed), RARE, np.float32)
    np.add.at(shares, of, np.fromiter(table.frequencies.values(), np.float32) / table.documents)
    shares.setflags(write=False)
    return listed, shares


def _idf(shares: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(-np.log(np.minimum(shares, 0.999)), 0.01))
