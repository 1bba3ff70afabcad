"""Judging all pages of a crawl again by what is known now, and storing the new verdicts.

A page's relevance at fetch is a guess by a model that had seen little. When the crawl ends, on
`lagotto judge`, and after marks or edits of the topic, every page is judged anew. What is stored counts
everywhere; the judgement at fetch stays beside it, and a user's mark beats both. `rejudger` runs this in a
thread beside a crawl.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import nan
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from lagotto.base.batch import Batch, NewJudgement, Version
from lagotto.base.events import JudgedAgain
from lagotto.base.protocols import Reader, WorkerStore
from lagotto.base.records import Page
from lagotto.base.text import counted_terms, counting
from lagotto.base.urls import checksum, host_of
from lagotto.base.views import JudgedPage, Judging
from lagotto.focus.judging import FetchedPage, Recall, Rejudged, estimate_recall, links_among
from lagotto.focus.judging.encoder import Encoder, opening
from lagotto.focus.strategies.base import Strategy

KIND = "judging"
"""Kind of version under which a judging is kept."""
NO_PREDICTION = frozenset({"exploration", "little-known host"})
"""Parts of a link score that say nothing of the page that the link leads to."""
AT_ONCE = 5000
"""Judgements that one transaction writes."""


class JudgedPages(Protocol):
    """A reader, as far as judging again reads it."""

    def judged_pages(self, counting: int = 0, *, with_text: bool = True) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits."""
        ...


class _Row(NamedTuple):
    """What is kept of a page while the others are read."""

    number: int
    url: str
    depth: int
    mark: bool | None
    targets: bytes
    """Checksums of the URLs that it links to."""


class NewVerdicts(NamedTuple):
    """What judging all pages again gave, before it is stored."""

    judgements: list[NewJudgement]
    judging: Judging


def judge_pages(
    reader: JudgedPages,
    strategy: Strategy,
    *,
    language: str,
    phrases: Sequence[str] = (),
    encoder: Encoder | None = None,
) -> NewVerdicts | None:
    """Judge all pages again; None if the strategy cannot, or texts were not kept. Nothing changes."""
    rows: list[_Row] = []
    counted = counting(language, phrases)
    pages = _noted(reader.judged_pages(counted, with_text=encoder is not None), rows)
    fetched = fetched_pages(pages, strategy, language, phrases, with_text=encoder is not None)
    rejudged = strategy.rejudge(fetched, encoder)
    if rejudged is not None:
        judgements = list(_by_harvest(rows, rejudged))
    elif strategy.topic_changes:
        rows.clear()
        pages = _noted(reader.judged_pages(counted), rows)
        judgements = [_by_itself(page, strategy, language, phrases) for page in pages]
    else:
        return None
    if not judgements:
        return None
    return NewVerdicts(judgements, _summary(rows, judgements, rejudged, encoder, strategy))


async def store_verdicts(
    store: WorkerStore, found: NewVerdicts, tell: Callable[[JudgedAgain], None] | None = None
) -> None:
    """Commit new verdicts; the last transaction also writes what the judging found.

    `tell` receives the event of each transaction.
    """
    version = len(store.reader().versions(KIND)) + 1
    for first in range(0, len(found.judgements), AT_ONCE):
        batch = Batch(model=version, judgements=found.judgements[first : first + AT_ONCE])
        if first + AT_ONCE >= len(found.judgements):
            batch.versions = [Version(KIND, msgspec.json.encode(found.judging))]
        await store.commit(batch)
        if tell is not None:
            tell(JudgedAgain([each.page for each in batch.judgements], version))


def latest_judging(reader: Reader) -> Judging | None:
    """What the last judging found; None if there was none."""
    versions = reader.versions(KIND)
    return msgspec.json.decode(versions[-1].content, type=Judging) if versions else None


def fetched_pages(
    pages: Iterable[JudgedPage],
    strategy: Strategy,
    language: str,
    phrases: Sequence[str],
    *,
    with_text: bool = False,
) -> Iterator[FetchedPage]:
    """Stored pages as a strategy judges them again."""
    for page in pages:
        text = page.text or ""
        found = page.terms or counted_terms(page.title, text, page.language or language, phrases)
        named = zip(strategy.link_parts, page.link_parts, strict=False)
        lifted = sum(part for name, part in named if name in NO_PREDICTION)
        yield FetchedPage(
            id=checksum(page.url),
            host=host_of(page.url),
            counts=found.counts,
            titled=found.titled,
            links=np.frombuffer(page.targets, np.int64),  # type: ignore[arg-type]
            link_score=nan if page.depth == 0 else page.link_score - lifted,
            seed=page.depth == 0,
            mark=page.mark,
            text=opening(page.title, page.description, text) if with_text else "",
        )


def _noted(pages: Iterable[JudgedPage], rows: list[_Row]) -> Iterator[JudgedPage]:
    """Pages whose text was kept; what is needed of them later goes into `rows`."""
    for page in pages:
        if page.text is not None or page.terms is not None:
            rows.append(_Row(page.number, page.url, page.depth, page.mark, page.targets))
            yield page


def _by_harvest(rows: Sequence[_Row], rejudged: Rejudged) -> Iterator[NewJudgement]:
    verdicts = zip(rows, rejudged.relevance.tolist(), rejudged.relevant.tolist(), strict=True)
    for at, (row, relevance, relevant) in enumerate(verdicts):
        yield NewJudgement(row.number, relevance, relevant, rejudged.explain(at))


def _by_itself(page: JudgedPage, strategy: Strategy, language: str, phrases: Sequence[str]) -> NewJudgement:
    """Judge a page by the present topic, for a strategy that judges each page by itself."""
    text = page.text or ""
    found = page.terms or counted_terms(page.title, text, page.language or language, phrases)
    read = Page(
        url=page.url,
        title=page.title,
        description=page.description,
        text=text,
        language=page.language,
        terms=found.counts,
        title_terms=list(found.titled),
    )
    judged = strategy.judge(read)
    return NewJudgement(page.number, judged.relevance, judged.relevant, judged.parts)


def _summary(
    rows: Sequence[_Row],
    judgements: Sequence[NewJudgement],
    rejudged: Rejudged | None,
    encoder: Encoder | None,
    strategy: Strategy,
) -> Judging:
    marks = [row.mark for row in rows]
    verdicts = [each.relevant if mark is None else mark for each, mark in zip(judgements, marks, strict=True)]
    recall = _recall(rows, verdicts) if rejudged is None else rejudged.recall
    judging = Judging(
        strategy=strategy.name,
        pages=len(rows),
        last_page=rows[-1].number,
        relevant=sum(verdicts),
        marks=sum(mark is not None for mark in marks),
        recall=recall.estimate,
        recall_low=recall.low,
        recall_high=recall.high,
        encoder="" if encoder is None else encoder.name,
    )
    if rejudged is not None:
        presence = rejudged.presence
        judging.expected, judging.precision = rejudged.expected, rejudged.precision
        judging.precision_low, judging.precision_high = rejudged.precision_interval
        judging.cut, judging.near = rejudged.cut, rejudged.near
        judging.here, judging.presence, judging.naming = presence.here, presence.chance, presence.naming
        judging.clear, judging.narrow = presence.clear, presence.narrow
        judging.changed = rejudged.changed
        judging.best = rows[presence.best].url if presence.best >= 0 else ""
    return judging


def _recall(rows: Sequence[_Row], verdicts: Sequence[bool]) -> Recall:
    """Recall by verdicts, of a strategy that knows no chances."""
    ids = np.array([checksum(row.url) for row in rows], np.int64)
    links = links_among(ids, [np.frombuffer(row.targets, np.int64) for row in rows])
    return estimate_recall(np.array(verdicts, np.float64), np.array([row.depth > 0 for row in rows]), *links)
