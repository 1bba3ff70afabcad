"""The link model: it learns, from what its own fetches turned out to be, which links are worth following."""

from __future__ import annotations

import math

import numpy as np

from lagotto.strategies.base import Revision
from lagotto.strategies.scent import views
from lagotto.strategies.scent.columns import Column
from lagotto.strategies.scent.exploration import BONUS, Exploration
from lagotto.strategies.scent.features import NAMES, PRIOR
from lagotto.strategies.scent.judge import Judge
from lagotto.strategies.scent.linktable import UNFETCHED, LinkTable, NewLinks
from lagotto.strategies.scent.logistic import fit as fit_logistic
from lagotto.strategies.scent.progress import Outlook
from lagotto.strategies.scent.split import chance, sigmoid

GROWTH = 0.05
"""Links are looked at anew when the pages have grown by this share."""
AT_LEAST, AT_MOST = 2.0, 100.0
"""But no sooner and no later than after so many pages."""
FEW = 5
"""Below so many fetched targets the prior alone decides."""
TAUGHT = 400
"""Fetched targets that are learned from: the newest half of them, and of the others every so many."""
LEADING = 250
"""Best queued targets that a look scores anew."""
IN_TURN = 60
"""Other targets that a look scores anew, going round."""
WAYS = 3
"""Best links of a page that say what it is worth as a way to others."""
TEXT = 0.7
"""How much a page's text counts beside what its links promised."""
CLIP = 4.0
"""Log odds that a promise may add or take away at most."""
REVISED = 192
"""Best links, by new score and by old, whose scores the frontier is told of after each look."""
NOTICEABLE = 0.02
"""Change of a score below which the frontier is not bothered."""
BEST = 100
"""Best queued links that say what the next fetches will bring."""
_PAGES_OF_HOST = NAMES.index("pages of host")


class Apprentice:
    """Scores links, and says of fetched pages what their links had promised."""

    def __init__(
        self,
        exploration: Exploration,
        *,
        learning: float,
        ridge: float,
        context: float,
        tunnelling: float,
        spread: float,
    ) -> None:
        self.exploration = exploration
        self.learning = learning
        self.ridge = ridge
        self.context = context
        self.tunnelling = tunnelling
        self.prior = PRIOR.copy()
        self.prior[_PAGES_OF_HOST] -= spread
        self.weights = self.prior.copy()
        self.base = 0.1
        self.looked_at = 0
        self.promises = Column(np.float64)
        """What its links promised of every page read: log odds above the base rate, itself left out."""
        self.relevances = Column(np.float64)
        """Relevance of every page read, as of the last look."""
        self.ways = Column(np.float64)
        """What the best links of every page read promised to lead to."""
        self.seeds = Column(np.bool_)
        """Pages that no link led to."""
        self.learned = self.prior
        """Weights as learned, before those of the prior are mixed in."""
        self.next_in_turn = 0
        self._revisions: dict[int, Revision] = {}

    def due(self, pages: int) -> bool:
        """Whether enough pages came since the last look at all links."""
        return pages - self.looked_at >= max(AT_LEAST, min(GROWTH * pages, AT_MOST))

    def note(self, promise: float, relevance: float, scores: np.ndarray, *, seed: bool) -> None:
        """One more page, with what links to it promised, and with the scores of its own links."""
        self.promises.append(promise)
        self.relevances.append(relevance)
        self.seeds.append(seed)
        self.ways.append(sum(map(chance, np.sort(scores)[-WAYS:].tolist())) / WAYS)

    def promise(self, links: LinkTable, id: int) -> float:
        """Log odds above the base rate that the known links to a target give it."""
        row = links.row(id)
        if row is None or not links.targets["links"].rows[row]:
            return 0.0
        return float(links.targets["score"].rows[row]) - self._base_log_odds

    def relevance(self, text: float, promise: float) -> float:
        """Relevance of a page by its text and by what its links promised."""
        if not self.context:
            return chance(text)
        return chance(TEXT * text + self.context * max(-CLIP, min(CLIP, promise)))

    def all_relevances(self, texts: np.ndarray) -> np.ndarray:
        """The same of all pages read."""
        if not self.context:
            return sigmoid(texts)
        return sigmoid(TEXT * texts + self.context * np.clip(self.promises.rows, -CLIP, CLIP))

    def preview(self, links: LinkTable, new: NewLinks, of_page: float, judge: Judge) -> np.ndarray:
        """Parts of the scores of links that are not in the table yet."""
        return np.asarray(views.of_new_links(links, new, of_page, judge.lexicon, self.base) * self.weights)

    def look(self, links: LinkTable, judge: Judge) -> None:
        """Learn from fetched targets, score the queued ones that matter, and say which scores changed."""
        self.looked_at = judge.pages
        self._take_relevances(links, judge)
        self._train(links, judge)
        self._follow_hints(links)
        self._rescore(links, judge)

    def take_revisions(self) -> list[Revision]:
        """Scores that changed since this was last asked."""
        revisions, self._revisions = self._revisions, {}
        return list(revisions.values())

    def lift(self, links: LinkTable, judge: Judge, row: int) -> None:
        """Put a queued target before all others of its host."""
        at = np.array([row])
        features = views.of_targets(links, at, self.relevances.rows, judge.lexicon, self.base)
        parts = [*(features[0] * self.weights).round(4).tolist(), BONUS]
        links.targets["told"].rows[row] = score = float(features[0] @ self.weights) + BONUS
        id, host = links.targets["id"].rows.item(row), links.targets["host"].rows.item(row)
        self._revisions[id] = Revision(id, links.host_names[host], score, parts)

    def outlook(self, links: LinkTable) -> Outlook:
        """What queued links promise, and how many relevant pages are linked once and twice."""
        queued = links.targets["page"].rows == UNFETCHED
        promises = sigmoid(links.targets["score"].rows[queued])
        best = promises[_highest(promises, BEST)]
        fetched = links.evidence.rows.rows
        found = fetched[self.relevances.rows[links.targets["page"].rows[fetched]] >= 0.5]
        linked = links.targets["links"].rows[found]
        return Outlook(
            best=float(best.mean()) if len(best) else 0.0,
            all=float(promises.sum()),
            once=int((linked == 1).sum()),
            twice=int((linked == 2).sum()),
        )

    @property
    def _base_log_odds(self) -> float:
        return math.log(self.base / (1.0 - self.base))

    def _take_relevances(self, links: LinkTable, judge: Judge) -> None:
        """Know what the judge thinks of all pages now, or the user, and let the links' groups know."""
        self.relevances.set(self.all_relevances(judge.logits.rows))
        for number, relevance in judge.said.items():
            self.relevances.rows[number] = relevance
        self.base = float(np.clip(self.relevances.rows.mean(), 0.02, 0.9))
        links.evidence.count(self.relevances.rows)

    def _train(self, links: LinkTable, judge: Judge) -> None:
        """Fit the weights to what fetched targets turned out to be."""
        rows = _thinned(links.evidence.rows.rows)
        pages = links.targets["page"].rows[rows]
        found = ~self.seeds.rows[pages]
        rows, pages = rows[found], pages[found]
        if len(rows) < FEW:
            return
        relevance = self.relevances.rows
        worth = np.maximum(relevance[pages], self.tunnelling * self.ways.rows[pages])
        features = views.of_targets(links, rows, relevance, judge.lexicon, self.base)
        self.learned = fit_logistic(features, worth, self.prior, self.ridge, self.learned)
        self.weights = self.learning * self.learned + (1 - self.learning) * self.prior
        self.promises.rows[pages] = features @ self.learned - self._base_log_odds

    def _follow_hints(self, links: LinkTable) -> None:
        """Move the scores of all targets as what is cheap to know of them has moved."""
        hint, score = links.targets["hint"].rows, links.targets["score"].rows
        now = views.hints(links, self.relevances.rows, self.weights, self.base)
        score += np.where(np.isnan(hint), 0.0, now - hint)
        hint[:] = now

    def _rescore(self, links: LinkTable, judge: Judge) -> None:
        """Make the frontier's best links the right ones: those that now are best, and those that were."""
        rows = self._chosen(links)
        features = views.of_targets(links, rows, self.relevances.rows, judge.lexicon, self.base)
        scores, told = features @ self.weights, links.targets["told"].rows[rows]
        links.targets["score"].rows[rows] = scores
        leading = _any_of(len(rows), _highest(scores, REVISED), _highest(told, REVISED))
        changed = leading[np.abs(scores[leading] - told[leading]) > NOTICEABLE]
        changed = changed[~self.exploration.are_out(links.targets["id"].rows[rows[changed]])]
        links.targets["told"].rows[rows[changed]] = scores[changed]
        parts = (features[changed] * self.weights).round(4)
        for id, host, score, terms in zip(
            links.targets["id"].rows[rows[changed]].tolist(),
            links.targets["host"].rows[rows[changed]].tolist(),
            scores[changed].tolist(),
            parts.tolist(),
            strict=True,
        ):
            self._revisions[id] = Revision(id, links.host_names[host], score, terms)

    def _chosen(self, links: LinkTable) -> np.ndarray:
        """Rows of the queued targets that this look scores: the best ones by score, and others in turn."""
        queued = np.flatnonzero(links.targets["page"].rows == UNFETCHED)
        if len(queued) <= LEADING + IN_TURN:
            return queued
        best = queued[_highest(links.targets["score"].rows[queued], LEADING)]
        told = queued[_highest(links.targets["told"].rows[queued], REVISED)]
        start = int(np.searchsorted(queued, self.next_in_turn))
        others = queued[start : start + IN_TURN]
        self.next_in_turn = int(others[-1]) + 1 if start + IN_TURN < len(queued) else 0
        return _any_of(len(links.targets["page"]), best, told, others)


def _thinned(rows: np.ndarray) -> np.ndarray:
    """The newest half of `TAUGHT`, and of those before them every so many."""
    older = len(rows) - TAUGHT // 2
    if older <= TAUGHT // 2:
        return rows
    return np.concatenate([rows[: older : older // (TAUGHT // 2) + 1], rows[older:]])


def _any_of(n: int, *places: np.ndarray) -> np.ndarray:
    """Places below n that are among any of these, in order."""
    there = np.zeros(n, np.bool_)
    for each in places:
        there[each] = True
    return there.nonzero()[0]


def _highest(values: np.ndarray, n: int) -> np.ndarray:
    """Places of the n highest values."""
    return np.argpartition(values, len(values) - n)[-n:] if len(values) > n else np.arange(len(values))
