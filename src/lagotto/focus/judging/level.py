"""How many pages are on topic: the level of all verdicts, by one rule while a crawl runs and at its end.

Which page is more relevant than another is the easier half; how many of them are on topic is the harder one.

1. The model's mean relevance gives an expected share (`calibration.expected_share`). It always splits the
   pages in two, so it claims too much once a topic is exhausted.
2. Two groups with one variance, fitted to the scores, give a second share that grows small as it should.
   The level is not far above it.
3. Where the pages fetched later brought much less than those before, the groups are fitted to the earlier
   half alone: pages that come after a topic is exhausted then change nothing.
4. A few pages cannot be compared with each other. What each has of the words counts instead, and less and
   less as pages come.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.focus.judging.calibration import logit, offset_for, sigmoid
from lagotto.focus.judging.harvest import Harvest

Floats = NDArray[np.float64]

SLOPE = 1.6
"""Log odds for each standard deviation of the score, at least."""
STEEPNESS, STEEPEST = 0.3, 3.0
"""Share of the slope between the two groups that is taken where it is steeper, and the steepest slope."""
ABOVE = 0.6
"""Log odds by which the level may lie above the share of the upper group."""
ABOVE_HALF = -0.1
"""The same for the upper group by the first half, where the second one brought much less."""
DECLINE, DECLINED = 1.1, 1.8
"""Decline of the harvest, as a logarithm, from which the first half counts, and counts fully."""
HALF = 100
"""Pages that a half has at least."""
FLOOR = 0.02
"""Added to the shares of both halves, so that a half without any hit stays finite."""
BY_SIGNS, SIGNS_LAST = 0.5, 300.0
"""Part that the pages' own signs have in the level of a small crawl, and pages at which it has halved."""
FEW, MOST_TRUST = 100.0, 0.85
"""Pages at which the comparison of pages counts half of what it can, and what it counts at most."""
FEWEST = 3
"""Pages below which nothing is compared."""
STEPS = 60
NEARLY = 1e-4
"""Change of the upper group's share below which the fit has come to rest."""


class Groups(NamedTuple):
    """Two groups of scores, normal with one variance; `share` is that of the upper one."""

    share: float
    low: float
    high: float
    variance: float

    def chances(self, scores: Floats) -> Floats:
        """Chance of each score to belong to the upper group."""
        gap = ((scores - self.low) ** 2 - (scores - self.high) ** 2) / (2.0 * self.variance)
        return sigmoid(float(logit(np.float64(self.share))) + gap)

    @property
    def slope(self) -> float:
        """Log odds for each unit of the score."""
        return (self.high - self.low) / self.variance


def two_groups(scores: Floats) -> Groups:
    """Fit two groups by expectation maximisation, from the cut that leaves the least variance in both."""
    upper = scores > _otsu(scores)
    if upper.all() or not upper.any():
        middle = float(scores.mean()) if len(scores) else 0.0
        return Groups(0.5, middle, middle, max(float(scores.var()) if len(scores) else 1.0, NEARLY))
    found = _groups(scores, upper.astype(np.float64))
    for _ in range(STEPS):
        before = found.share
        found = _groups(scores, found.chances(scores))
        if abs(found.share - before) < NEARLY * min(found.share, 1.0 - found.share):
            break
    return found


def _groups(scores: Floats, upper: Floats) -> Groups:
    """The groups, given how far each score belongs to the upper one."""
    in_upper = max(float(upper.sum()), 1e-9)
    in_lower = max(len(scores) - in_upper, 1e-9)
    high = float(upper @ scores) / in_upper
    low = float((1.0 - upper) @ scores) / in_lower
    spread = upper @ (scores - high) ** 2 + (1.0 - upper) @ (scores - low) ** 2
    share = min(1.0 - NEARLY, max(NEARLY, in_upper / len(scores)))
    return Groups(share, low, high, max(float(spread) / len(scores), NEARLY))


def _otsu(scores: Floats) -> float:
    ordered = np.sort(scores)
    n = len(ordered)
    if n < 2:
        return float(ordered[0]) if n else 0.0
    sums, lower = np.cumsum(ordered), np.arange(1, n)
    gap = (sums[-1] - sums[:-1]) / (n - lower) - sums[:-1] / lower
    at = int(np.argmax(lower * (n - lower) * gap**2))
    return float(ordered[at] + ordered[at + 1]) / 2.0


def level(scores: Floats, expected: float, signs: Floats, groups: Groups) -> float:
    """Log odds of the share on topic of pages in fetch order.

    `expected` is what the model expects, `signs` are the log odds of each page by its own signs.
    """
    found = min(_log_odds(expected), _log_odds(groups.chances(scores).mean()) + ABOVE)
    half = len(scores) // 2
    if half >= HALF:
        by_half = two_groups(scores[:half]).chances(scores)
        first, second = float(by_half[:half].mean()), float(by_half[half:].mean())
        decline = log((first + FLOOR) / (second + FLOOR))
        declined = min(1.0, max(0.0, (decline - DECLINE) / (DECLINED - DECLINE)))
        lower = min(found, _log_odds(by_half.mean()) + ABOVE_HALF)
        found += declined * (lower - found)
    by_signs = BY_SIGNS * SIGNS_LAST**2 / (SIGNS_LAST**2 + len(scores) ** 2)
    return (1.0 - by_signs) * found + by_signs * _log_odds(sigmoid(signs).mean())


def _log_odds(chance: np.floating | float) -> float:
    return float(logit(np.float64(chance)))


class Line(NamedTuple):
    """From scores to log odds: trust · (slope · score + offset) + (1 - trust) · the page's own signs."""

    slope: float = 1.0
    offset: float = 0.0
    trust: float = 0.0

    def log_odds(self, scores: Floats, signs: Floats) -> Floats:
        """Log odds of pages."""
        return np.asarray(self.trust * (self.slope * scores + self.offset) + (1.0 - self.trust) * signs)


def line(scores: Floats, expected: float, signs: Floats) -> Line:
    """The line for pages in fetch order, seeds left out; see `level`."""
    if len(scores) < FEWEST:
        return Line()
    deviation = max(float(scores.std()), 1e-9)
    standard = scores / deviation
    groups = two_groups(standard)
    slope = max(SLOPE, min(STEEPEST, STEEPNESS * groups.slope))
    share = float(sigmoid(np.float64(level(standard, expected, signs, groups))))
    return Line(slope / deviation, offset_for(slope * standard, share), trust(len(scores)))


def trust(pages: int) -> float:
    """How much the comparison of so many pages counts beside their own signs."""
    return MOST_TRUST * pages / (pages + FEW)


BY_WORDS = {"density": 0.47, "coverage": 1.12, "link": 0.37, "": -1.69}
WITH_VECTORS = {"density": 0.31, "about": 1.97, "coverage": 1.07, "link": 0.33, "": -2.28}
"""Log odds of a page by its own signs, without and with word vectors; fitted on pages of several webs."""
DENSEST = 5.0
FARTHEST = 6.0
"""Limits of density and of the score of the link that was followed."""


LEAST_BEST = 0.3
"""Coverage that the best page is taken to have at least: a word met in passing is no sign."""


def own_signs(
    coverage: Floats, density: Floats, about: Floats | None, link_scores: Floats, best: float
) -> Floats:
    """Log odds of pages by what each has of the words, and by the link to it.

    Coverage is seen relative to the `best` of the crawl, as no page may have all words; `about` is None
    without word vectors.
    """
    weights = BY_WORDS if about is None else WITH_VECTORS
    links = np.clip(np.nan_to_num(link_scores), -FARTHEST, FARTHEST)
    found = weights[""] + weights["density"] * np.minimum(density, DENSEST) + weights["link"] * links
    found = found + weights["coverage"] * coverage / max(best, LEAST_BEST)
    return np.asarray(found if about is None else found + weights["about"] * about)


def signs_of(harvest: Harvest) -> Floats:
    """The same of all pages of a harvest."""
    about = harvest.about if harvest.about.any() else None
    best = float(harvest.coverage.max(initial=0.0))
    return own_signs(harvest.coverage, harvest.density, about, harvest.link_scores, best)
