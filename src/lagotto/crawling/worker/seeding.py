"""Seeds: how they enter the frontier, and the error when none of them can be fetched."""

from __future__ import annotations

from collections.abc import Iterable

from lagotto.base.reasons import Reason, cause_of, describe, facts_of
from lagotto.base.records import SEED_SCORE, Lease, Outcome
from lagotto.base.urls import checksum, host_of


def seed_lease(url: str, score: float = SEED_SCORE) -> Lease:
    """A canonical URL as the start of a discovery path."""
    return Lease(id=checksum(url), url=url, host=host_of(url), score=score)


class SeedWatch:
    """Detects that no seed can be fetched, without waiting for retries."""

    def __init__(self, urls: Iterable[str] = ()) -> None:
        self._waiting = {checksum(url) for url in urls}
        self._failed: list[tuple[str, str, str]] = []
        self._reached = False

    def failure(self, outcome: Outcome) -> str:
        """Why a seed could not be fetched, by this outcome; empty for other URLs and for success."""
        lease = outcome.lease
        if lease.id not in self._waiting:
            return ""
        if outcome.reason == Reason.REDIRECT:
            self._waiting.discard(lease.id)
            self._waiting.add(checksum(outcome.final_url))
        elif outcome.status == 200:
            self._reached = True
            self._waiting.discard(lease.id)
        elif outcome.retry_at is None or _about_host(outcome.reason):
            self._waiting.discard(lease.id)
            self._failed.append((lease.url, outcome.reason, outcome.detail))
            return describe(outcome.reason, outcome.detail)
        return ""

    def complaint(self) -> str:
        """Why no seed could be fetched, and what to do; empty while one may still be fetched."""
        if self._reached or self._waiting or not self._failed:
            return ""
        url, reason, detail = self._failed[0]
        facts = facts_of(cause_of(reason, detail)[0])
        advice = facts.advice if facts else "check the address"
        return f"no seed could be fetched: {url}: {describe(reason, detail)}; {advice}"


def _about_host(reason: str) -> bool:
    facts = facts_of(reason)
    return facts is not None and facts.about_host
