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
    from lagotto.api import Crawl
    from lagotto.calls import (
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
    from lagotto.config import Config
    from lagotto.errors import LagottoError
    from lagotto.grouping.subtopics import subtopics
    from lagotto.monitoring import Monitor
    from lagotto.refilling import grow
    from lagotto.reporting.report import report
    from lagotto.revisiting.calls import diff
    from lagotto.searching.search import search
    from lagotto.strategies.base import Strategy

__version__ = version("lagotto")

# A library does not write to the terminal unless the program that uses it says so.
logging.getLogger(__name__).addHandler(logging.NullHandler())

_HOMES = {
    "Config": "lagotto.config",
    "Crawl": "lagotto.api",
    "CrawlResult": "lagotto.calls",
    "LagottoError": "lagotto.errors",
    "Monitor": "lagotto.monitoring",
    "Strategy": "lagotto.strategies.base",
    "answer": "lagotto.calls",
    "crawl": "lagotto.calls",
    "diff": "lagotto.revisiting.calls",
    "export_crawl": "lagotto.calls",
    "feedback": "lagotto.calls",
    "grow": "lagotto.refilling",
    "judge": "lagotto.calls",
    "judging_of": "lagotto.calls",
    "merge": "lagotto.calls",
    "outlook": "lagotto.calls",
    "pause": "lagotto.calls",
    "preview": "lagotto.calls",
    "questions": "lagotto.calls",
    "report": "lagotto.reporting.report",
    "resume": "lagotto.calls",
    "revisit": "lagotto.calls",
    "search": "lagotto.searching.search",
    "steer": "lagotto.calls",
    "stop": "lagotto.calls",
    "subtopics": "lagotto.grouping.subtopics",
    "unpause": "lagotto.calls",
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
