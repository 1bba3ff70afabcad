"""Searching the pages of a crawl over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery, QueryParameter

from lagotto.base.protocols import Reader
from lagotto.base.views import PageChoice
from lagotto.harvest.search import SearchResults
from lagotto.harvest.search.search import RELEVANCE_WEIGHT
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.pages import Limit, Number, SubtopicId
from lagotto.serve.web.subtopics import sorted_pages

Words = Annotated[str, QueryParameter(min_length=1, max_length=1000, description="As in docs/search.md.")]
Depth = Annotated[int, QueryParameter(ge=0, le=9_000, description="Hits to leave out at the beginning.")]
Weight = Annotated[float, QueryParameter(ge=0, le=1, description="How much relevance counts.")]
LOOKED_THROUGH = 1000
"""Best hits that are looked through for those of a subtopic."""


@get("/crawls/{name:str}/search")
async def search_pages(
    crawl: NamedDependency[Watched],
    q: Words,
    n: Limit = 10,
    offset: Depth = 0,
    relevance_weight: Weight = RELEVANCE_WEIGHT,
    near_duplicates: FromQuery[Literal["fold", "keep"]] = "fold",
    subtopic: SubtopicId = None,
) -> SearchResults:
    """Pages that fit a query, with snippets; near-duplicates are folded.

    With a subtopic, its pages among the 1,000 best hits.
    """
    wanted = None if subtopic is None else (await sorted_pages(crawl)).numbers(subtopic)
    first, most = (offset, n) if wanted is None else (0, LOOKED_THROUGH)
    found = await crawl.search(
        lambda open: open.search(
            q, n=most, offset=first, relevance_weight=relevance_weight, near_duplicates=near_duplicates
        )
    )
    if wanted is not None:
        fitting = [hit for hit in found.hits if hit.page in wanted]
        found.hits, found.offset, found.total = fitting[offset : offset + n], offset, len(fitting)
    return found


@get("/crawls/{name:str}/similar/{number:int}")
async def similar_pages(
    crawl: NamedDependency[Watched], number: Number, n: Limit = 10, offset: Depth = 0
) -> SearchResults:
    """Pages that are like one of the pages."""

    def url_of(reader: Reader) -> str:
        if number > reader.chosen_pages(PageChoice(), limit=1).total:
            raise NotFoundException(f"there is no page {number} in this crawl")
        [page] = reader.pages_at([number])
        return page.row.url

    like = await crawl.read(url_of)
    return await crawl.search(lambda open: open.search(like=like, n=n, offset=offset))
