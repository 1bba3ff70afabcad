"""Seeds from search engines: what `lagotto seeds` shows and `lagotto crawl` starts from."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.fetch import Guard, HttpFetcher
from lagotto.seeds.agree import Agreement, ask
from lagotto.seeds.named import DEFAULT_ENGINES, engines_named
from lagotto.seeds.searxng import ANSWER_TYPES, through


async def ask_engines(
    query: str,
    *,
    engines: Sequence[str] = (),
    limit: int = 10,
    timeout: float = 15.0,
    proxy: str = "",
    allow_private: Sequence[str] = (),
) -> Agreement:
    """Ask several engines at once, three by default, through the crawler's own door to the network."""
    fetcher = HttpFetcher(
        guard=Guard(allow_private),
        proxy=proxy,
        accepted_types=ANSWER_TYPES,
        obey_robots=False,
        limit_per_host=len(engines) or len(DEFAULT_ENGINES),
    )
    try:
        named = engines_named(engines or DEFAULT_ENGINES, through(fetcher), proxy=proxy, timeout=timeout)
        return await ask(named, query, limit=limit, timeout=timeout)
    finally:
        await fetcher.close()
