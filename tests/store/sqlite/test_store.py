"""The store keeps the contract of `protocols.Store`, on disk and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from lagotto.base.protocols import Storage, Store
from lagotto.lab.checks.stores import STORE_CHECKS, StoreCheck
from lagotto.lab.checks.stores.storing import STORAGE_CHECKS
from lagotto.store.sqlite import seen as sweep
from lagotto.store.sqlite.storage import MemoryStorage
from tests.store.stores import OnDisk


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[OnDisk]:
    stores = OnDisk(tmp_path)
    yield stores
    stores.close()


@pytest.mark.parametrize("check", STORE_CHECKS)
async def test_contract_on_disk(check: StoreCheck, on_disk: OnDisk) -> None:
    await check(on_disk)


@pytest.mark.parametrize("check", STORE_CHECKS)
async def test_contract_when_nothing_stays_in_memory(
    check: StoreCheck, on_disk: OnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_buckets(self: sweep.Sweep, newest: int) -> Iterator[int]:
        yield from range(sweep.BUCKETS)

    monkeypatch.setattr(sweep.Sweep, "due", all_buckets)
    await check(on_disk)


class InMemory:
    """Stores that nobody else can open."""

    def place(self) -> MemoryStorage:
        return MemoryStorage()

    def kill(self, store: Store) -> None:
        raise _NeedsDisk

    async def beside(self, storage: Storage) -> Store:
        raise _NeedsDisk


class _NeedsDisk(Exception):
    """A check kills a worker or wants a second one, which needs files."""


@pytest.mark.parametrize("check", [check for check in STORE_CHECKS if check not in STORAGE_CHECKS])
async def test_contract_in_memory(check: StoreCheck) -> None:
    with suppress(_NeedsDisk):
        await check(InMemory())
