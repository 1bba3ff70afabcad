"""Whether the web has the topic at all.

A split of scores into two groups always finds two groups. What the best pages have of the words, in absolute
terms, is what tells a web with the topic from one without.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.focus.judging.calibration import sigmoid
from lagotto.focus.judging.harvest import Harvest

LEAST = 20
"""Best pages that are looked at, at least."""
SHARE = 0.01
"""Or this share of all pages, if that is more."""
ENOUGH = 60
"""Pages from which on absence can be told; of fewer pages little is concluded."""
DENSE = 3.0
"""Density beyond which a page names the words no more clearly."""
OWN = 0.6
"""Coverage at which a page speaks for itself, whatever the web has."""
UNRELATED = 0.3
"""Cosine of a seed with what the words mean, up to which it says nothing.

A seed that is about the words is itself a page of this web about them. One that is not may be a place to
start from, and speaks for nothing.
"""

_WEIGHTS = {
    (False, False): {"coverage": 10.7, "density": 2.0, "": -8.9},
    (True, False): {"coverage": 2.9, "density": 1.7, "about": 15.8, "seed": 5.0, "": -12.4},
    (False, True): {"coverage": 10.31, "similarity": 20.02, "": -11.54},
    (True, True): {"coverage": 6.79, "about": 13.45, "similarity": 18.27, "seed": 5.0, "": -17.02},
}
"""Log odds of presence, by whether word vectors and an encoder are known; fitted on 43 topics that two
webs have and 40 that they have not."""


class Presence(Struct, frozen=True):
    """Whether the web has the topic, and what says so."""

    chance: float
    here: bool
    pages: int
    naming: int
    """Pages that name any of the words."""
    best: int
    """Row of the page that has most of the words, -1 without pages."""
    evidence: dict[str, float]
    """What the best pages have in the mean."""


def presence(harvest: Harvest, similarity: NDArray[np.floating] | None) -> Presence:
    """Look at the best pages that are no seeds, by each kind of evidence."""
    found = ~harvest.seeds
    kinds = {"coverage": harvest.coverage, "density": np.minimum(harvest.density, DENSE)}
    if by_vectors := bool(harvest.about.any()):
        kinds["about"] = harvest.about
    if similarity is not None:
        kinds["similarity"] = np.asarray(similarity, np.float64)
    evidence = {name: _mean_of_best(values[found]) for name, values in kinds.items()}
    if by_vectors:
        evidence["seed"] = max(0.0, float(harvest.about[harvest.seeds].max(initial=0.0)) - UNRELATED)
    weights = _WEIGHTS[by_vectors, similarity is not None]
    log_odds = weights[""] + sum(weights.get(name, 0.0) * value for name, value in evidence.items())
    pages = int(found.sum())
    known = min(1.0, pages / ENOUGH)
    chance = 1.0 - known * (1.0 - float(sigmoid(np.float64(log_odds))))
    if (harvest.marks == 1).any():
        chance = 1.0
    return Presence(
        chance=chance,
        here=chance >= 0.5,
        pages=pages,
        naming=int((harvest.coverage[found] > 0).sum()),
        best=int(np.argmax(np.where(found, harvest.coverage, -1.0))) if pages else -1,
        evidence={name: round(value, 4) for name, value in evidence.items()},
    )


def _mean_of_best(values: NDArray[np.floating]) -> float:
    count = max(LEAST, int(SHARE * len(values)))
    return float(np.sort(values)[-count:].mean()) if len(values) else 0.0
