"""The link model: it learns, from what its own fetches turned out to be, which links are worth following."""

from __future__ import annotations

import numpy as np

from lagotto.strategies.base import Revision
from lagotto.strategies.scent.columns import Column
from lagotto.strategies.scent.features import NAMES, PRIOR
from lagotto.strategies.scent.judge import Judge
from lagotto.strategies.scent.linktable import UNFETCHED, LinkTable, NewLinks
from lagotto.strategies.scent.logistic import fit as fit_logistic
from lagotto.strategies.scent.split import log_odds, sigmoid

GROWTH = 0.04
"""All links are looked at anew when the pages have grown by this share."""
AT_MOST = 100
"""But at the latest after so many pages."""
FEW = 5
"""Below so many fetched targets the prior alone decides."""
TEXT = 0.7
"""How much a page's text counts beside what its links promised."""
CLIP = 4.0
"""Log odds that a promise may add or take away at most."""
REVISED = 192
"""Best links, by new score and by old, whose scores the frontier is told of after each look."""
NOTICEABLE = 1e-3
"""Change of a score below which the frontier is not bothered."""
_PAGES_OF_HOST = NAMES.index("pages of host")


class Apprentice:
    """Scores links, and says of fetched pages what their links had promised."""

    def __init__(self, *, learning: float, ridge: float, context: float, spread: float) -> None:
        self.learning = learning
        self.ridge = ridge
        self.context = context
        self.prior = PRIOR.copy()
        self.prior[_PAGES_OF_HOST] -= spread
        self.weights = self.prior.copy()
        self.base = 0.1
        self.looked_at = 0
        self.promises = Column(np.float64)
        """What its links promised of every page read: log odds above the base rate, itself left out."""
        self.relevances = Column(np.float64)
        """Relevance of every page read, as of the last look."""
        self.seeds = Column(np.bool_)
        """Pages that no link led to."""
        self.learned = np.zeros(0)
        """Learned log odds of every target at the last look."""
        self._revisions: list[Revision] = []

    def due(self, pages: int) -> bool:
        """Whether enough pages came since the last look at all links."""
        return pages - self.looked_at >= max(1.0, min(GROWTH * pages, AT_MOST))

    def note(self, promise: float, relevance: float, *, seed: bool) -> None:
        """One more page, with what its links promised."""
        self.promises.extend(np.array([promise]))
        self.relevances.extend(np.array([relevance]))
        self.seeds.extend(np.array([seed]))

    def promise(self, links: LinkTable, id: int) -> float:
        """Log odds above the base rate that the known links to a target give it."""
        row = links.rows.get(id)
        if row is None:
            return 0.0
        learned = self.learned[row] if row < len(self.learned) else links.scores.rows[row]
        return float(learned - log_odds(np.array([self.base]))[0])

    def relevance(self, text: np.ndarray, promises: np.ndarray) -> np.ndarray:
        """Relevance of pages by their text and by what their links promised."""
        if not self.context:
            return sigmoid(text)
        return sigmoid(TEXT * text + self.context * np.clip(promises, -CLIP, CLIP))

    def preview(self, links: LinkTable, new: NewLinks, of_page: float, judge: Judge) -> np.ndarray:
        """Parts of the scores of links that are not in the table yet."""
        features = links.preview(new, of_page, self.relevances.rows, judge.lexicon, self.base)
        return np.asarray(features * self.weights)

    def fit(self, links: LinkTable, judge: Judge) -> None:
        """Look at all links: learn from the fetched ones, score the others, say which scores changed."""
        self.looked_at = len(judge.readings)
        if not len(links):
            return
        self.relevances.set(self.relevance(judge.logits.rows, self.promises.rows))
        relevance = self.relevances.rows
        self.base = float(np.clip(relevance.mean(), 0.02, 0.9))
        features = links.features(relevance, judge.lexicon, self.base)
        page = links.targets["page"].rows
        fetched = np.flatnonzero(page >= 0)
        taught = fetched[~self.seeds.rows[page[fetched]]]
        learned = self.prior
        if len(taught) >= FEW:
            learned = fit_logistic(features[taught], relevance[page[taught]], self.prior, self.ridge)
        self.weights = self.learning * learned + (1 - self.learning) * self.prior
        self.learned = features @ learned
        self.promises.rows[page[fetched]] = self.learned[fetched] - log_odds(np.array([self.base]))[0]
        self._revise(links, features, page)
        kept = links.forget()
        if kept is not None:
            self.learned = self.learned[kept]

    def take_revisions(self) -> list[Revision]:
        """Scores that changed at the last look; asked once."""
        revisions, self._revisions = self._revisions, []
        return revisions

    def outlook(self, links: LinkTable) -> tuple[list[float], int, int]:
        """What queued links promise, best first, and how many relevant pages are linked once and twice."""
        page = links.targets["page"].rows
        promises = np.sort(sigmoid(links.scores.rows[page == UNFETCHED]))[::-1]
        relevance = self.relevances.rows
        found = (page >= 0) & (relevance[np.maximum(page, 0)] >= 0.5) if len(relevance) else page >= 0
        linked = np.bincount(links.links["target"].rows, minlength=len(page))
        return promises.tolist(), int((found & (linked == 1)).sum()), int((found & (linked == 2)).sum())

    def _revise(self, links: LinkTable, features: np.ndarray, page: np.ndarray) -> None:
        """Make the frontier's best links the right ones: those that now are best, and those that were."""
        queued = np.flatnonzero(page == UNFETCHED)
        scores, told = features[queued] @ self.weights, links.scores.rows
        leading = np.union1d(_highest(scores, REVISED), _highest(told[queued], REVISED))
        changed = leading[np.abs(scores[leading] - told[queued[leading]]) > NOTICEABLE]
        told[queued[changed]] = scores[changed]
        rows = queued[changed]
        parts = (features[rows] * self.weights).round(4)
        self._revisions = [
            Revision(id, links.host_names[host], score, terms)
            for id, host, score, terms in zip(
                links.targets["id"].rows[rows].tolist(),
                links.targets["host"].rows[rows].tolist(),
                scores[changed].tolist(),
                parts.tolist(),
                strict=True,
            )
        ]


def _highest(values: np.ndarray, n: int) -> np.ndarray:
    """Places of the n highest values."""
    return np.argpartition(-values, n)[:n] if len(values) > n else np.arange(len(values))
