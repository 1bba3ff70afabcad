"""How much a crawl may fetch, how fast and how long."""

from __future__ import annotations

from msgspec import Struct

from lagotto.batch import Spent

REQUESTS_A_PAGE = 20
REQUESTS_BESIDE = 1000
"""Requests beyond twenty a page that a crawl with a limit of pages may send by default."""


class Limits(Struct):
    """How much, how fast and how long; 0 means no limit. May be changed while the crawl runs."""

    pages: int = 0
    seconds: float = 0.0
    bytes: int = 0
    requests: int = 0
    """Requests of all kinds; 0: derived from `pages`, or redirects could go on for ever."""
    concurrency: int = 16
    patience: float = 0.0
    """Seconds to wait after a lease for hosts with better links, while other hosts are ready."""
    stop_by_itself: bool = False
    """Also stop when the strategy expects no more from the crawl."""

    @property
    def in_flight(self) -> int:
        """Most links that may be leased and uncommitted; 1 when concurrency is 1."""
        return 1 if self.concurrency == 1 else 2 * self.concurrency

    @property
    def most_requests(self) -> int:
        """Requests after which the crawl ends; 0: no limit."""
        return self.requests or (REQUESTS_A_PAGE * self.pages + REQUESTS_BESIDE if self.pages else 0)

    def used_up(self, spent: Spent, requests: int, seconds: float) -> str:
        """Which limit is reached, as a sentence; empty if none is."""
        if self.pages and spent.pages >= self.pages:
            return f"the budget of {self.pages} page{'s' if self.pages > 1 else ''} is used"
        if self.most_requests and requests >= self.most_requests:
            return f"the budget of {self.most_requests} requests is used (see --max-requests)"
        if self.bytes and spent.bytes >= self.bytes:
            return f"the budget of {self.bytes} bytes is used"
        if self.seconds and seconds >= self.seconds:
            return f"the time of {self.seconds:g} s is used"
        return ""

    def room(self, spent: Spent, requests: int, running: int, in_flight: int) -> bool:
        """Whether one more link may be leased; `running` visits have sent or will send a request."""
        if running >= self.concurrency or in_flight >= self.in_flight:
            return False
        if self.most_requests and requests + running >= self.most_requests:
            return False
        return not self.pages or spent.pages + in_flight < self.pages
