"""Judging all fetched pages again by the judge as it is now."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import numpy as np

from lagotto.base.sparse import sums
from lagotto.focus.judging import FetchedPage, Gathering, Harvest, Rejudged, judge_again
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.strategies.scent.judge import FEW, PARENTS, Judge
from lagotto.focus.strategies.scent.link_table import LinkTable
from lagotto.focus.strategies.scent.split import sigmoid
from lagotto.focus.strategies.scent.words import BY_MEANING


def rejudge(
    judge: Judge, links: LinkTable, pages: Iterable[FetchedPage], encoder: Encoder | None
) -> Rejudged | None:
    """Relevance and verdicts of pages, or None of too few; neither judge nor links change."""
    found = harvest(judge, links, pages, encoder)
    return None if found is None else judge_again(found)


def harvest(
    judge: Judge, links: LinkTable, pages: Iterable[FetchedPage], encoder: Encoder | None = None
) -> Harvest | None:
    """What judging again takes of pages, or None of too few."""
    judge = fitted(judge, links)
    if judge.fitted_at < FEW:
        return None
    gathering = Gathering(judge.shares())
    texts: list[str] = []
    for page in pages:
        reading = judge.read(page.counts, list(page.titled))
        gathering.add(page, reading.buckets, reading.weights, float(reading.words[-BY_MEANING]))
        if encoder is not None:
            texts.append(page.text)
    score = _scores(judge, links, gathering)
    asked = list(judge.words.weights)
    return gathering.harvest(
        score,
        sigmoid(judge.level.logits(score)),
        judge.frequencies.idf,
        encoder.encode(texts) if encoder is not None else None,
        encoder.encode([" ".join(asked), *asked]) if encoder is not None else None,
    )


def fitted(judge: Judge, links: LinkTable) -> Judge:
    """The judge as it would be after a fit to all pages read so far, without changing the crawl's own."""
    if judge.fitted_at == judge.pages:
        return judge
    judge = copy.deepcopy(judge, {id(judge.words): judge.words})  # A fit leaves the words as they are.
    judge.fit(*links.evidence.edges())
    return judge


def _scores(judge: Judge, links: LinkTable, gathering: Gathering) -> np.ndarray:
    """What the judge's regression predicts for every page, as `Judge.weigh` does for one."""
    terms, weights, lengths = gathering.terms()
    lexicon = judge.lexicon.learned[terms]
    sizes = np.sqrt(sums(weights * weights * lexicon["square"], lengths))
    by_text = sums(weights * lexicon["weight"], lengths) / np.maximum(sizes, 1e-12)
    numbers = np.array([_number(links, id, judge) for id in gathering.ids.tolist()], np.int64)
    of_pages = np.append(judge.parent_weights, 0.0)[numbers]
    children, parents = gathering.links()
    by_links = of_pages + np.bincount(children, of_pages[parents], len(gathering))
    linking = 1.0 + np.bincount(children, minlength=len(gathering))
    return np.asarray(by_text + PARENTS * by_links / np.sqrt(linking), np.float64)


def _number(links: LinkTable, id: int, judge: Judge) -> int:
    """The judge's number of a page, or that of no page."""
    number = links.page_of(id)
    return number if number is not None and number < len(judge.parent_weights) else -1
