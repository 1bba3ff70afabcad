"""Running figures of a crawl."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

from msgspec import Struct

from lagotto.base.batch import Spent
from lagotto.base.reasons import Reason, counted_as
from lagotto.base.records import Outcome
from lagotto.base.views import Status

RECENT = 100
"""Pages that the recent harvest ratio and the rate are computed from."""


class Statistics:
    """Counts since the crawl began; a resumed crawl goes on from what its store holds."""

    def __init__(self) -> None:
        self.pages = 0
        """Answers with status 200."""
        self.relevant = 0
        self.concluded = 0
        self.bytes = 0
        self.known = 0
        """URLs that entered the frontier, seeds included."""
        self.reasons: Counter[str] = Counter()
        """URLs without a page, by what `reasons.counted_as` counts them as."""
        self.left_out: Counter[str] = Counter()
        """Reason -> links on pages that did not enter the frontier, since this run began."""
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._times: deque[float] = deque(maxlen=RECENT)

    def count_all(self, status: Status) -> None:
        """Count what the store holds, whichever worker and whichever run brought it."""
        self.pages, self.relevant, self.bytes = status.pages, status.relevant, status.bytes
        self.known, self.concluded = status.known, status.concluded
        self.reasons = Counter(status.reasons)

    def add(self, outcome: Outcome, now: float) -> None:
        """Count one committed outcome."""
        if outcome.retry_at is not None:
            return
        self.concluded += 1
        self.left_out.update(outcome.left_out)
        self.bytes += outcome.size
        if outcome.reason:
            self.reasons[counted_as(outcome.reason, outcome.status)] += 1
        if outcome.status == 200 and outcome.reason != Reason.SITEMAP:
            self.pages += 1
            relevant = outcome.judgement is not None and outcome.judgement.relevant
            self.relevant += relevant
            self._recent.append(relevant)
            self._times.append(now)

    @property
    def harvest_ratio(self) -> float:
        """Relevant pages per fetched page, over the whole crawl."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def recent_harvest_ratio(self) -> float:
        """The harvest ratio of the last pages."""
        return sum(self._recent) / len(self._recent) if self._recent else 0.0

    def rate(self, now: float) -> float:
        """Pages per second over the last pages."""
        if len(self._times) < 2:
            return 0.0
        return len(self._times) / max(1e-9, now - self._times[0])


class WorkingTime:
    """A stopwatch that can be held; it stands still until it is started."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._before = 0.0
        self._since: float | None = None
        self.paused = False

    @property
    def seconds(self) -> float:
        """Seconds at work so far."""
        return self._before + (self._now() - self._since if self._since is not None else 0.0)

    def start(self) -> None:
        """Begin to count, unless paused."""
        if not self.paused and self._since is None:
            self._since = self._now()

    def pause(self) -> None:
        """Hold the watch."""
        self._before, self._since, self.paused = self.seconds, None, True

    def go_on(self) -> None:
        """Count again."""
        self.paused = False
        self.start()


REQUESTS_A_PAGE = 20
REQUESTS_BESIDE = 1000
"""Requests beyond twenty a page that a crawl with a limit of pages may send by default."""


class Budget(Struct):
    """How much and how long; 0 means no limit."""

    pages: int = 0
    seconds: float = 0.0
    bytes: int = 0
    requests: int = 0
    """Requests of all kinds; 0: derived from `pages`, or redirects could go on for ever."""
    stop_by_itself: bool = False
    """Also stop when the strategy expects no more from the crawl."""

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

    def covers_one_more(self, spent: Spent, requests: int, in_flight: int) -> bool:
        """Whether one more link may be leased; `requests` are those sent or about to be sent."""
        if self.most_requests and requests >= self.most_requests:
            return False
        return not self.pages or spent.pages + in_flight < self.pages


class Limits(Budget):
    """The budget of a crawl, and how fast it may be used. May be changed while the crawl runs."""

    concurrency: int = 16
    patience: float = 0.0
    """Seconds to wait after a lease for hosts with better links, while other hosts are ready."""

    @property
    def in_flight(self) -> int:
        """Most links that may be leased and uncommitted; 1 when concurrency is 1."""
        return 1 if self.concurrency == 1 else 2 * self.concurrency

    def allow_one_more(self, running: int, in_flight: int) -> bool:
        """Whether one more link may be leased beside those that are under way."""
        return running < self.concurrency and in_flight < self.in_flight
