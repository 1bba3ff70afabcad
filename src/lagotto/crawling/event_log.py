"""Events of a crawl as lines of the standard `logging` module."""

from __future__ import annotations

import logging

from lagotto.crawling.events import (
    CommandTaken,
    Deferred,
    Event,
    Expanded,
    Finished,
    HostFailed,
    Marked,
    PageDone,
    Paused,
    SeedFailed,
    Throttled,
)
from lagotto.reasons import describe

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
