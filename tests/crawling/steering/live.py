"""A crawl in a process of its own over loopback, to be steered, killed and resumed by tests."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.site import Site, tree_site, tree_url

ADDRESSES = ["127.0.8.1", "127.0.8.2", "127.0.8.3"]
PAGES = 600
DEADLINE = 60.0
"""Seconds after which a test gives up waiting for something that never comes."""


class Live:
    """Runs `lagotto` on a site whose pages are a tree over three hosts."""

    def __init__(self, site: Site, directory: Path) -> None:
        self.site = site
        self.directory = directory
        self.process: asyncio.subprocess.Process | None = None

    @property
    def seed(self) -> str:
        return tree_url(0, self.site.hosts)

    @property
    def served(self) -> int:
        """Pages that the site was asked for, robots.txt aside."""
        return sum(request.path != "/robots.txt" for request in self.site.log)

    def served_by(self, host: str) -> int:
        """Pages that one host was asked for."""
        return sum(r.host == host and r.path != "/robots.txt" for r in self.site.log)

    async def crawl(self, *options: str, environment: dict[str, str] | None = None) -> None:
        """Start the crawl: slow enough to be steered, and breadth first unless the options say otherwise."""
        await self._start(
            "crawl",
            "heron eagle",
            *("--seed", self.seed, "-o", str(self.directory)),
            *("--allow-private", "127.0.0.0/8", "--delay", "0.05", "--strategy", "bfs"),
            *options,
            environment=environment,
        )

    async def resume(self, *options: str, environment: dict[str, str] | None = None) -> None:
        """Go on with the crawl."""
        await self._start("resume", str(self.directory), *options, environment=environment)

    async def kill(self) -> None:
        """End the process as `kill -9` does."""
        assert self.process is not None
        if self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGKILL)
        await self.process.communicate()

    async def ended(self) -> tuple[int, str]:
        """Wait until the process ends by itself; its exit code, and what it printed."""
        assert self.process is not None
        out, err = await asyncio.wait_for(self.process.communicate(), DEADLINE)
        assert self.process.returncode is not None
        return self.process.returncode, (out + err).decode()

    async def lagotto(self, *arguments: str) -> tuple[int, str]:
        """Run another command while the crawl runs; its exit code, and what it printed."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "lagotto", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await asyncio.wait_for(process.communicate(), DEADLINE)
        assert process.returncode is not None
        return process.returncode, out.decode()

    async def until_served(self, pages: int) -> None:
        """Wait until the site was asked for so many pages in all."""
        assert self.process is not None
        try:
            await until(lambda: self.served >= pages)
        except TimeoutError:
            self.process.terminate()
            raise AssertionError(f"only {self.served} pages were asked for: {await self.ended()}") from None

    async def _start(self, *arguments: str, environment: dict[str, str] | None) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "lagotto", *arguments),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )


async def until(true: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(DEADLINE):
        while not true():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def live(directory: Path) -> AsyncIterator[Live]:
    """A site, and a crawl of it that is over in the end."""
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        crawl = Live(site, directory)
        try:
            yield crawl
        finally:
            if crawl.process is not None and crawl.process.returncode is None:
                await crawl.kill()
