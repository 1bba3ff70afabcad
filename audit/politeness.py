"""Gaps between requests as a host sees them that closes kept connections whenever it likes."""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from aiohttp import web

from audit.running import FailingSite, arguments, pages_of, running

DELAY = 0.05
UNANSWERED = 0.1
"""Share of requests that are read and then left unanswered."""


@dataclass
class FickleSite(FailingSite):
    """Reads some requests and closes the connection instead of answering, if it has answered on it before."""

    random: random.Random = field(default_factory=lambda: random.Random(1))
    unanswered: int = 0
    answered: set[object] = field(default_factory=set)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        answer = await super()._answer(request)
        if request.transport in self.answered and self.random.random() < UNANSWERED:
            self.unanswered += 1
            assert request.transport is not None
            request.transport.abort()
        self.answered.add(request.transport)
        return answer


async def main() -> int:
    """Print the figures; returns 1 if requests came too early or a page was lost."""
    async with FickleSite({}) as site:
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder) / "crawl"
            async with running(*arguments(directory, site.seed, "--delay", str(DELAY))) as crawl:
                await asyncio.wait_for(crawl.communicate(), 300)
            pages, reasons = pages_of(directory)
    gaps = [later.at - earlier.at for earlier, later in pairwise(site.log)]
    early = sum(gap < DELAY for gap in gaps)
    print(f"{site.unanswered} requests read and not answered, delay {DELAY:g} s: {early} of {len(gaps)} gaps")
    print(f"are shorter, the shortest is {min(gaps):.3f} s; {pages} of {site.pages_in_all} pages, {reasons}")
    # On a busy machine the server notes some requests a few milliseconds late.
    return int(min(gaps) < DELAY / 2 or pages < site.pages_in_all)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
