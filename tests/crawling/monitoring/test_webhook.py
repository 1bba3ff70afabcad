"""The webhook, told through the address guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from lagotto.base.errors import InputError
from lagotto.crawling.monitoring.webhook import TRIES, Ending, check_webhook, tell
from lagotto.fetch import Guard

LOOPBACK = Guard(["127.0.0.0/8"])
ENDING = Ending(
    event="finished",
    crawl="birds",
    topic="herons",
    why="the frontier is empty",
    pages=3,
    relevant=2,
    harvest_ratio=2 / 3,
    queued=0,
    seconds=1.5,
    version="1",
)


class Hook:
    """A server that takes webhooks and answers with the given statuses, the last one for ever."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.told: list[dict[str, object]] = []
        self.headers: list[dict[str, str]] = []

    async def answer(self, request: web.BaseRequest) -> web.Response:
        self.told.append(await request.json())
        self.headers.append(dict(request.headers))
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        return web.Response(status=status, headers={"Location": "/elsewhere"} if status == 302 else {})

    @asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        runner = web.ServerRunner(web.Server(self.answer))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook?key=1"
        await runner.cleanup()


async def told(hook: Hook, guard: Guard = LOOPBACK) -> tuple[str, list[float]]:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    async with hook.served() as url:
        return await tell(check_webhook(url), ENDING, guard, sleep=wait), waits


async def test_a_server_is_told_once() -> None:
    hook = Hook(204)
    assert await told(hook) == ("", [])
    [body] = hook.told
    assert (body["event"], body["crawl"], body["pages"]) == ("finished", "birds", 3)
    assert hook.headers[0]["Content-Type"] == "application/json"
    assert hook.headers[0]["User-Agent"].startswith("lagotto/")


async def test_a_busy_server_is_told_again() -> None:
    hook = Hook(503, 429, 200)
    assert await told(hook) == ("", [1.0, 2.0])
    assert len(hook.told) == 3


async def test_tries_are_bounded() -> None:
    hook = Hook(500)
    assert await told(hook) == ("it answered with status 500", [1.0, 2.0, 4.0])
    assert len(hook.told) == TRIES


@pytest.mark.parametrize("status", [302, 400, 404])
async def test_a_refusal_is_final_and_redirects_are_not_followed(status: int) -> None:
    hook = Hook(status)
    assert await told(hook) == (f"it answered with status {status}", [])
    assert len(hook.told) == 1


async def test_a_private_address_is_not_told() -> None:
    hook = Hook(200)
    why, waits = await told(hook, Guard())
    assert ("--allow-private" in why, waits, hook.told) == (True, [], [])


async def test_a_server_that_is_down_is_told_of() -> None:
    async with Hook(200).served() as url:
        pass

    async def wait(seconds: float) -> None:
        pass

    assert await tell(check_webhook(url), ENDING, LOOPBACK, sleep=wait)


@pytest.mark.parametrize("url", ["", "ftp://example.org/", "example.org/hook", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="--webhook needs an http or https URL"):
        check_webhook(url)
