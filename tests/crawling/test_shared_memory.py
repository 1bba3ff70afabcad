"""What workers learn together."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.batch import Batch
from lagotto.base.urls import SHARDS
from lagotto.crawling.cluster.shared_memory import SharedMemory
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.store.postgres.storage import PostgresStorage
from tests.postgres import server_for


def memory_of(store: object) -> SharedMemory:
    strategy = Scent(Topic("heron"))
    return SharedMemory(strategy, store, leads=lambda: True, mine=lambda host: True)  # type: ignore[arg-type]


async def test_who_lags_behind_a_snapshot_learns_all_the_same(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """The samples that a snapshot covers may be gone before every worker has learned them."""
    database = server_for(tmp_path_factory)
    joint = "&" if "?" in database else "?"
    storage = PostgresStorage(f"{database}{joint}crawl={tmp_path.name}&files={tmp_path}")
    store, other = await storage.create(b""), await storage.open()
    await store.acquire(range(SHARDS), "leader")
    try:
        quick, slow = memory_of(store), memory_of(other)
        samples = [
            quick.strategy.feedback({"heron": n + 1, "fish": 9 - n}, True, f"http://a.example/{n}")
            for n in range(9)
        ]
        for at, sample in enumerate(samples):
            assert sample is not None
            if at == 3:
                await slow.catch_up()
            await store.commit(Batch(samples=[quick.learn_sample(sample)]))
            await quick.catch_up()
            if at == 6:
                await quick.snapshot()
        assert not (await other.samples(3)).complete, "what the slow one has not learned is gone"
        await slow.catch_up()
        assert slow.strategy.save() == quick.strategy.save()
    finally:
        await other.close()
        await store.close()
