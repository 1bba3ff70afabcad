"""A restart of the database, and shards that are lost meanwhile: the worker goes on at every point."""

from __future__ import annotations

import pytest

from lagotto.crawling.cluster import membership
from lagotto.crawling.worker.worker import EMPTY
from tests.crawling.cluster.lost_shards import PAGES, crawl_over_restart, end_connections
from tests.postgres import server_for


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let shards be taken back soon."""
    monkeypatch.setattr(membership, "BEAT", 0.2)


@pytest.mark.timeout(200)
async def test_a_worker_goes_on_after_a_restart_and_the_loss_of_shards(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    _, _, statements = await crawl_over_restart(database, 0, end_connections)
    for at in range(2, statements, statements // 6):
        why, pages, seen = await crawl_over_restart(database, at, end_connections)
        assert (why, pages) == (EMPTY, PAGES), at
        assert seen >= at
    assert "other workers have taken" in caplog.text


@pytest.mark.long
@pytest.mark.timeout(3000)
async def test_a_worker_goes_on_wherever_it_was(database: str) -> None:
    _, _, statements = await crawl_over_restart(database, 0, end_connections)
    for at in range(1, statements + 1):
        why, pages, _ = await crawl_over_restart(database, at, end_connections)
        assert (why, pages) == (EMPTY, PAGES), at
