"""Lagotto finds the pages on a topic and few others.

    import lagotto

    result = lagotto.crawl("solar power", seeds=["https://example.org/"], directory="solar", max_pages=500)
    for page in result.pages(relevant_only=True):
        print(page.relevance, page.url)

Names are imported when they are first used, so that `import lagotto` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lagotto.api import Crawl
    from lagotto.calls import CrawlResult, crawl, feedback, outlook, resume
    from lagotto.config import Config
    from lagotto.errors import LagottoError
    from lagotto.strategies.base import Strategy

__version__ = version("lagotto")

_HOMES = {
    "Config": "lagotto.config",
    "Crawl": "lagotto.api",
    "CrawlResult": "lagotto.calls",
    "LagottoError": "lagotto.errors",
    "Strategy": "lagotto.strategies.base",
    "crawl": "lagotto.calls",
    "feedback": "lagotto.calls",
    "outlook": "lagotto.calls",
    "resume": "lagotto.calls",
}

__all__ = [
    "Config",
    "Crawl",
    "CrawlResult",
    "LagottoError",
    "Strategy",
    "__version__",
    "crawl",
    "feedback",
    "outlook",
    "resume",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lagotto' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
