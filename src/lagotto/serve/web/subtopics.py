"""Subtopics of a crawl, and its report."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Response
from msgspec import Struct

from lagotto.harvest.report import report_page
from lagotto.harvest.subtopics import Subtopic, Subtopics, subtopics_of
from lagotto.serve.web.open_crawls import Watched

Pages = Annotated[
    str,
    QueryParameter(
        max_length=8000,
        pattern=r"^([0-9]{1,12}(,[0-9]{1,12})*)?$",
        description="Numbers of pages whose subtopics are wanted, with commas between them.",
    ),
]


class SubtopicRows(Struct):
    """The pages on topic, sorted into groups with names."""

    subtopics: list[Subtopic]
    pages: int
    """Pages on topic."""
    unsorted: int
    """Those that have no text to sort them by."""
    of_page: dict[int, int]
    """Page -> its subtopic, for the pages that were asked for."""


@get("/crawls/{name:str}/subtopics")
async def list_subtopics(crawl: NamedDependency[Watched], pages: Pages = "") -> SubtopicRows:
    """The pages on topic, sorted into groups with names."""
    found = await sorted_pages(crawl)
    wanted = map(int, pages.split(",")) if pages else ()
    of_page = {number: found.of_page[number] for number in wanted if number in found.of_page}
    return SubtopicRows(found.subtopics, found.pages, found.unsorted, of_page)


@get("/crawls/{name:str}/report", media_type="text/html")
async def download_report(crawl: NamedDependency[Watched]) -> Response[str]:
    """What the crawl was asked and what it found, as one HTML page to download."""
    page = await crawl.remembered.get(
        "report", lambda: asyncio.to_thread(report_page, crawl.location), least=5.0
    )
    headers = {
        "content-disposition": 'attachment; filename="report.html"',
        "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    }
    return Response(page, media_type="text/html", headers=headers)


async def sorted_pages(crawl: Watched) -> Subtopics:
    """The subtopics, brought up to date."""
    return await crawl.remembered.get(
        "subtopics",
        lambda: crawl.read_all(lambda reader: subtopics_of(crawl.storage, reader)),
        least=10.0,
    )
