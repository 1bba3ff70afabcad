"""Callbacks through which a worker tells its caller what happens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec import Struct

from lagotto.crawling.events import Event
from lagotto.crawling.step import Watch
from lagotto.records import Fetched, WarcPlace


def _ignore(_: Event) -> None:
    pass


async def _no_commands() -> None:
    pass


class Listeners(Struct):
    """Callbacks of the caller."""

    tell: Callable[[Event], None] = _ignore
    """Receives every event."""
    behind: Callable[[], bool] = lambda: False
    """Returns whether the receiver has too many unread events, so that the crawl must wait."""
    keep: Callable[[Fetched], WarcPlace | None] | None = None
    """Keeps an answer; returns its place in the WARC."""
    unkeep: Callable[[], None] = lambda: None
    """Forgets the answers that were kept since the last commit, because their commit was refused."""
    scores: Watch | None = None
    """Receives the link scores of each page."""
    take_commands: Callable[[], Awaitable[object]] = _no_commands
    """Called after each commit and, while nothing is committed or the crawl is paused, every half second."""
