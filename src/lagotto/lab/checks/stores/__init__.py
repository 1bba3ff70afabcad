"""Contract checks that every store passes, on one machine or on many.

from lagotto.lab.checks.stores import STORE_CHECKS, StoreCheck

@pytest.mark.parametrize("check", STORE_CHECKS)
async def test_my_store(check: StoreCheck) -> None:
    await check(MyStores())

`MyStores` has the three methods of `Stores`; docs/stores.md shows an example.
"""

from __future__ import annotations

from lagotto.lab.checks.stores.commits import COMMIT_CHECKS
from lagotto.lab.checks.stores.links import LINK_CHECKS, SHELF_CHECKS
from lagotto.lab.checks.stores.reading import READER_CHECKS
from lagotto.lab.checks.stores.revisits import REVISIT_CHECKS
from lagotto.lab.checks.stores.sharing import SHARING_CHECKS
from lagotto.lab.checks.stores.steering import STEERING_CHECKS
from lagotto.lab.checks.stores.storing import STORAGE_CHECKS, StoreCheck, Stores
from lagotto.lab.checks.stores.workers import WORKER_CHECKS

STORE_CHECKS: tuple[StoreCheck, ...] = (
    *LINK_CHECKS,
    *SHELF_CHECKS,
    *COMMIT_CHECKS,
    *WORKER_CHECKS,
    *STEERING_CHECKS,
    *READER_CHECKS,
    *REVISIT_CHECKS,
    *STORAGE_CHECKS,
)

__all__ = ["SHARING_CHECKS", "STORE_CHECKS", "StoreCheck", "Stores"]
