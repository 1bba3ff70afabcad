"""Seeds as leases, ready for the frontier."""

from __future__ import annotations

from lagotto.records import Lease
from lagotto.urls import checksum, host_of

SEED_SCORE = 1.0


def seed_lease(url: str, score: float = SEED_SCORE) -> Lease:
    """A canonical URL as the start of a discovery path."""
    return Lease(id=checksum(url), url=url, host=host_of(url), score=score)
