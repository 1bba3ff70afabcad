"""The link model: it learns from fetched pages which links are worth following."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lagotto.base.records import Link
from lagotto.base.text import tokens
from lagotto.focus.judging.encoder import Encoder, anchor_text
from lagotto.focus.judging.similarity import likeness
from lagotto.focus.strategies.base import Revision
from lagotto.focus.strategies.scent import link_features
from lagotto.focus.strategies.scent.columns import Column
from lagotto.focus.strategies.scent.drought import EVERY, Drought
from lagotto.focus.strategies.scent.exploration import BONUS, Exploration
from lagotto.focus.strategies.scent.features import NAMES, PRIOR
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_table import QUEUED, LinkTable, NewLinks
from lagotto.focus.strategies.scent.progress import Outlook
from lagotto.focus.strategies.scent.regression import fit as fit_logistic
from lagotto.focus.strategies.scent.split import chance, sigmoid

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


GROWTH = 0.05
"""Link scores are revised when the number of pages has grown by this share."""
AT_LEAST, AT_MOST = 2.0, 100.0
"""Limits of the number of pages between two revisions."""
FEW = 5
"""With fewer fetched targets than this, the prior weights are used."""
TAUGHT = 400
"""Fetched targets to learn from: half of them the newest, half an even sample of the others."""
LEADING = 250
"""Best queued targets whose scores a revision computes exactly."""
IN_TURN = 60
"""Other queued targets that a revision scores exactly, in turn."""
WAYS = 3
"""Number of a page's best links whose mean is its worth for tunnelling."""
TEXT = 0.7
"""Weight of a page's text beside the score of links to it."""
CLIP = 4.0
"""Limit of the log odds that the score of links may add or subtract."""
REVISED = 192
"""Best links, by new and by old score, that the frontier is told about after a revision."""
NOTICEABLE = 0.02
"""Smallest change of a score that the frontier is told about."""
BEST = 100
"""Best queued links that predict the harvest of the next fetches."""
NEW_PLACES = 2.0
"""What the weights of the log numbers of pages of host and directory lose while there is no evidence."""
_PAGES_OF_DIRECTORY = NAMES.index("pages of directory")
_PAGES_OF_HOST = NAMES.index("pages of host")


class LinkModel:
    """Scores links, and predicts the relevance of a page from the links to it."""

    def __init__(
        self,
        exploration: Exploration,
        drought: Drought,
        *,
        learning: float,
        ridge: float,
        context: float,
        tunnelling: float,
        spread: float,
    ) -> None:
        self.exploration = exploration
        self.drought = drought
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
        """Prediction for each page from the links to it: log odds above the base rate."""
        self.relevances = Column(np.float64)
        """Relevance of each page, as of the last revision."""
        self.ways = Column(np.float64)
        """Mean probability of the best links of each page."""
        self.seeds = Column(np.bool_)
        """Whether each page was reached without a link."""
        self.learned = self.prior
        """Learned weights, before they are mixed with the prior."""
        self.next_in_turn = 0
        self._revisions: dict[int, Revision] = {}

    def due(self, judge: Judge) -> bool:
        """Whether enough pages have come since the last revision."""
        least = AT_LEAST if judge.evidence >= 1.0 else 1.0
        most = EVERY if self.drought.depth else AT_MOST
        return judge.pages - self.looked_at >= max(least, min(GROWTH * judge.pages, most))

    def record(self, promise: float, relevance: float, scores: np.ndarray, *, seed: bool) -> None:
        """Add a page, with the prediction from links to it and the scores of its own links."""
        self.promises.append(promise)
        self.relevances.append(relevance)
        self.seeds.append(seed)
        self.ways.append(sum(map(chance, np.sort(scores)[-WAYS:].tolist())) / WAYS)

    def promise(self, links: LinkTable, id: int) -> float:
        """Log odds above the base rate predicted from the known links to a target."""
        row = links.row(id)
        if row is None or not links.targets["links"].rows[row]:
            return 0.0
        return float(links.targets["score"].rows[row]) - self.base_log_odds

    def relevance(self, text: float, promise: float) -> float:
        """Relevance of a page from its text and from the links to it."""
        return chance(self.log_odds(text, promise))

    def log_odds(self, text: float, promise: float) -> float:
        """The same as log odds."""
        if not self.context:
            return text
        return TEXT * text + self.context * max(-CLIP, min(CLIP, promise))

    def all_log_odds(self, texts: np.ndarray) -> np.ndarray:
        """The same for all pages."""
        if not self.context:
            return texts
        return np.asarray(TEXT * texts + self.context * np.clip(self.promises.rows, -CLIP, CLIP))

    def preview(self, links: LinkTable, new: NewLinks, of_page: float, judge: Judge) -> np.ndarray:
        """Score parts of links that are not in the table yet."""
        return np.asarray(
            link_features.of_new_links(links, new, of_page, judge.lexicon, self.base) * self.weights
        )

    def revise(self, links: LinkTable, judge: Judge) -> None:
        """Revise link scores: learn from fetched targets, then score the best queued ones."""
        self.looked_at = judge.pages
        self._take_relevances(links, judge)
        self._train(links, judge)
        self.weights = self.learning * self.learned + (1 - self.learning) * self.prior
        self.weights[[_PAGES_OF_HOST, _PAGES_OF_DIRECTORY]] -= NEW_PLACES * (1.0 - judge.evidence)
        self._follow_hints(links)
        self._rescore(links, judge)

    def take_revisions(self) -> list[Revision]:
        """Revisions since the last call."""
        revisions, self._revisions = self._revisions, {}
        return list(revisions.values())

    def lift(self, links: LinkTable, judge: Judge, row: int) -> None:
        """Raise a queued target above all others of its host."""
        at = np.array([row])
        features = link_features.of_targets(links, at, self.relevances.rows, judge.lexicon, self.base)
        parts = [*(features[0] * self.weights).round(4).tolist(), 0.0, BONUS]
        score = float(features[0] @ self.weights) + BONUS
        links.tell(at, np.array([score]))
        id, host = links.targets["id"].rows.item(row), links.targets["host"].rows.item(row)
        self._revisions[id] = Revision(id, links.host_names[host], score, parts)

    def outlook(self, links: LinkTable, relevances: np.ndarray) -> Outlook:
        """Expected relevance of queued links, and how many relevant pages have one and two known links.

        `relevances` are those of all pages by number, at the level that is shown.
        """
        queued = links.targets["state"].rows == QUEUED
        promises = sigmoid(links.targets["score"].rows[queued])
        best = promises[_highest(promises, BEST)]
        fetched = links.evidence.rows.rows
        found = fetched[relevances[links.targets["page"].rows[fetched]] >= 0.5]
        linked = links.targets["links"].rows[found]
        return Outlook(
            best=float(best.mean()) if len(best) else 0.0,
            all=float(promises.sum()),
            once=int((linked == 1).sum()),
            twice=int((linked == 2).sum()),
        )

    @property
    def base_log_odds(self) -> float:
        """Log odds of the mean relevance."""
        return math.log(self.base / (1.0 - self.base))

    def _take_relevances(self, links: LinkTable, judge: Judge) -> None:
        """Take the current relevance of all pages, by judge or user, and update the links' groups."""
        self.relevances.set(sigmoid(self.all_log_odds(judge.logits.rows)))
        np.maximum(self.relevances.rows, (1.0 - judge.evidence) * self.seeds.rows, out=self.relevances.rows)
        for number, relevance in judge.said.items():
            self.relevances.rows[number] = relevance
        self.base = float(np.clip(self.relevances.rows.mean(), 0.02, 0.9))
        links.evidence.count(self.relevances.rows)

    def _train(self, links: LinkTable, judge: Judge) -> None:
        """Fit the weights to the fetched targets."""
        rows = _thinned(links.evidence.rows.rows)
        pages = links.targets["page"].rows[rows]
        found = ~self.seeds.rows[pages]
        rows, pages = rows[found], pages[found]
        if len(rows) < FEW:
            return
        relevance = self.relevances.rows
        worth = np.maximum(relevance[pages], self.tunnelling * self.ways.rows[pages])
        features = link_features.of_targets(links, rows, relevance, judge.lexicon, self.base)
        features[:, _PAGES_OF_DIRECTORY] = 0.0
        self.learned = fit_logistic(features, worth, self.prior, self.ridge, self.learned)
        self.promises.rows[pages] = features @ self.learned - self.base_log_odds

    def _follow_hints(self, links: LinkTable) -> None:
        """Change the scores of all targets by the change of their cheap features."""
        hint, score = links.targets["hint"].rows, links.targets["score"].rows
        now = link_features.hints(links, self.relevances.rows, self.weights, self.base)
        score += np.where(np.isnan(hint), 0.0, now - hint)
        hint[:] = now

    def _rescore(self, links: LinkTable, judge: Judge) -> None:
        """Compute exact scores of the best targets, and record those that changed."""
        rows = self._chosen(links)
        features = link_features.of_targets(links, rows, self.relevances.rows, judge.lexicon, self.base)
        scores, told = features @ self.weights, links.targets["told"].rows[rows]
        links.targets["score"].rows[rows] = scores
        parts = features * self.weights
        if self.drought.depth:
            bonus = self.drought.of(links.targets["host"].rows[rows], scores)
            parts = with_bonus(parts, bonus)
            scores = scores + bonus
        leading = _any_of(len(rows), _highest(scores, REVISED), _highest(told, REVISED))
        changed = leading[np.abs(scores[leading] - told[leading]) > NOTICEABLE]
        changed = changed[~self.exploration.are_out(links.targets["id"].rows[rows[changed]])]
        links.tell(rows[changed], scores[changed])
        parts = parts[changed].round(4)
        for id, host, score, terms in zip(
            links.targets["id"].rows[rows[changed]].tolist(),
            links.targets["host"].rows[rows[changed]].tolist(),
            scores[changed].tolist(),
            parts.tolist(),
            strict=True,
        ):
            self._revisions[id] = Revision(id, links.host_names[host], score, terms)

    def _chosen(self, links: LinkTable) -> np.ndarray:
        """Rows of the queued targets to score exactly: the best ones, and others in turn."""
        queued = np.flatnonzero(links.targets["state"].rows == QUEUED)
        if len(queued) <= LEADING + IN_TURN:
            return queued
        scores = links.targets["score"].rows[queued]
        if self.drought.depth:
            scores = scores + self.drought.of(links.targets["host"].rows[queued], scores)
        best = queued[_highest(scores, LEADING)]
        told = queued[_highest(links.targets["told"].rows[queued], REVISED)]
        start = int(np.searchsorted(queued, self.next_in_turn))
        others = queued[start : start + IN_TURN]
        self.next_in_turn = int(others[-1]) + 1 if start + IN_TURN < len(queued) else 0
        return _any_of(len(links.targets["page"]), best, told, others)


def with_bonus(parts: np.ndarray, bonus: np.ndarray) -> np.ndarray:
    """Score parts with the bonus of each link's host after them."""
    return np.column_stack([parts, bonus])


def _thinned(rows: np.ndarray) -> np.ndarray:
    """At most `TAUGHT` rows: the newest, and an even sample of the older ones."""
    older = len(rows) - TAUGHT // 2
    if older <= TAUGHT // 2:
        return rows
    return np.concatenate([rows[: older : older // (TAUGHT // 2) + 1], rows[older:]])


def _any_of(n: int, *places: np.ndarray) -> np.ndarray:
    """Sorted union of index arrays, all below n."""
    there = np.zeros(n, np.bool_)
    for each in places:
        there[each] = True
    return there.nonzero()[0]


def _highest(values: np.ndarray, n: int) -> np.ndarray:
    """Indices of the n highest values, in no order."""
    return np.argpartition(values, len(values) - n)[-n:] if len(values) > n else np.arange(len(values))
