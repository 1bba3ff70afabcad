"""What a crawl reports while it runs: small records, in the order in which things happened.

Those of `lagotto.events` are also kept by the store; the others only reach the caller.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from math import inf

from msgspec import Struct

from lagotto.base.events import CommandTaken, Deferred, Expanded, JudgedAgain, Marked, PageDone
from lagotto.base.reasons import describe
from lagotto.base.records import DROPPED, Fetched, LinkScores, Outcome, Page, WarcPlace
from lagotto.crawling.worker.step import Watch


class SeedFailed(Struct, tag="seed-failed"):
    """A seed could not be fetched; the crawl goes on with the others."""

    url: str
    why: str


class Throttled(Struct, tag="throttled"):
    """A host asked us to slow down; it is left alone for `seconds`."""

    host: str
    seconds: float


class HostFailed(Struct, tag="host-failed"):
    """A host gave no answer; it is left alone for `seconds`. Told once for each outage."""

    host: str
    seconds: float
    why: str


class Paused(Struct, tag="paused"):
    """This machine has no more files, ports or memory; no request is sent for `seconds`.

    Told at most every ten seconds, however many pauses there are.
    """

    seconds: float
    why: str


class ScoredLink(Struct):
    """A link as its strategy scored it; the score is None when it is not to be followed."""

    url: str
    anchor: str
    score: float | None
    parts: dict[str, float]
    positive: bool = True
    """Whether the strategy expects a relevant page there."""


class LinksScored(Struct, tag="links-scored"):
    """The links of a page were scored; reported only on demand."""

    page: str
    links: list[ScoredLink]


class Finished(Struct, tag="finished"):
    """The crawl is over; `why` is a sentence."""

    why: str


Event = (
    PageDone
    | Deferred
    | Expanded
    | Marked
    | JudgedAgain
    | CommandTaken
    | SeedFailed
    | Throttled
    | HostFailed
    | Paused
    | LinksScored
    | Finished
)

__all__ = [
    "CommandTaken",
    "Deferred",
    "Event",
    "Expanded",
    "Finished",
    "HostFailed",
    "JudgedAgain",
    "LinksScored",
    "Marked",
    "PageDone",
    "Paused",
    "ScoredLink",
    "SeedFailed",
    "Throttled",
    "links_scored",
    "page_done",
]


def page_done(outcome: Outcome, page: int = 0) -> PageDone:
    """The event of a concluded outcome."""
    judgement = outcome.judgement
    return PageDone(
        url=outcome.lease.url,
        status=outcome.status,
        reason=outcome.reason,
        relevance=None if judgement is None else judgement.relevance,
        relevant=None if judgement is None else judgement.relevant,
        left_out=outcome.left_out,
        page=page,
        detail=outcome.detail,
        size=outcome.size,
    )


def links_scored(
    page: Page, scores: LinkScores, names: Sequence[str], positive_above: float = -inf
) -> LinksScored:
    """How each link of a page was scored, with its parts by name."""
    rows = zip(page.links, scores.values.tolist(), scores.parts.tolist(), strict=True)
    return LinksScored(
        page.url,
        [
            ScoredLink(
                link.url,
                link.anchor or link.alt,
                None if score == DROPPED else score,
                dict(zip(names, parts, strict=False)),
                DROPPED != score > positive_above,
            )
            for link, score, parts in rows
        ],
    )


BACKLOG = 1000
"""Unread events from which on the crawl waits."""


class EventQueue:
    """Logs every event, and keeps it for the caller once that one has begun to read."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] | None = None

    def tell(self, event: Event) -> None:
        """Add an event."""
        log_event(event)
        if self._events is not None:
            self._events.put_nowait(event)

    def behind(self) -> bool:
        """Whether the caller has so many events left to read that the crawl must wait."""
        return self._events is not None and self._events.qsize() > BACKLOG

    @property
    def caught_up(self) -> bool:
        """Whether the caller has just read so many events that the crawl need not wait any more."""
        return self._events is not None and self._events.qsize() == BACKLOG

    async def read_while(self, running: asyncio.Task[str]) -> AsyncGenerator[Event]:
        """The events that a task tells, until it ends."""
        events = self._events = asyncio.Queue()
        running.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            self._events = None


_log = logging.getLogger(__name__)


def log_event(event: Event) -> None:
    """Log an event: as a warning if the user may want to act, else as information."""
    match event:
        case SeedFailed(url=url, why=why):
            _log.warning("the seed %s could not be fetched: %s", url, why)
        case Throttled(host=host, seconds=seconds):
            _log.warning("%s asked us to slow down: left alone for %.0f s", host, seconds)
        case HostFailed(host=host, seconds=seconds, why=why):
            _log.info("%s is left alone for %.0f s: %s", host, seconds, why)
        case Paused(seconds=seconds, why=why):
            _log.warning("no room for more requests on this machine (%s): pausing %.1f s", why, seconds)
        case _ if not _log.isEnabledFor(logging.INFO):
            return
        case PageDone(url=url):
            _log.info("%s: %s", url, _conclusion(event))
        case Deferred(url=url, reason=reason):
            _log.info("%s: %s; tried again later", url, describe(reason))
        case Expanded(url=url, rank=rank, links=links):
            _log.info("%s: expanded, rank %.3f, %d links", url, rank, links)
        case Marked(url=url, on=on):
            _log.info("%s: %s", url, "unmarked" if on is None else f"marked {'on' if on else 'off'} topic")
        case CommandTaken(content=content, who=who, outcome=outcome):
            _log.info("command of %s: %s %s", who, content, outcome)
        case Finished(why=why):
            _log.info("finished: %s", why)


def _conclusion(done: PageDone) -> str:
    if done.relevance is not None:
        verdict = "relevant" if done.relevant else "not relevant"
        return f"status {done.status}, {done.size} bytes, {verdict} ({done.relevance:.3f})"
    return describe(done.reason, done.detail) if done.reason else f"status {done.status}"


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
