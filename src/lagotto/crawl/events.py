"""What a crawl tells while it runs: one small record an event, in the order things happened."""

from __future__ import annotations

from msgspec import Struct

from lagotto.records import Outcome


class PageDone(Struct):
    """A URL was concluded and committed: a page, or the reason why there is none."""

    outcome: Outcome

    @property
    def url(self) -> str:
        """The URL that was leased."""
        return self.outcome.lease.url


class Deferred(Struct):
    """A URL failed for now and will be tried again at the wall-clock time `until`."""

    url: str
    reason: str
    until: float


class Throttled(Struct):
    """A host asked us to slow down; it is left alone for `seconds`."""

    host: str
    seconds: float


class Expanded(Struct):
    """A page left the shelf: its links were released."""

    url: str
    rank: float
    links: int


class Finished(Struct):
    """The crawl is over; `why` is a sentence."""

    why: str


Event = PageDone | Deferred | Throttled | Expanded | Finished
