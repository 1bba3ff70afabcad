"""Lagotto finds the pages on a topic and few others.

    import lagotto

    result = lagotto.crawl("solar power", seeds=["https://example.org/"], directory="solar", max_pages=500)
    for page in result.pages(relevant_only=True):
        print(page.relevance, page.url)

Names are imported when they are first used, so that `import lagotto` costs nothing.
"""

from __future__ import annotations

import logging
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lagotto.api import (
        CrawlResult,
        answer,
        crawl,
        export_crawl,
        feedback,
        judge,
        judging_of,
        merge,
        outlook,
        pause,
        preview,
        questions,
        resume,
        revisit,
        steer,
        stop,
        unpause,
    )
    from lagotto.base.errors import LagottoError
    from lagotto.crawling.config import Config
    from lagotto.crawling.monitoring import Monitor
    from lagotto.crawling.refill import grow
    from lagotto.crawling.revisit.calls import diff
    from lagotto.crawling.session import Crawl
    from lagotto.focus.strategies.base import Strategy
    from lagotto.harvest.report.report import report
    from lagotto.harvest.search.search import search
    from lagotto.harvest.subtopics.subtopics import subtopics

__version__ = version("lagotto")

# A library does not write to the terminal unless the program that uses it says so.
logging.getLogger(__name__).addHandler(logging.NullHandler())

_HOMES = {
    "Config": "lagotto.crawling.config",
    "Crawl": "lagotto.crawling.session",
    "CrawlResult": "lagotto.api",
    "LagottoError": "lagotto.base.errors",
    "Monitor": "lagotto.crawling.monitoring",
    "Strategy": "lagotto.focus.strategies.base",
    "answer": "lagotto.api",
    "crawl": "lagotto.api",
    "diff": "lagotto.crawling.revisit.calls",
    "export_crawl": "lagotto.api",
    "feedback": "lagotto.api",
    "grow": "lagotto.crawling.refill",
    "judge": "lagotto.api",
    "judging_of": "lagotto.api",
    "merge": "lagotto.api",
    "outlook": "lagotto.api",
    "pause": "lagotto.api",
    "preview": "lagotto.api",
    "questions": "lagotto.api",
    "report": "lagotto.harvest.report.report",
    "resume": "lagotto.api",
    "revisit": "lagotto.api",
    "search": "lagotto.harvest.search.search",
    "steer": "lagotto.api",
    "stop": "lagotto.api",
    "subtopics": "lagotto.harvest.subtopics.subtopics",
    "unpause": "lagotto.api",
}

__all__ = [
    "Config",
    "Crawl",
    "CrawlResult",
    "LagottoError",
    "Monitor",
    "Strategy",
    "__version__",
    "answer",
    "crawl",
    "diff",
    "export_crawl",
    "feedback",
    "grow",
    "judge",
    "judging_of",
    "merge",
    "outlook",
    "pause",
    "preview",
    "questions",
    "report",
    "resume",
    "revisit",
    "search",
    "steer",
    "stop",
    "subtopics",
    "unpause",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lagotto' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
