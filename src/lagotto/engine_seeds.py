"""Seeds from search engines, as `lagotto seeds` shows them and `lagotto crawl` starts from them."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.fetch import Guard, HttpFetcher
from lagotto.seeds.agree import Agreement, ask
from lagotto.seeds.named import DEFAULT_ENGINES, engines_named
from lagotto.seeds.searxng import ANSWER_TYPES, through
from lagotto.strategies.parts.focus import focus_table
from lagotto.topic import Topic, words_of

KEYWORDS = 5
"""Keywords that engines are asked for where the user gave no words."""


def search_query(topic: Topic) -> str:
    """The user's words; without them the heaviest keywords of the query log, saved topic or examples."""
    if topic.words:
        return topic.words
    table = focus_table(topic)
    return words_of([table.readable[keyword] for keyword in list(table)[:KEYWORDS]])


async def ask_engines(
    query: str,
    *,
    engines: Sequence[str] = (),
    limit: int = 10,
    timeout: float = 15.0,
    proxy: str = "",
    allow_private: Sequence[str] = (),
) -> Agreement:
    """Ask several engines at once, three by default, with the crawler's own fetcher."""
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
