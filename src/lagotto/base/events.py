"""Small records of what happened in a crawl, in the order of the commits.

The store keeps them, so that any process can follow a crawl with `Reader.events`. `n` is the event's
number in the store, 0 in the process that crawls.
"""

from __future__ import annotations

from msgspec import Struct

from lagotto.base.records import Found


class PageDone(Struct, tag="page"):
    """A URL was concluded: a page, or the reason why there is none."""

    url: str
    status: int = 0
    reason: str = ""
    relevance: float | None = None
    """As judged when it was fetched."""
    relevant: bool | None = None
    left_out: dict[str, int] = {}
    """Reason -> links of the page that did not enter the frontier."""
    page: int = 0
    """Number of the page."""
    detail: str = ""
    """What the reason does not say, such as a status."""
    size: int = 0
    """Bytes of the body."""
    n: int = 0


class Deferred(Struct, tag="deferred"):
    """A URL failed for now and will be tried again at the wall-clock time `until`."""

    url: str
    reason: str
    until: float
    n: int = 0


class Expanded(Struct, tag="expanded"):
    """A page left the shelf: its links were released."""

    url: str
    rank: float
    links: int
    n: int = 0


class Marked(Struct, tag="marked"):
    """A user marked a page as on or off topic, or took the mark back (None)."""

    url: str
    on: bool | None
    who: str = ""
    page: int = 0
    n: int = 0


class JudgedAgain(Struct, tag="judged"):
    """Pages were judged again by a version of the model."""

    pages: list[int]
    """Numbers of the pages."""
    model: int
    n: int = 0


class CommandTaken(Struct, tag="command"):
    """The crawl took up a command."""

    command: int
    """Number of the command."""
    content: str
    """The command as JSON."""
    who: str
    outcome: str
    applied: bool
    n: int = 0


class Revisited(Struct, tag="revisited"):
    """A concluded URL was visited again; if it has changed, its page has other content from now on."""

    url: str
    found: Found
    page: int
    """Number of the page; it stays the same."""
    status: int = 0
    reason: str = ""
    n: int = 0


EventRecord = PageDone | Deferred | Expanded | Marked | JudgedAgain | CommandTaken | Revisited
