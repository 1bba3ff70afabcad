"""Seeds: how they enter the frontier, and what is said when none of them can be fetched."""

from __future__ import annotations

from collections.abc import Iterable

from lagotto.crawling.visit import UNREACHABLE
from lagotto.records import Lease, Outcome, Reason
from lagotto.urls import checksum, host_of

SEED_SCORE = 1.0
_ADVICE = {
    Reason.ADDRESS: "name the private range with --allow-private CIDR if you mean it",
    Reason.ROBOTS: "its robots.txt forbids it",
    Reason.PROXY: "check --proxy",
}


def seed_lease(url: str, score: float = SEED_SCORE) -> Lease:
    """A canonical URL as the start of a discovery path."""
    return Lease(id=checksum(url), url=url, host=host_of(url), score=score)


class SeedWatch:
    """Finds out whether a crawl can begin at all, before its retries are used up."""

    def __init__(self, urls: Iterable[str] = ()) -> None:
        self._waiting = {checksum(url) for url in urls}
        self._failed: list[tuple[str, str, str]] = []
        self._reached = False

    def failure(self, outcome: Outcome) -> str:
        """Take in an outcome; returns why a seed could not be fetched, empty if it was or is no seed."""
        lease = outcome.lease
        if lease.id not in self._waiting:
            return ""
        if outcome.reason == Reason.REDIRECT:
            self._waiting.discard(lease.id)
            self._waiting.add(checksum(outcome.final_url))
        elif outcome.status == 200:
            self._reached = True
            self._waiting.discard(lease.id)
        elif outcome.retry_at is None or outcome.reason in UNREACHABLE:
            self._waiting.discard(lease.id)
            self._failed.append((lease.url, outcome.reason, outcome.detail))
            return f"{outcome.reason} {outcome.detail}".strip()
        return ""

    def complaint(self) -> str:
        """What to say if no seed could be fetched; empty while one might be."""
        if self._reached or self._waiting or not self._failed:
            return ""
        url, reason, detail = self._failed[0]
        why = f"{reason} {detail}".strip()
        # Where robots.txt could not be had, the detail says for which reason.
        advice = next(
            (advice for named, advice in _ADVICE.items() if named in why.split()), "check the address"
        )
        return f"no seed could be fetched ({url}: {why}); {advice}"
