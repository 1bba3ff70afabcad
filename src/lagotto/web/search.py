"""Searching the pages of a crawl over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery, QueryParameter

from lagotto.protocols import Reader
from lagotto.searching import SearchResults
from lagotto.searching.search import RELEVANCE_WEIGHT
from lagotto.views import PageChoice
from lagotto.web.paging import Limit, Number
from lagotto.web.watched import Watched

Words = Annotated[str, QueryParameter(min_length=1, max_length=1000, description="As in docs/search.md.")]
Depth = Annotated[int, QueryParameter(ge=0, le=10_000, description="Hits to leave out at the beginning.")]
Weight = Annotated[float, QueryParameter(ge=0, le=1, description="How much relevance counts.")]


@get("/crawls/{name:str}/search")
async def search_pages(
    crawl: NamedDependency[Watched],
    q: Words,
    n: Limit = 10,
    offset: Depth = 0,
    relevance_weight: Weight = RELEVANCE_WEIGHT,
    near_duplicates: FromQuery[Literal["fold", "keep"]] = "fold",
) -> SearchResults:
    """Pages that fit a query, with snippets; near-duplicates are folded."""
    return await crawl.search(
        lambda open: open.search(
            q, n=n, offset=offset, relevance_weight=relevance_weight, near_duplicates=near_duplicates
        )
    )


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
