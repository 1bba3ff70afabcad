"""A crawl in PostgreSQL keeps the contract of every store."""

from __future__ import annotations

import pytest

from lagotto.lab.checks.stores import SHARING_CHECKS, STORE_CHECKS, StoreCheck
from tests.store.postgres.conftest import PostgresStores


@pytest.mark.parametrize("check", [*STORE_CHECKS, *SHARING_CHECKS])
async def test_contract(check: StoreCheck, stores: PostgresStores) -> None:
    await check(stores)
