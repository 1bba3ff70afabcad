"""Fixtures for fetching from loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from lagotto.fetch import Guard, HttpFetcher, Timeouts

MakeFetcher = Callable[..., HttpFetcher]

LOOPBACK = Guard(["127.0.0.0/8", "::1/128"])
PATIENT = Timeouts(connect=5, headers=5, idle=5, total=10)


@pytest.fixture
async def make_fetcher() -> AsyncIterator[MakeFetcher]:
    """Makes fetchers that may connect to loopback, and closes them."""
    made: list[HttpFetcher] = []

    def make(**options: Any) -> HttpFetcher:
        fetcher = HttpFetcher(**{"guard": LOOPBACK, "timeouts": PATIENT, **options})
        made.append(fetcher)
        return fetcher

    yield make
    for fetcher in made:
        await fetcher.close()
