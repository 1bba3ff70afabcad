"""CPU time of a crawl's stages, measured by wrapping their entry functions."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from lagotto.crawling.frontier import Frontier
from lagotto.crawling.worker import conclude, step
from lagotto.crawling.worker.memory import Memory
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.strategies.base import Strategy
from lagotto.lab.webs.web import WebPage
from lagotto.parse import page as parsing
from lagotto.parse import process
from lagotto.parse.links import LinkReader
from lagotto.store import WarcWriter
from lagotto.store.sqlite.store import SqliteStore


class Door(NamedTuple):
    """The entry function of a stage: a function, or a coroutine that never suspends."""

    owner: Any
    name: str
    stage: str


CRAWL_DOORS = (
    Door(process, "read_result", "take page from parser"),
    Door(SqliteStore, "seen", "seen tests"),
    Door(step, "links_in_scope", "scope"),
    Door(step, "new_links", "new links"),
    Door(Memory, "learn", "learn"),
    Door(Memory, "snapshot_if_due", "learn"),
    Door(WarcWriter, "append", "WARC"),
    Door(SqliteStore, "commit", "commit"),
    Door(Frontier, "fill", "frontier"),
    Door(Frontier, "lease", "frontier"),
    Door(Frontier, "settle", "frontier"),
    Door(Frontier, "asked", "frontier"),
    Door(Frontier, "reload", "frontier: changed scores"),
    Door(conclude.Conclusions, "conclude", "other conclusions"),
    Door(Worker, "_settle", "other bookkeeping"),
)
STRATEGY_DOORS = (("judge", "judge"), ("score", "score"), ("sample", "learn"))
PARSE_DOORS = (
    Door(parsing, "decode", "decode"),
    Door(parsing, "decode_again", "decode"),
    Door(parsing, "read_html", "tree and text"),
    Door(parsing, "tokens", "terms"),
    Door(parsing, "terms", "terms"),
    Door(parsing, "count_terms", "terms"),
    Door(parsing, "page_language", "language"),
    Door(parsing, "hash_page", "fingerprints"),
    Door(parsing, "fingerprint", "fingerprints"),
    Door(LinkReader, "read", "links"),
    Door(parsing, "parse_page", "other parsing"),
)


class Stages:
    """Seconds of each stage; nested calls count for the inner stage only."""

    def __init__(self, doors: Iterable[Door]) -> None:
        self.seconds: dict[str, float] = {}
        self._inner = [0.0]
        for door in doors:
            self._watch(door)

    def _watch(self, door: Door) -> None:
        """Measure every call of the entry function."""
        measured: Callable[..., Any] = getattr(door.owner, door.name)
        self.seconds.setdefault(door.stage, 0.0)

        @functools.wraps(measured)
        def call(*args: Any, **keywords: Any) -> Any:
            with self._inside(door.stage):
                return measured(*args, **keywords)

        @functools.wraps(measured)
        async def call_async(*args: Any, **keywords: Any) -> Any:
            with self._inside(door.stage):
                return await measured(*args, **keywords)

        setattr(door.owner, door.name, call_async if inspect.iscoroutinefunction(measured) else call)

    @contextmanager
    def _inside(self, stage: str) -> Iterator[None]:
        self._inner.append(0.0)
        before = time.thread_time()
        try:
            yield
        finally:
            spent = time.thread_time() - before
            self.seconds[stage] += spent - self._inner.pop()
            self._inner[-1] += spent

    def reset(self) -> None:
        """Start counting."""
        self.seconds = dict.fromkeys(self.seconds, 0.0)


def crawl_stages(strategy: type[Strategy]) -> Stages:
    """Stages of the crawling process, without parsing."""
    return Stages([*CRAWL_DOORS, *(Door(strategy, name, stage) for name, stage in STRATEGY_DOORS)])


def parse_stages(pages: Iterable[WebPage]) -> dict[str, float]:
    """Seconds of each stage of parsing these pages in this process, after a warm-up."""
    pages = list(pages)
    stages = Stages(PARSE_DOORS)
    for _ in range(2):
        stages.reset()
        for page in pages:
            parsing.parse_page(page.url, page.body, page.content_type)
    return stages.seconds
