"""How rare terms are: idf(t) = -log(background share + OWN_SHARE · share of the crawl's own pages)."""

from __future__ import annotations

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, background_shares

OWN_SHARE = 0.1
"""How much the crawl's own document frequencies count beside the background's."""


class Frequencies:
    """Rarity of every bucket's terms; what a crawl's pages repeat everywhere loses weight as it is met."""

    def __init__(self, language: str) -> None:
        self._background = background_shares(language)
        self.rarity = _idf(self._background)
        """By the background alone."""
        self.idf = self.rarity.copy()
        self.own = np.zeros(BUCKETS, np.float32)
        """Share of the crawl's own pages that have a term of each bucket."""
        self.met = np.zeros(0, np.int64)
        """Buckets of the terms of those pages."""
        self.column_of = np.zeros(BUCKETS, np.int32)
        """Bucket -> its place among those met."""

    def count(self, terms: np.ndarray, weights: np.ndarray, pages: float) -> None:
        """Take the frequencies of pages whose terms lie end to end, each with its page's weight."""
        self.set_own((np.bincount(terms, weights, BUCKETS) / pages).astype(np.float32))

    def set_own(self, own: np.ndarray) -> None:
        """Take the shares that an earlier count gave."""
        self.idf[self.met] = self.rarity[self.met]
        self.own = own
        self.met = np.flatnonzero(own > 0)
        self.idf[self.met] = _idf(self._background[self.met] + OWN_SHARE * own[self.met])
        self.column_of[self.met] = np.arange(len(self.met))


def _idf(shares: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(-np.log(np.minimum(shares, 0.999)), 0.01))
