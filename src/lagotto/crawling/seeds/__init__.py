"""From a query to seed URLs: several engines are asked at once, and what they agree on comes first.

The life of a seed: query -> each engine's ranked answer -> merged by canonical URL -> priority 1 when
all engines name it, 2 when some do, 3 when one does -> the frontier, in that order.
"""

from __future__ import annotations

from lagotto.crawling.seeds.agree import (
    Agreement,
    EngineFailure,
    Placing,
    Seed,
    agree,
    ask,
    choose,
    read_results,
)
from lagotto.crawling.seeds.engines import Answer, Engine, SearchFailed, SearchResult
from lagotto.crawling.seeds.named import DEFAULT_ENGINES, engines_named
from lagotto.crawling.seeds.searxng import ANSWER_TYPES, Fetch, Searxng, through

__all__ = [
    "ANSWER_TYPES",
    "DEFAULT_ENGINES",
    "Agreement",
    "Answer",
    "Engine",
    "EngineFailure",
    "Fetch",
    "Placing",
    "SearchFailed",
    "SearchResult",
    "Searxng",
    "Seed",
    "agree",
    "ask",
    "choose",
    "engines_named",
    "read_results",
    "through",
]
