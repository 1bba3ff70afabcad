"""Judging the pages of a finished run again, as a crawl does it at its end."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from lagotto.crawling.rejudging import judge_pages, store_verdicts
from lagotto.judging.encoder import Encoder
from lagotto.protocols import Store
from lagotto.strategies.base import Strategy
from lagotto.topic import Topic

DIGITS = 6
"""Digits of a relevance that are kept."""


class Again(Struct):
    """What judging all pages again gave; the lists are in fetch order."""

    relevance: list[float | None]
    """None for a page that was not judged, since its content was seen before."""
    relevant: list[bool]
    recall: float
    recall_low: float
    recall_high: float
    presence: float | None
    """Chance that the web has the topic; None if the strategy does not judge that."""
    here: bool
    cpu_seconds: float


async def judge_again(
    store: Store, strategy: Strategy, topic: Topic, numbers: Sequence[int], encoder: Encoder | None = None
) -> Again | None:
    """Judge the pages with these numbers again; None if the strategy judges no page twice."""
    started = time.process_time()
    found = judge_pages(
        store.reader(), strategy, language=topic.language, phrases=topic.phrases, encoder=encoder
    )
    if found is None:
        return None
    await store_verdicts(store, found)
    seconds = time.process_time() - started
    rows = {row.seq: row for row in store.reader().rows()}
    pages = [rows[number] for number in numbers]
    judging = found.judging
    return Again(
        relevance=[None if page.relevance is None else round(page.relevance, DIGITS) for page in pages],
        relevant=[bool(page.relevant) for page in pages],
        recall=judging.recall,
        recall_low=judging.recall_low,
        recall_high=judging.recall_high,
        presence=None if judging.naming is None else judging.presence,
        here=judging.here,
        cpu_seconds=seconds,
    )
