"""What a sentence encoder adds to the similarity of anchors to the user's words.

How much an anchor's similarity is worth is learned as the crawl goes, so a likeness that misleads loses its
weight. That guard holds for links alone: what an encoder says of pages counts when they are judged again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lagotto.judging.encoder import Encoder, anchor_text
from lagotto.judging.similarity import likeness
from lagotto.records import Link
from lagotto.strategies.scent.linktable import NewLinks
from lagotto.text import tokens

WEIGHT = 0.3
"""Weight of an anchor's likeness beside its similarity by words."""
USUAL, DEVIATION = 0.12, 0.1
"""Likeness of an anchor that has nothing to do with the words, and how much likenesses differ."""
LEAST, MOST = -1.0, 4.0
"""Limits of an anchor's likeness in such deviations."""


class Likeness:
    """Compares anchors with the words; texts that the encoder has seen cost next to nothing."""

    def __init__(self, encoder: Encoder, words: str) -> None:
        self._encoder = encoder
        self._asked = encoder.encode([words, *tokens(words)])

    def add_to(self, new: NewLinks, links: Sequence[Link]) -> None:
        """Add the likeness of each link's anchor to its similarity."""
        anchors = [anchor_text(link) for link in links]
        if anchors:
            alike = likeness(self._encoder.encode(anchors), self._asked)
            found = np.clip((alike - USUAL) / DEVIATION, LEAST, MOST)
            there = np.array([bool(anchor) for anchor in anchors])
            new.similarity[:, 0] += WEIGHT * np.where(there, found, 0.0)
