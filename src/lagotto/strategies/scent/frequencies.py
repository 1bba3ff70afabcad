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
        self.met = np.zeros(0, np.int32)
        """Buckets of the terms of those pages."""

    def set_own(self, met: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Take the shares of the crawl's pages that have terms of these buckets; returns those gone.

        A bucket that pages have had until now, and have no more, is as rare as the background says.
        """
        self.own[self.met] = 0.0
        self.own[met] = shares
        gone = np.asarray(self.met[self.own[self.met] == 0])
        self.idf[gone] = self.rarity[gone]
        self.idf[met] = _idf(self._background[met] + OWN_SHARE * self.own[met])
        self.met = met
        return gone


def _idf(shares: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(-np.log(np.minimum(shares, 0.999)), 0.01))
