"""How sure it is that a crawl has met its topic, and what its pages are worth until then.

A split of scores always finds two groups. The upper one is no better than the lower if neither has the words.
"""

from __future__ import annotations

import numpy as np

ENOUGH = 1.0
"""Sum of what all pages have of the words, by `Words.presence`, at which the evidence is complete."""
OWN = 0.2
"""The same of one page, at which it is not damped."""
DAMPING = 4.0
"""What the log odds of a page without the words lose, in addition to all that they are above 0."""


def evidence(present: np.ndarray, marks: np.ndarray) -> float:
    """Evidence from 0 to 1, given what pages have of the words; a page marked as relevant is enough."""
    return 1.0 if (marks > 0).any() else min(1.0, float(present.sum()) / ENOUGH)


def damped(logits: np.ndarray, present: np.ndarray, evidence: float) -> np.ndarray:
    """Log odds of pages; those with little of the words are lowered while there is little evidence."""
    share = (1.0 - evidence) * (1.0 - np.minimum(present / OWN, 1.0))
    return np.asarray(logits - share * (np.maximum(logits, 0.0) + DAMPING))
