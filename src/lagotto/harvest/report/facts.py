"""What a report tells of a crawl, gathered in one pass over its pages."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime
from importlib.metadata import version
from statistics import median

from msgspec import Struct

from lagotto.base.protocols import Reader, Storage
from lagotto.base.reasons import Reason
from lagotto.base.views import HostCount, Judging, MarkedPage, Moment, Status, StoredPage, TakenCommand
from lagotto.crawling.config import Config, public
from lagotto.crawling.rejudging import latest_judging
from lagotto.crawling.secrets import drop_user
from lagotto.crawling.steering.effect import effect_at
from lagotto.focus.topic.history import KIND, TableVersion, read_versions
from lagotto.harvest.explain import Explanation, explain
from lagotto.harvest.subtopics import Subtopics, subtopics_of

SAMPLE = 12
"""Pages of the harvest that are drawn at random and shown."""
BINS = 20
"""Bins of the histogram of relevances."""


class Checked(Struct, frozen=True):
    """A page that somebody marked, and what the crawl had said of it when it fetched it."""

    claimed: bool
    relevance: float
    on: bool


class Course(Struct):
    """What the pages tell of how the crawl behaved, gathered as they are read."""

    requests: int = 0
    answered: int = 0
    judged: int = 0
    relevances: list[int] = []
    """Pages on and off topic in each bin of relevance: on first, then off."""
    languages: Counter[str] = Counter()
    depths: Counter[int] = Counter()
    """Links from a seed -> pages on topic."""
    gaps: list[float] = []
    """Seconds between answers of a host."""
    retried: int = 0


class Facts(Struct):
    """All that a report tells."""

    location: str
    version: str
    made_at: str
    config: Config
    """In effect now, without passwords and keys."""
    status: Status
    course: list[Moment]
    pages: Course
    hosts: list[HostCount]
    waiting: dict[str, float]
    """Host -> until when it asked to be left alone."""
    judging: Judging | None
    subtopics: Subtopics
    sample: list[Explanation]
    checked: list[Checked]
    commands: list[TakenCommand]
    marks: list[MarkedPage]
    tables: list[TableVersion]
    opted_out: int
    """Pages that say how their content may not be used."""


def gather(storage: Storage, reader: Reader, made_at: datetime) -> Facts:
    """Read a crawl, running or not."""
    effect = effect_at(storage)
    pages, drawn, opted_out = _read_pages(reader)
    marks = reader.marks()
    return Facts(
        location=drop_user(storage.location),
        version=version("lagotto"),
        made_at=made_at.strftime("%Y-%m-%d %H:%M UTC"),
        config=public(effect.config),
        status=reader.status(),
        course=reader.course(),
        pages=pages,
        hosts=reader.hosts(),
        waiting={host: until for host, until in reader.host_waits().items() if until > made_at.timestamp()},
        judging=latest_judging(reader),
        subtopics=subtopics_of(storage, reader),
        sample=[explain(reader, effect, url) for url in drawn],
        checked=_checked(reader, marks),
        commands=reader.commands(),
        marks=marks,
        tables=read_versions(each.content for each in reader.versions(KIND)),
        opted_out=opted_out,
    )


def _read_pages(reader: Reader) -> tuple[Course, list[str], int]:
    """One pass over all URLs; also a sample of the pages on topic, and how many pages opt out of a use."""
    found = Course(relevances=[0] * (2 * BINS))
    draw = random.Random(0)
    drawn: list[str] = []
    relevant = opted_out = 0
    last: dict[str, float] = {}
    for stored in reader.stored_pages():
        row = stored.row
        _count_request(found, stored, last)
        if not stored.is_page:
            continue
        opted_out += bool(row.opt_outs)
        if row.relevance is not None:
            found.judged += 1
            at = min(int(row.relevance * BINS), BINS - 1)
            found.relevances[at if row.relevant else BINS + at] += 1
        if row.relevant:
            relevant += 1
            found.languages[row.language] += 1
            found.depths[row.depth] += 1
            place = len(drawn) if len(drawn) < SAMPLE else draw.randrange(relevant)
            if place < SAMPLE:
                drawn[place : place + 1] = [row.url]
    return found, drawn, opted_out


def _count_request(found: Course, stored: StoredPage, last: dict[str, float]) -> None:
    row = stored.row
    if row.reason in (Reason.ROBOTS, Reason.ADDRESS, Reason.TRAP, Reason.SCHEME):
        return
    found.requests += 1 + stored.attempts
    found.retried += stored.attempts > 0
    if not row.status:
        return
    found.answered += 1
    at = datetime.fromisoformat(row.fetched_at).timestamp()
    if row.host in last:
        found.gaps.append(abs(at - last[row.host]))
    last[row.host] = at


def median_gap(found: Course) -> float | None:
    """Median of the seconds between two answers of a host."""
    return median(found.gaps) if found.gaps else None


def _checked(reader: Reader, marks: list[MarkedPage]) -> list[Checked]:
    """Marked pages with what was said of them at the fetch."""
    found = []
    for mark in marks:
        history = reader.history(mark.url)
        page = history.page if history else None
        if page is not None and page.relevant_at_fetch is not None and page.relevance_at_fetch is not None:
            found.append(Checked(page.relevant_at_fetch, page.relevance_at_fetch, mark.on))
    return found
