"""How much of the topic on the web was fetched, with an interval.

Two signs. If many of the pages found have at most one link from other pages on topic, there are likely more
that have none: this is Good and Turing's estimate, with links as sightings. If the second half of the crawl
brought less than the first, little is left. What lies behind sites that the crawl never entered leaves no
sign.
"""

from __future__ import annotations

from math import log

import numpy as np
from msgspec import Struct

from lagotto.focus.judging.calibration import logit, sigmoid
from lagotto.focus.judging.harvest import Flags, Floats, Integers

LEVEL, ONCE, DECLINE = -1.2, -0.78, -2.5
"""Log odds of recall = LEVEL + ONCE · log odds of the share linked at most once
+ DECLINE · ln(harvest ratio of the second half / of the first)."""
SPREAD = 1.25
"""Standard deviation of their error."""
FLOOR = 0.02
"""Added to both harvest ratios, so that a half without any hit stays finite."""
NINETY = 1.645
FEW = 50
"""With fewer pages than this nothing is estimated."""


class Recall(Struct, frozen=True):
    """Share of the web's pages on topic that was fetched, and its 90 % interval."""

    estimate: float
    low: float
    high: float


def estimate_recall(relevance: Floats, found: Flags, children: Integers, parents: Integers) -> Recall:
    """Estimate recall from the relevance of all pages in fetch order and the links among them.

    `found` are the pages that are no seeds; link i leads from page `parents[i]` to page `children[i]`.
    """
    chances = relevance[found]
    if len(chances) < FEW or not chances.any():
        return Recall(0.5, 0.0, 1.0)
    linking = np.bincount(children, relevance[parents], len(relevance))[found]
    once = (float(chances[linking <= 1.0].sum()) + 0.5) / (float(chances.sum()) + 1.0)
    first, second = np.array_split(chances, 2)
    decline = log((float(second.mean()) + FLOOR) / (float(first.mean()) + FLOOR))
    middle = LEVEL + ONCE * float(logit(np.float64(once))) + DECLINE * decline
    low, estimate, high = sigmoid(middle + SPREAD * NINETY * np.array([-1.0, 0.0, 1.0])).tolist()
    return Recall(estimate, low, high)
