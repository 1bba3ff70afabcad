"""A crawl on a real Ray and a real PostgreSQL, both started by the crawl itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import pytest

from lagotto.base.errors import CrawlDirectoryError, InputError, NotACrawl, SeedError
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.crawling.config import encode, from_values
from lagotto.store import storage_at, with_crawl
from tests.postgres import server_for

TOPIC = {"topic": "heron", "seeds": ["http://127.0.0.1/"]}
IN_FLIGHT = 32
"""Requests that a killed worker may have had under way: twice its concurrency."""


@pytest.mark.skipif(os.geteuid() != 0, reason="Ray is tried in a network of its own, which needs root")
def test_a_killed_worker_is_started_again_and_nothing_is_lost() -> None:
    # PostgreSQL runs as a user of its own, who may not look into the folders of pytest.
    with tempfile.TemporaryDirectory(prefix="lagotto-cluster-") as folder:
        Path(folder).chmod(0o755)
        command = [
            sys.executable,
            "-m",
            "tests.crawling.cluster.apart",
            "tests.crawling.cluster.trial",
            folder,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr[-3000:]
        told = json.loads(done.stdout.splitlines()[-1])
    assert (told["pages"], told["twice"], told["killed"]) == (150, 0, 1), told
    assert told["asked_again"] <= IN_FLIGHT, told
    assert told["logs"] == told["shards"] >= 2, "a worker, and the one that took its place"


@pytest.mark.parametrize("cluster", ["0", "-2", "many", "http://head:10001"])
def test_a_cluster_that_makes_no_sense_is_refused(cluster: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--cluster cannot be"):
        ClusterRun(tmp_path / "crawl", cluster, from_values(TOPIC))
    assert not (tmp_path / "crawl").exists()


def test_a_cluster_elsewhere_needs_a_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a database with --store"):
        ClusterRun(tmp_path / "crawl", "ray://head:10001", from_values(TOPIC))


async def test_a_crawl_of_one_process_is_not_taken_over(tmp_path: Path) -> None:
    store = await storage_at(tmp_path / "crawl").create(encode(from_values(TOPIC)))
    await store.close()
    before = sorted((tmp_path / "crawl").iterdir())
    for config in (from_values(TOPIC), None):
        with pytest.raises(CrawlDirectoryError, match="which several workers cannot share"):
            ClusterRun(tmp_path / "crawl", "2", config)
    assert sorted((tmp_path / "crawl").iterdir()) == before


def test_a_crawl_without_a_seed_that_answers_can_be_started_again(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise SeedError("no seed could be fetched")

    monkeypatch.setattr(ClusterRun, "_work", fail)
    location = with_crawl(server_for(tmp_path_factory), f"seedless-{uuid4().hex[:8]}")
    with pytest.raises(SeedError):
        ClusterRun(location, "2", from_values(TOPIC)).run()
    assert not storage_at(location).exists()


def test_there_must_be_a_crawl_to_go_on_with(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl):
        ClusterRun(tmp_path / "crawl", "2")
    assert not (tmp_path / "crawl").exists()


def test_secrets_must_come_from_the_environment(tmp_path: Path) -> None:
    config = from_values({**TOPIC, "auth": ["me:secret@http://127.0.0.1"]})
    with pytest.raises(InputError, match="from their environment"):
        ClusterRun(tmp_path / "crawl", "2", config)
