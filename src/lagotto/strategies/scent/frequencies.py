"""How rare terms are: idf(t) = -log(background share + OWN_SHARE · share of the crawl's own pages)."""

from __future__ import annotations

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, background_shares

OWN_SHARE = 0.1
"""Weight of the crawl's own document frequencies beside the background's."""


class Frequencies:
    """The idf of every bucket; terms that a crawl's pages repeat everywhere lose weight as they are met."""

    def __init__(self, language: str) -> None:
        self._background = background_shares(language)
        self.rarity = _idf(self._background)
        """The idf by the background alone."""
        self.idf = self.rarity.copy()
        self.own = np.zeros(BUCKETS, np.float32)
        """Document frequency of each bucket in the crawl's own pages."""
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


def _idf(shares: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(-np.log(np.minimum(shares, 0.999)), 0.01))
