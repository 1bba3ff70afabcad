"""Pages of a crawl: lists of them, one with its text, and why any URL is here."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery, PathParameter, QueryParameter
from msgspec import Struct, structs

from lagotto.base.protocols import Reader
from lagotto.base.records import FetchedRow
from lagotto.base.views import PageChoice, PageDetails, PageOrder, StoredPage
from lagotto.harvest import explain as explaining
from lagotto.harvest.explain import Explanation
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.subtopics import sorted_pages

Offset = Annotated[int, QueryParameter(ge=0, le=10**9, description="Rows to leave out at the beginning.")]
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="Rows at most.")]
Number = Annotated[int, PathParameter(ge=1, le=10**12, description="Number of the page.")]
SubtopicId = Annotated[int | None, QueryParameter(ge=0, le=10**9, description="Id of a subtopic.")]
Search = Annotated[str, QueryParameter(max_length=300)]


MOST_SORTED = 10**9
"""Pages that are looked through for those of a subtopic: all."""
LONGEST_TEXT = 500_000
"""Characters of a text that the reading view is given."""


class PageRow(Struct):
    """A concluded URL in a list."""

    number: int
    url: str
    host: str
    title: str
    status: int
    reason: str
    detail: str
    fetched_at: str
    relevance: float | None
    relevant: bool | None
    relevance_at_fetch: float | None
    link_score: float | None
    depth: int
    language: str
    near_duplicate_of: str
    gone: bool


class PageRows(Struct):
    """Some of the URLs that were asked for."""

    rows: list[PageRow]
    total: int
    next: int | None
    """Offset of what follows; null at the end."""


class WholePage(Struct):
    """A page with its text."""

    row: PageRow
    text: str
    """Plain text; never the page's HTML."""
    shortened: bool
    details: PageDetails | None
    matched: dict[str, float]
    """Words of the text that belong to the topic, in lower case -> their weights."""


@get("/crawls/{name:str}/pages")
async def list_pages(
    crawl: NamedDependency[Watched],
    sort: FromQuery[PageOrder] = "newest",
    relevant: FromQuery[bool | None] = None,
    marked: FromQuery[bool | None] = None,
    host: Annotated[str, QueryParameter(max_length=300)] = "",
    reason: Annotated[str | None, QueryParameter(max_length=100)] = "",
    subtopic: SubtopicId = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> PageRows:
    """Pages in an order; `reason` names those that brought none, and empty means ordinary pages."""
    choice = PageChoice(relevant=relevant, host=host, reason=reason, marked=marked)
    wanted = None if subtopic is None else (await sorted_pages(crawl)).numbers(subtopic)

    def ask(reader: Reader) -> PageRows:
        if wanted is None:
            found = reader.chosen_pages(choice, sort, offset=offset, limit=limit)
            numbers, total = found.numbers, found.total
        else:
            every = reader.chosen_pages(choice, sort, limit=MOST_SORTED).numbers
            fitting = [number for number in every if number in wanted]
            numbers, total = fitting[offset : offset + limit], len(fitting)
        rows = [row_of(page) for page in reader.pages_at(numbers)]
        end = offset + len(rows)
        return PageRows(rows, total, end if end < total else None)

    return await crawl.read(ask)


@get("/crawls/{name:str}/pages/{number:int}")
async def show_page(crawl: NamedDependency[Watched], number: Number) -> WholePage:
    """A page with its text, for the reading view."""

    def ask(reader: Reader) -> WholePage:
        if number > reader.chosen_pages(PageChoice(), limit=1).total:
            raise NotFoundException(f"there is no page {number} in this crawl")
        [page] = reader.pages_at([number])
        text = reader.text(number) or ""
        history = reader.history(page.row.url)
        matched = explaining.matched_words(
            reader, crawl.effect(reader).config, text[:LONGEST_TEXT], page.row.language
        )
        return WholePage(
            row=row_of(page),
            text=text[:LONGEST_TEXT],
            shortened=len(text) > LONGEST_TEXT,
            details=_without_place(history.page if history is not None else None),
            matched=matched,
        )

    return await crawl.read(ask)


@get("/crawls/{name:str}/explain")
async def explain(
    crawl: NamedDependency[Watched], url: Annotated[str, QueryParameter(min_length=1, max_length=8000)]
) -> Explanation:
    """How a URL was found, scored and judged, and what users said about it."""
    found = await crawl.read_all(lambda reader: explaining.explain(reader, crawl.effect(reader), url))
    if found.story is not None:
        found.story.page = _without_place(found.story.page)
    return found


def _without_place(details: PageDetails | None) -> PageDetails | None:
    """Details without the place in the archive, which is of no use elsewhere."""
    return None if details is None else structs.replace(details, place=None)


def row_of(page: StoredPage) -> PageRow:
    """A stored page as a row of a list."""
    row: FetchedRow = page.row
    return PageRow(
        number=row.seq,
        url=row.url,
        host=row.host,
        title=row.title,
        status=row.status,
        reason=row.reason,
        detail=page.detail,
        fetched_at=row.fetched_at,
        relevance=row.relevance,
        relevant=row.relevant,
        relevance_at_fetch=row.relevance_at_fetch,
        link_score=row.link_score,
        depth=row.depth,
        language=row.language,
        near_duplicate_of=page.near_duplicate_of,
        gone=page.gone,
    )
