"""Example pages by their URLs: fetched here, through the crawler's own guard."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lagotto.errors import InputError
from lagotto.fetch import Guard, HttpFetcher
from lagotto.hosting.permissions import Permissions
from lagotto.parse.pool import ParserPool
from lagotto.reasons import describe
from lagotto.records import Failure, Fetched
from lagotto.urls import seed_url

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
