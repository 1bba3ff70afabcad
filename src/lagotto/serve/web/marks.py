"""Marks: what users say about pages, one by one or for all pages of a host."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET, Meta, Struct, UnsetType

from lagotto import api as calls
from lagotto.base.errors import InputError
from lagotto.base.protocols import Reader
from lagotto.base.urls import seed_url
from lagotto.base.views import MarkedPage, PageChoice
from lagotto.focus.teaching import choose_pages
from lagotto.parse.stored import reading_texts
from lagotto.serve.jobs import Job, JobRow, Jobs
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.pages import PageRow, row_of

MOST = 1000
"""Pages that one request may mark."""
OPENING = 1500
"""Characters of a text that a question shows."""


class Marking(Struct, forbid_unknown_fields=True):
    """Which pages are on topic, or are not, or are not marked any more (null)."""

    on: bool | None
    urls: Annotated[list[str], Meta(max_length=MOST)] | UnsetType = UNSET
    host: str | UnsetType = UNSET
    """All pages of this host, instead of `urls`."""


class Question(Struct):
    """A page worth asking about."""

    page: PageRow
    opening: str
    """How its text begins."""


@get("/crawls/{name:str}/marks")
async def list_marks(crawl: NamedDependency[Watched]) -> list[MarkedPage]:
    """Marks that count now, in the order in which they were taken."""
    return await crawl.read(lambda reader: reader.marks())


@get("/crawls/{name:str}/questions")
async def list_questions(
    crawl: NamedDependency[Watched], n: Annotated[int, QueryParameter(ge=1, le=100)] = 20
) -> list[Question]:
    """Pages whose marks would teach most; pages marked before are left out."""

    def ask(reader: Reader) -> list[Question]:
        marked = {mark.url for mark in reader.marks()}
        chosen = choose_pages(reader.rows(), n, marked)
        numbers = [row.seq for row in chosen]
        texts = reading_texts(reader, numbers)
        return [
            Question(row_of(page), text[:OPENING])
            for page, text in zip(reader.pages_at(numbers), texts, strict=True)
        ]

    return await crawl.read_all(ask)


@post("/crawls/{name:str}/marks", status_code=202)
async def mark_pages(
    crawl: NamedDependency[Watched], data: JSONBody[Marking], jobs: NamedDependency[Jobs]
) -> JobRow:
    """Mark pages; the job's result says what that changed. Marks sent meanwhile join a job that waits."""
    urls = await crawl.read(lambda reader: _marked_urls(reader, data))
    marks: dict[str, bool | None] = dict.fromkeys(urls, data.on)
    waiting = jobs.join("marks", crawl.name, marks)
    if waiting is not None:
        return waiting.row()

    def work(job: Job) -> None:
        changed = calls.answer(crawl.location, job.input)
        job.result = {
            "marked": len(job.input),
            "flipped": changed.flipped,
            "relevant_before": changed.relevant_before,
            "relevant_now": changed.relevant_now,
            "running": changed.running,
        }
        crawl.remembered.forget()

    return jobs.start("marks", crawl.name, work, marks).row()


def _marked_urls(reader: Reader, data: Marking) -> list[str]:
    """URLs of pages that can be marked; others are refused."""
    if data.host is not UNSET and data.urls is UNSET:
        numbers = reader.chosen_pages(PageChoice(host=data.host, reason=""), limit=MOST).numbers
        urls = [page.row.url for page in reader.pages_at(numbers) if page.row.relevance is not None]
    elif data.urls is not UNSET and data.host is UNSET:
        urls = [seed_url(url) for url in data.urls]
    else:
        raise InputError("name either urls or a host, and not both")
    if not urls:
        raise InputError("there is no page to mark; name at least one")
    for url in urls if data.urls is not UNSET else ():
        history = reader.history(url)
        if history is None or history.page is None or history.page.relevance is None:
            raise InputError(f"{url} is no page of this crawl, so it cannot be marked")
    return urls
