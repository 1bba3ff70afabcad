"""Example pages by their URLs: fetched here, through the crawler's own guard."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.base.reasons import describe
from lagotto.base.records import Failure, Fetched
from lagotto.base.text.languages import check_language
from lagotto.base.urls import seed_url
from lagotto.fetch import Guard, HttpFetcher
from lagotto.focus.strategies.parts.words import focus_table
from lagotto.focus.strategies.scent.words import meant_by
from lagotto.focus.topic import Library, Topic
from lagotto.focus.topic.library import Saved
from lagotto.parse.pool import ParserPool
from lagotto.serve.permissions import Permissions
from lagotto.serve.uploads import Uploads, documents
from lagotto.serve.web.crawl_topic import Word

MOST_HOPS = 5
"""Redirects that are followed."""
MOST_SIZE = 2 * 1024 * 1024
"""Bytes of a page at most."""


class ExampleUrls(Struct, forbid_unknown_fields=True):
    """Pages to fetch."""

    urls: Annotated[list[str], Meta(min_length=1, max_length=20)]


class ExamplePage(Struct):
    """A fetched page, ready to be sent back as an example; or why there is none."""

    url: str
    name: str = ""
    title: str = ""
    text: str = ""
    problem: str = ""


@post("/examples", status_code=200)
async def fetch_examples(
    data: JSONBody[ExampleUrls], permissions: NamedDependency[Permissions]
) -> list[ExamplePage]:
    """Fetch pages to be used as examples; robots.txt is obeyed, and private addresses are refused."""
    guard = Guard(permissions.allow_private)
    fetcher = HttpFetcher(guard=guard, proxy=permissions.proxy, max_size=MOST_SIZE)
    parser = ParserPool(1)
    try:
        return list(await asyncio.gather(*(_example(fetcher, parser, url) for url in data.urls)))
    finally:
        await parser.close()
        await fetcher.close()


async def _example(fetcher: HttpFetcher, parser: ParserPool, url: str) -> ExamplePage:
    try:
        found = await _fetch(fetcher, seed_url(url))
    except InputError as error:
        return ExamplePage(url, problem=str(error))
    if isinstance(found, Fetched) and found.status != 200:
        return ExamplePage(url, problem=f"the server answered with status {found.status}")
    page = await parser.parse(found) if isinstance(found, Fetched) else found
    if isinstance(page, Failure):
        return ExamplePage(url, problem=describe(page.reason, page.detail))
    return ExamplePage(url, f"{page.url}.txt", page.title, f"{page.title}\n{page.text}")


async def _fetch(fetcher: HttpFetcher, url: str) -> Fetched | Failure:
    """The answer at a URL, or where it redirects to."""
    for _ in range(MOST_HOPS):
        for _ in range(MOST_HOPS):
            if fetcher.robots_known(url):
                break
            failed = await fetcher.fetch_robots(url)
            if isinstance(failed, Failure):
                return failed
        refused = fetcher.refusal(url)
        found = refused if refused is not None else await fetcher.fetch(url)
        if isinstance(found, Failure) or not found.location:
            return found
        url = found.location
    raise InputError("it is redirected too often")


MOST_WORDS = 300
"""Words of the table that are told."""


class TopicRequest(Struct, forbid_unknown_fields=True):
    """A topic as a user names it."""

    words: Annotated[str, Meta(max_length=10_000)] = ""
    phrases: Annotated[list[str], Meta(max_length=100)] = []
    language: Annotated[str, Meta(max_length=20)] = "en"
    examples: Uploads = []
    query_log: str = ""


class TopicMeaning(Struct):
    """What a topic is taken to mean."""

    table: list[Word]
    """The words with their weights."""
    source: str
    like: list[Word]
    """Stems of similar words, which `scent` counts too."""
    kin: list[Word]
    """Stems of words that fall under the topic's, which `scent` counts too."""


@post("/topics/preview", status_code=200)
async def preview_topic(data: JSONBody[TopicRequest]) -> TopicMeaning:
    """What a topic is taken to mean; nothing is kept."""
    return await asyncio.to_thread(_meaning, data)


@get("/topics", sync_to_thread=True)
def list_topics() -> list[Saved]:
    """Topics and networks that were saved under a name."""
    return Library().list()


def _meaning(data: TopicRequest) -> TopicMeaning:
    check_language(data.language)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "queries.txt"
        if data.query_log.strip():
            log.write_text(data.query_log, encoding="utf-8", errors="replace")
        topic = Topic(
            data.words,
            phrases=data.phrases,
            language=data.language,
            query_log=log if data.query_log.strip() else None,
            relevant=documents(data.examples, "example pages"),
        )
        table = focus_table(topic)
    meant = meant_by(table, data.language)
    words = [Word(table.readable[term], weight) for term, weight in table.items()]
    return TopicMeaning(
        words[:MOST_WORDS],
        table.source,
        [Word(word, weight) for word, weight in meant.like.items()],
        [Word(word, weight) for word, weight in meant.kin.items()],
    )
