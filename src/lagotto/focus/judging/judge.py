"""Judging a whole harvest again, with what is known at the end.

1. Each page's own evidence: the model's score, its likeness to the seeds, the link that led to it, whether it
   is a list of links, and by an encoder its likeness to the words.
2. Pages next to each other are judged alike, as far as the model's scores agree with those of the neighbours.
3. Pages fetched early, and pages of hosts that have the words, are more likely to be on topic.
4. The sum becomes a chance (`level`); in a small crawl each page's own signs of the words count as well.
5. Marks change the order, the level and the slope at once.
6. Where the best pages have too little of the words, the topic is not on this web (`presence`).
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.base.views import NEAR_CUT
from lagotto.focus.judging.calibration import best_cut, expected_share, logit, sigmoid
from lagotto.focus.judging.harvest import Flags, Floats, Harvest
from lagotto.focus.judging.level import line, signs_of
from lagotto.focus.judging.marks import taught
from lagotto.focus.judging.presence import OWN, Presence, presence
from lagotto.focus.judging.recall import NINETY, Recall, estimate_recall
from lagotto.focus.judging.similarity import (
    Neighbours,
    centred,
    correlation,
    latent,
    likeness,
    nearest,
    over_links,
    ramp,
    smooth,
    standard,
    unit,
)

Vectors = NDArray[np.float32]

AGREE = (0.8, 0.9)
"""Correlation of scores with the neighbours' from which on neighbours count, and count fully."""
LINKS_AGREE = (0.4, 0.8)
"""The same for pages that link to each other."""
FALLS = (0.0, 0.2)
"""Correlation of scores with the order of fetching from which on that order counts, and counts fully."""
TEXT_BESIDE_MEANING = 0.5
ELSEWHERE = 0.2
"""Part of its relevance that a page keeps that has too little of the words of a narrow topic."""


PRECISION_SPREAD = 1.5
"""Standard deviation of the error of expected precision, in log odds."""


class Weights(Struct, frozen=True):
    """Weights of a page's evidence beside the model's score, in standard deviations."""

    seeds: float = 0.15
    list_of_links: float = 0.3
    """For each unit of the natural logarithm of the number of links over the median."""
    link: float = 0.2
    early: float = 1.5
    """From the first page fetched to the last one."""
    host: float = 0.3
    """For what the best page of the same host has of the words."""
    meaning: float = 0.0
    meaning_of_seeds: float = 0.0
    neighbours: float = 0.6
    """Share of the nearest pages."""
    linking: float = 0.3
    """Share of the pages that link to a page."""


PLAIN = Weights()
WITH_ENCODER = Weights(
    meaning=0.5,
    meaning_of_seeds=0.25,
    neighbours=0.75,
    linking=0.15,
)


class Rejudged(Struct, frozen=True, kw_only=True):
    """Relevance and verdict of every page, and what they are made of."""

    relevance: Floats
    """Chance to be on topic; 1 or 0 where marked."""
    relevant: Flags
    """The verdict; as marked where marked."""
    cut: float
    """Relevance from which on a page is claimed."""
    presence: Presence
    recall: Recall
    changed: int
    """Pages that are not marked and have another verdict than they would have without any mark."""
    parts: dict[str, Floats]
    """Log odds of each page, part by part."""
    log_odds: Floats
    """Their sum, before a mark replaces the relevance of its own page."""

    @property
    def precision(self) -> float | None:
        """Expected share on topic of the pages claimed; None if none is."""
        return float(self.relevance[self.relevant].mean()) if self.relevant.any() else None

    @property
    def precision_interval(self) -> tuple[float | None, float | None]:
        """Its 90 % interval, by how far expected precision was off on labelled webs."""
        if self.precision is None:
            return None, None
        width = NINETY * PRECISION_SPREAD
        low, high = sigmoid(logit(np.float64(self.precision)) + width * np.array([-1.0, 1.0])).tolist()
        return low, high

    @property
    def near(self) -> int:
        """Pages whose relevance is within `NEAR_CUT` of the cut."""
        return int((np.abs(self.relevance - self.cut) <= NEAR_CUT).sum())

    @property
    def expected(self) -> float:
        """Pages expected on topic."""
        return float(self.relevance.sum())

    def explain(self, row: int) -> dict[str, float]:
        """Parts of one page's log odds."""
        return {name: round(float(values[row]), 3) for name, values in self.parts.items()}


def judge_again(harvest: Harvest, weights: Weights | None = None) -> Rejudged:
    """Judge all pages again; the weights are those measured best unless given."""
    found = ~harvest.seeds
    texts = latent(harvest.terms, harvest.weights, harvest.lengths)
    meanings = centred(harvest.embeddings) if harvest.embeddings is not None else None
    similarity = None
    if harvest.embeddings is not None and harvest.asked is not None:
        similarity = likeness(harvest.embeddings, harvest.asked)
    weights = weights or (PLAIN if similarity is None else WITH_ENCODER)
    neighbours = nearest(_joined(texts, meanings))
    model = standard(harvest.score)
    agree = ramp(correlation(model, neighbours.mean(model)), *AGREE)
    parts = _own_evidence(harvest, weights, model, texts, meanings, similarity, agree)
    parts |= _of_others(harvest, weights, parts, neighbours, model, agree)
    parts["fetched early"] = weights.early * _earliness(model)
    parts["best page of its host"] = weights.host * _best_of_host(harvest)
    score = sum(parts.values(), np.zeros(len(harvest)))
    signs = signs_of(harvest)
    drawn = line(score[found], expected_share(harvest.chance[found]), signs[found])
    parts = {name: drawn.trust * drawn.slope * values for name, values in parts.items()}
    parts["level"] = np.full(len(harvest), drawn.trust * drawn.offset)
    parts["own signs"] = (1.0 - drawn.trust) * signs
    log_odds = drawn.log_odds(score, signs)
    after = taught(log_odds, harvest.marks, texts, meanings, harvest.hosts)
    parts["marks"] = after - log_odds
    return _concluded(harvest, parts, after, presence(harvest, similarity))


def _joined(texts: Vectors, meanings: Vectors | None) -> Vectors:
    if meanings is None:
        return texts
    return unit(np.hstack([meanings, np.sqrt(TEXT_BESIDE_MEANING) * texts]))


def _own_evidence(
    harvest: Harvest,
    weights: Weights,
    model: Floats,
    texts: Vectors,
    meanings: Vectors | None,
    similarity: Floats | None,
    agree: float,
) -> dict[str, Floats]:
    """What speaks for each page by itself, in standard deviations of the model's score."""
    seeds = harvest.seeds & (harvest.coverage > 0)
    links = np.log1p(harvest.out_links)
    parts = {
        "model": model,
        "like the seeds": agree * weights.seeds * _likeness(texts, seeds),
        "list of links": weights.list_of_links * (np.median(links) - links if len(links) else links),
        "link to it": weights.link * standard(np.clip(harvest.link_scores, -8.0, 8.0)),
    }
    if meanings is not None and similarity is not None:
        parts["meaning"] = weights.meaning * standard(similarity)
        parts["meaning of the seeds"] = weights.meaning_of_seeds * _likeness(meanings, seeds)
    return parts


def _earliness(model: Floats) -> Floats:
    """From ½ for the first page to -½ for the last one, as far as the model's scores fall in that order.

    Links that promise most are fetched first.
    """
    early = 0.5 - np.arange(len(model)) / max(len(model), 1)
    return ramp(correlation(model, early), *FALLS) * early


def _best_of_host(harvest: Harvest) -> Floats:
    """Standardised coverage of the page of each page's host that has most of the words, seeds left out."""
    best = np.zeros(int(harvest.hosts.max(initial=0)) + 1)
    np.maximum.at(best, harvest.hosts, np.where(harvest.seeds, 0.0, harvest.coverage))
    return standard(best[harvest.hosts])


def _likeness(vectors: Vectors, pages: Flags) -> Floats:
    """Standardised cosine with the centre of some pages; 0 without any."""
    if not pages.any():
        return np.zeros(len(vectors))
    return standard(vectors @ unit(vectors[pages].mean(axis=0)))


def _of_others(
    harvest: Harvest,
    weights: Weights,
    own: dict[str, Floats],
    neighbours: Neighbours,
    model: Floats,
    agree: float,
) -> dict[str, Floats]:
    """What the nearest pages and the linking pages add to a page's own evidence."""
    alone = sum(own.values(), np.zeros(len(harvest)))
    smoothed = smooth(alone, neighbours, weights.neighbours * agree)
    linked = np.zeros(len(harvest), np.bool_)
    linked[harvest.children] = True
    by_links = over_links(model, harvest.children, harvest.parents)
    share = weights.linking * ramp(correlation(model[linked], by_links[linked]), *LINKS_AGREE)
    moved = share * (over_links(smoothed, harvest.children, harvest.parents) - smoothed)
    return {"near pages": smoothed - alone, "linking pages": moved}


def _concluded(harvest: Harvest, parts: dict[str, Floats], log_odds: Floats, here: Presence) -> Rejudged:
    """Bring in whether the topic is there, cut, and let marks decide their own pages."""
    chances = sigmoid(log_odds)
    # Where the topic is a few pages at most, only pages that have its words can be those.
    open_to = harvest.coverage >= OWN if here.narrow else np.full(len(harvest), here.clear)
    bounded = chances * np.where(open_to, 1.0, ELSEWHERE if here.narrow else here.chance)
    parts["presence"] = logit(bounded) - logit(chances)
    marked = np.isfinite(harvest.marks)
    relevance = np.where(marked, harvest.marks, bounded)
    cut = best_cut(relevance[~harvest.seeds])
    relevant = np.where(marked, harvest.marks == 1, (relevance >= cut) & open_to)
    # Recall is told from how the harvest declines, by a rule that was fitted without marks.
    before_marks = sigmoid(logit(bounded) - parts["marks"])
    without = (before_marks >= best_cut(before_marks[~harvest.seeds])) & open_to
    return Rejudged(
        relevance=relevance,
        relevant=relevant,
        cut=cut,
        presence=here,
        changed=int((without != relevant)[~marked].sum()) if marked.any() else 0,
        recall=estimate_recall(before_marks, ~harvest.seeds, harvest.children, harvest.parents),
        parts=parts,
        log_odds=logit(bounded),
    )
