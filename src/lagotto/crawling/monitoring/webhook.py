"""Tells a URL of the user's that a crawl has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.reasons import Reason, describe
from lagotto.base.records import Failure
from lagotto.base.urls import canonical
from lagotto.fetch import Guard, Timeouts, user_agent
from lagotto.fetch.client import Client

TRIES = 4
FIRST_WAIT = 1.0
"""Seconds before the second try; each further wait is twice as long."""
SECONDS = 20.0
"""Seconds that a try may take."""
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})


class Ending(Struct, kw_only=True):
    """What is told of a crawl that has ended: no passwords, keys or headers."""

    event: str
    """`finished`, or `failed` if an error ended it."""
    crawl: str
    """Where the crawl is kept, as the user wrote it."""
    topic: str
    why: str
    """Why it ended, as a sentence."""
    pages: int
    relevant: int
    harvest_ratio: float
    queued: int
    """URLs that were left to fetch."""
    seconds: float
    """How long this process crawled."""
    version: str
    """Version of Lagotto."""


def check_webhook(url: str) -> str:
    """The URL in its one spelling; what is no http(s) URL is refused."""
    found = canonical(url.strip())
    if found is None:
        raise InputError("--webhook needs an http or https URL, such as https://example.org/hook")
    return found


async def tell(
    url: str, ending: Ending, guard: Guard, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> str:
    """Send a POST, again after failures that may pass; returns why there was no success, if so."""
    client = Client(
        headers={"User-Agent": user_agent("")},
        product="lagotto",
        guard=guard,
        timeouts=Timeouts(total=SECONDS),
    )
    why = ""
    try:
        for attempt in range(TRIES):
            if attempt:
                await sleep(FIRST_WAIT * 2 ** (attempt - 1))
            answer = await client.post(url, msgspec.json.encode(ending), "application/json")
            if isinstance(answer, Failure):
                why = _sentence(answer)
                if answer.reason is Reason.ADDRESS:
                    return why
            elif answer.status < 300:
                return ""
            else:
                why = f"it answered with status {answer.status}"
                if answer.status not in _BUSY:
                    return why
    finally:
        await client.close()
    return why


def _sentence(failure: Failure) -> str:
    if failure.reason is Reason.ADDRESS:
        return "its address is private; allow it with --allow-private if it is yours"
    return describe(failure.reason, failure.detail)
