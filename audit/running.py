"""A crawl in a process of its own, and the site that it crawls."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from aiohttp import web

from lagotto.store import storage_at
from tests.site import Site, tree_site, tree_url


@dataclass
class FailingSite(Site):
    """A tree of pages; closes connections unanswered while `out` is set."""

    out: bool = False
    pages_in_all: int = 400

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.pages.update(tree_site(self.pages_in_all, self.hosts))
        return self

    @property
    def seed(self) -> str:
        """The root of the tree."""
        return tree_url(0, self.hosts)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.out:
            assert request.transport is not None
            request.transport.abort()
        return await super()._answer(request)

    async def served(self, requests: int, within: float = 60.0) -> None:
        """Wait until this many requests were answered."""
        end = time.monotonic() + within
        while len(self.log) < requests:
            if time.monotonic() > end:
                raise TimeoutError(f"only {len(self.log)} of {requests} requests came within {within:g} s")
            await asyncio.sleep(0.005)


def arguments(directory: Path, seed: str, *options: str) -> list[str]:
    """The command line of a crawl, without delays unless `options` name one."""
    crawl = ["crawl", "birds", "--seed", seed, "-o", str(directory), "--strategy", "bfs", "--delay", "0"]
    return [*crawl, "--allow-private", "127.0.0.0/8", *options]


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of `lagotto`, ended in any case."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lagotto", *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            os.kill(process.pid, signal.SIGCONT)
            process.kill()
            await process.communicate()


def pages_of(directory: Path) -> tuple[int, dict[str, int]]:
    """Pages of a crawl, and the URLs without a page by reason."""
    with storage_at(directory).reader() as reader:
        status = reader.status()
    return status.pages, dict(status.reasons)
