"""What a sentence encoder adds to the similarity of pages and anchors to the user's words."""

from __future__ import annotations

import numpy as np

from lagotto.judging.encoder import Encoder, anchor_text, page_text
from lagotto.judging.similarity import likeness
from lagotto.records import Page
from lagotto.strategies.scent.corpus import Reading
from lagotto.strategies.scent.linktable import NewLinks
from lagotto.strategies.scent.words import BY_MEANING
from lagotto.text import tokens

OF_PAGE = 1.0
"""Weight of a page's likeness beside the cosine of word vectors."""
OF_ANCHOR = 0.3
"""Weight of an anchor's likeness beside its similarity by words."""
USUAL, DEVIATION = 0.12, 0.1
"""Likeness of an anchor that has nothing to do with the words, and how much likenesses differ."""
LEAST, MOST = -1.0, 4.0
"""Limits of an anchor's likeness in such deviations."""


class Likeness:
    """Compares pages and anchors with the words; texts that the encoder has seen cost next to nothing."""

    def __init__(self, encoder: Encoder, words: str) -> None:
        self._encoder = encoder
        self._asked = encoder.encode([words, *tokens(words)])

    def add_to(self, page: Page, reading: Reading, links: NewLinks) -> None:
        """Add the page's likeness to what it is about, and that of each anchor to its similarity."""
        reading.words[-BY_MEANING] += OF_PAGE * float(self._of([page_text(page)])[0])
        anchors = [anchor_text(link) for link in page.links]
        if anchors:
            found = np.clip((self._of(anchors) - USUAL) / DEVIATION, LEAST, MOST)
            there = np.array([bool(anchor) for anchor in anchors])
            links.similarity[:, 0] += OF_ANCHOR * np.where(there, found, 0.0)

    def _of(self, texts: list[str]) -> np.ndarray:
        return likeness(self._encoder.encode(texts), self._asked)
