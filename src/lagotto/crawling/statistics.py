"""Running figures of a crawl."""

from __future__ import annotations

from collections import Counter, deque

from lagotto.reasons import Reason, counted_as
from lagotto.records import Outcome
from lagotto.views import Status

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
