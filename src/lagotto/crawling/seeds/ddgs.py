"""Engines of the ddgs package, each asked by itself.

ddgs mixes and re-orders the results of its engines, and asks others when it does not know an engine. Both
would make agreement meaningless, so each engine class is asked directly.
"""

from __future__ import annotations

import asyncio
from typing import Any

from lagotto.base.errors import InputError
from lagotto.crawling.seeds.engines import Answer, SearchFailed, answer

MAX_PAGES = 3


class Ddgs:
    """One of ddgs's text engines, such as `duckduckgo` (Bing's index), `brave`, `startpage` (Google's)."""

    def __init__(self, engine: str, *, region: str = "us-en", proxy: str = "", timeout: float = 10.0) -> None:
        known = _engines()
        if engine not in known:
            raise InputError(f"ddgs has no engine '{engine}'; it has {', '.join(sorted(known))}")
        self.engine = engine
        self.region = region
        self.proxy = proxy
        self.timeout = timeout

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self.engine

    async def search(self, query: str, limit: int) -> Answer:
        """Ask in a thread, since ddgs blocks; it gives up by itself after the timeout."""
        return await asyncio.to_thread(self._search, query, limit)

    def _search(self, query: str, limit: int) -> Answer:
        from ddgs.exceptions import DDGSException, RatelimitException

        asked = _engines()[self.engine](proxy=self.proxy or None, timeout=max(1, round(self.timeout)))
        rows: list[object] = []
        found = Answer()
        for page in range(1, MAX_PAGES + 1):
            try:
                more = asked.search(query, region=self.region, page=page)
            except RatelimitException as error:
                raise SearchFailed(str(error) or "rate limit", rate_limited=True) from error
            except DDGSException as error:
                if rows:
                    break
                raise SearchFailed(str(error) or type(error).__name__) from error
            if more is None and not rows:
                # ddgs hides the status; of public engines it is nearly always a rate limit.
                raise SearchFailed("it refused the question, most likely a rate limit", rate_limited=True)
            rows += [vars(row) for row in more or []]
            seen, found = len(found.results), answer(rows, limit)
            if len(found.results) >= limit or len(found.results) == seen:
                break
        return found


def _engines() -> dict[str, Any]:
    """Name -> class of the text engines that this version of ddgs can use."""
    try:
        from ddgs.engines import ENGINES
    except ImportError:
        raise InputError(
            "searching the web needs the ddgs package: install it with `pip install ddgs`, "
            "or name a SearXNG instance or a results file with --engine"
        ) from None
    return dict(ENGINES["text"])
