"""Whether the web has the topic at all.

A split of scores into two groups always finds two groups. What the few best pages have of the words, in
absolute terms, is what tells a web with the topic from one without. A topic may be small: one page that is
clearly about the words proves that it is here, even if no second one is.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.focus.judging.calibration import sigmoid
from lagotto.focus.judging.harvest import Flags, Harvest

FEW_BEST, MANY_BEST = 3, 20
"""Best pages that are looked at, twice: the very best alone, and more of them, up to a quarter of all."""
ENOUGH = 60
"""Pages from which on absence can be told; of fewer pages little is concluded."""
DENSE = 3.0
"""Density beyond which a page names the words no more clearly."""
OWN, OWN_TITLE, OWN_DENSITY = 0.6, 0.5, 2.5
"""Coverage, share of the words in the title, and density from which on a page proves the topic by itself."""
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
    """Whether it is likelier than not, or cannot be told yet."""
    clear: bool
    """Whether there is a clear sign of the topic; without one no page is claimed."""
    narrow: bool
    """Whether the only sign of it are pages that prove it by themselves: a topic of a few pages."""
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
    pages = int(found.sum())
    many = max(FEW_BEST, min(MANY_BEST, pages // 4))
    evidence = {name: _mean_of_best(values[found], FEW_BEST) for name, values in kinds.items()}
    evidence |= {f"{name} of more": _mean_of_best(values[found], many) for name, values in kinds.items()}
    if by_vectors:
        evidence["seed"] = max(0.0, float(harvest.about[harvest.seeds].max(initial=0.0)) - UNRELATED)
    weights = _WEIGHTS[by_vectors, similarity is not None]
    log_odds = weights[""] + weights.get("seed", 0.0) * evidence.get("seed", 0.0)
    log_odds += sum(
        weights.get(name, 0.0) * (evidence[name] + evidence[f"{name} of more"]) / 2.0 for name in kinds
    )
    by_best = float(sigmoid(np.float64(log_odds)))
    shown = bool((harvest.marks == 1).any() or proving(harvest).any())
    clear = shown or by_best >= 0.5
    chance = 1.0 if shown else 1.0 - min(1.0, pages / ENOUGH) * (1.0 - by_best)
    return Presence(
        chance=chance,
        here=chance >= 0.5,
        clear=clear,
        narrow=shown and by_best < 0.5,
        pages=pages,
        naming=int((harvest.coverage[found] > 0).sum()),
        best=int(np.argmax(np.where(found, harvest.coverage, -1.0))) if pages else -1,
        evidence={name: round(value, 4) for name, value in evidence.items()},
    )


def proving(harvest: Harvest) -> Flags:
    """Pages that prove the topic by themselves: they have the words, in the title too, and often."""
    named = (harvest.coverage >= OWN) & (harvest.density >= OWN_DENSITY)
    return np.asarray(named & (harvest.titled >= OWN_TITLE))


def _mean_of_best(values: NDArray[np.floating], count: int) -> float:
    return float(np.sort(values)[-count:].mean()) if len(values) else 0.0
