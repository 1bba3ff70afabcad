"""The store keeps the contract of `seams.Store`, on disk and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.seams import Store
from lagotto.store import SqliteStore, sweep
from lagotto.testing.stores import (
    STORE_CHECKS,
    StoreCheck,
    check_everything_survives_a_crash,
    check_stale_epochs_are_refused,
    check_what_was_learned_is_replayed,
)
from tests.store.stores import OnDisk


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[OnDisk]:
    stores = OnDisk(tmp_path)
    yield stores
    stores.close()


@pytest.mark.parametrize("check", STORE_CHECKS)
def test_contract_on_disk(check: StoreCheck, on_disk: OnDisk) -> None:
    check(on_disk)


@pytest.mark.parametrize("check", STORE_CHECKS)
def test_contract_when_nothing_stays_in_memory(
    check: StoreCheck, on_disk: OnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_buckets(self: sweep.Sweep, newest: int) -> Iterator[int]:
        yield from range(sweep.BUCKETS)

    monkeypatch.setattr(sweep.Sweep, "due", all_buckets)
    check(on_disk)


_NEEDS_A_DISK = {
    check_everything_survives_a_crash,
    check_stale_epochs_are_refused,
    check_what_was_learned_is_replayed,
}


class InMemory:
    """Stores that nobody else can open."""

    def new(self) -> SqliteStore:
        return SqliteStore.memory()

    def again(self, store: Store) -> Store:
        raise NotImplementedError

    beside = again


@pytest.mark.parametrize("check", [check for check in STORE_CHECKS if check not in _NEEDS_A_DISK])
def test_contract_in_memory(check: StoreCheck) -> None:
    check(InMemory())
