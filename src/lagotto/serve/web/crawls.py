"""Crawls: the list of all, how one stands, how it went, and what happens in it now."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.base.reasons import describe
from lagotto.base.views import Moment, PageChoice
from lagotto.serve.starting import Starter
from lagotto.serve.web.open_crawls import OpenCrawls, Watched
from lagotto.serve.web.summaries import Standing, Summary, standing_of, summarise

EXAMPLES = 5
"""URLs that are named for each reason."""


class Progress(Struct):
    """How a crawl went, for a picture of it."""

    points: list[Moment]
    projected_end: float | None


class FailedUrl(Struct):
    """A URL that brought no page."""

    url: str
    status: int
    detail: str
    at: str


class Failures(Struct):
    """URLs that brought no page for one reason."""

    reason: str
    meaning: str
    count: int
    examples: list[FailedUrl]


@get("/crawls")
async def list_crawls(
    crawls: NamedDependency[OpenCrawls], starter: NamedDependency[Starter]
) -> list[Summary]:
    """All crawls that this server shows, and those that could not be started."""
    found = await asyncio.gather(*map(summarise, crawls.all()))
    for summary in found:
        if summary.state == "stopped":
            summary.problem = starter.problem(summary.name)
    lost = starter.failed().items()
    return [*found, *(Summary(name=name, location="", state="failed", problem=why) for name, why in lost)]


@get("/crawls/{name:str}")
async def show_crawl(crawl: NamedDependency[Watched]) -> Standing:
    """Everything that is known about how a crawl stands."""
    return await standing_of(crawl)


@get("/crawls/{name:str}/progress")
async def show_progress(crawl: NamedDependency[Watched]) -> Progress:
    """Pages, relevant pages and known URLs against time."""
    points = await crawl.remembered.get(
        "course", lambda: crawl.read_all(lambda reader: reader.course()), least=2.0
    )
    return Progress(points, (await standing_of(crawl)).projected_end)


@get("/crawls/{name:str}/failures")
async def show_failures(crawl: NamedDependency[Watched]) -> list[Failures]:
    """Why URLs brought no page, most frequent first, with examples."""

    def ask(reader: Reader) -> list[Failures]:
        return [_failures(reader, counted, count) for counted, count in reader.status().reasons.items()]

    return await crawl.remembered.get("failures", lambda: crawl.read_all(ask))


def _failures(reader: Reader, counted: str, count: int) -> Failures:
    reason = counted.partition(" ")[0]
    numbers = reader.chosen_pages(PageChoice(reason=reason), limit=EXAMPLES).numbers
    examples = [
        FailedUrl(page.row.url, page.row.status, page.detail, page.row.fetched_at)
        for page in reader.pages_at(numbers)
    ]
    return Failures(counted, describe(reason, counted.partition(" ")[2]), count, examples)


Known = Annotated[int | None, QueryParameter(ge=0, le=2**53, description="Number of the last event known.")]
LastEvent = Annotated[
    str | None,
    HeaderParameter(name="Last-Event-ID", max_length=20, description="What browsers send."),
]


@get("/crawls/{name:str}/events", media_type="text/event-stream")
async def follow_events(
    crawl: NamedDependency[Watched], after: Known = None, last_event: LastEvent = None
) -> Stream:
    """What happens in the crawl, as server-sent events; `Last-Event-ID` or `after` says where to go on."""
    known = int(last_event) if last_event and last_event.isascii() and last_event.isdigit() else after
    headers = {"x-accel-buffering": "no"}
    return Stream(crawl.follower.listen(known), media_type="text/event-stream", headers=headers)
