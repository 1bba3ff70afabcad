"""Engines by the names people write on the command line or in a configuration file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lagotto.base.errors import InputError
from lagotto.crawling.seeds.agree import Agreement, ask, read_results
from lagotto.crawling.seeds.engines import Ddgs, Engine
from lagotto.crawling.seeds.searxng import ANSWER_TYPES, Fetch, Searxng, through
from lagotto.fetch import Guard, HttpFetcher
from lagotto.focus.strategies.parts.words import focus_table
from lagotto.focus.topic import Topic, words_of

DEFAULT_ENGINES = ("duckduckgo", "brave", "startpage")
"""Three engines with three different indexes (Bing's, Brave's own, Google's): only then does it mean
something when they agree."""


def engines_named(
    names: Sequence[str], fetch: Fetch, *, proxy: str = "", timeout: float = 10.0
) -> list[Engine]:
    """Engines for names such as `brave`, `file:results.json`, `searxng:https://host` or
    `searxng:https://host#bing,mojeek`, which asks each of the two by itself.
    """
    engines: list[Engine] = []
    for name in names:
        kind, colon, rest = name.strip().partition(":")
        if colon and kind == "searxng":
            endpoint, _, behind = rest.partition("#")
            asked = [engine.strip() for engine in behind.split(",")]
            engines += [
                Searxng(endpoint, fetch, engine=engine) for engine in asked if engine or len(asked) == 1
            ]
        elif colon and kind == "file":
            engines += read_results(Path(rest).expanduser())
        elif not colon or kind == "ddgs":
            engines.append(Ddgs(rest if colon else kind, proxy=proxy, timeout=timeout))
        else:
            raise InputError(
                f"'{name}' names no engine; write an engine of ddgs such as brave, "
                "searxng:https://host, or file:results.json"
            )
    return engines


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
