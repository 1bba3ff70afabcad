"""Workers as plain processes: started again, given up, stopped; together they fetch what one would."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

from lagotto.api import crawl_on_cluster
from lagotto.base.errors import LagottoError, SeedError
from lagotto.crawling.cluster import processes
from lagotto.crawling.cluster.processes import TRIES, Processes
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.crawling.config import Config, from_values
from lagotto.store import storage_at, with_crawl
from tests.conftest import PROJECT
from tests.postgres import server_for
from tests.site import Site, tree_site, tree_url

PAGES = 120
HOSTS = [f"127.0.13.{number}" for number in range(1, 13)]
FAILS = "import sys; sys.exit('lagotto: no room is left')"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers be started again at once."""
    monkeypatch.setattr(processes, "PAUSE", 0.01)


def config(site: Site) -> Config:
    return from_values(
        {
            "topic": "heron",
            "seeds": [tree_url(0, site.hosts)],
            "allow_private": ["127.0.0.0/8"],
            "delay": 0.05,
            "strategy": "bfs",
            "keep_warc": False,
        }
    )


def run(workers: Processes, ended: str = "") -> str:
    return workers.run(lambda _: None, threading.Event(), lambda: ended)


@pytest.mark.timeout(180)
async def test_workers_one_of_which_is_killed_fetch_what_one_would(database: str) -> None:
    location = with_crawl(database, f"processes-{uuid4().hex[:8]}")
    async with Site({}, addresses=HOSTS) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        running = ClusterRun(location, "2", config(site))
        seen: set[int] = set()
        killed: list[int] = []

        def watch(_: int) -> None:
            assert isinstance(running.workers, Processes)
            seen.update(running.workers.pids)
            if not killed and len(site.log) >= PAGES // 6:
                killed.append(min(seen))
                os.kill(killed[0], signal.SIGKILL)

        why = await asyncio.to_thread(running.run, watch)
        expected = {tree_url(number, site.hosts) for number in range(PAGES)}
    with storage_at(location).reader() as reader:
        committed = Counter(row.url for row in reader.rows())
    assert why == "the frontier is empty"
    assert committed == dict.fromkeys(expected, 1)
    assert len(seen) == 3, "two workers, and the one in the place of the killed one"
    storage_at(location).discard()


@pytest.mark.timeout(180)
async def test_ctrl_c_ends_all_workers_without_ray(database: str, tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError('Ray is not installed')\n")
    name = f"interrupted-{uuid4().hex[:8]}"
    location = with_crawl(database, name)
    async with Site({}, addresses=HOSTS) as site:
        site.pages.update(tree_site(4000, site.hosts))
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lagotto", "crawl", "heron", "--seed", tree_url(0, site.hosts)),
            *("--store", database, "--crawl", name, "-o", str(tmp_path / "files"), "--cluster", "2"),
            *("--delay", "0.05", "--allow-private", "127.0.0.0/8"),
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        while len(site.log) < 30:
            await asyncio.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
    assert process.returncode == 0, err
    assert b"stopping when what is under way has come in" in err
    assert b"finished: stopped" in out
    assert not storage_at(location).running()
    storage_at(location).discard()


def test_a_worker_that_cannot_start_is_given_up_after_some_tries(tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = f"open({str(count)!r}, 'a').write('x'); {FAILS}"
    with pytest.raises(LagottoError, match=r"^no room is left$"):
        run(Processes("nowhere", 1, command=(sys.executable, "-c", script)))
    assert count.read_text() == "x" * TRIES


def test_a_worker_that_fails_costs_no_other(tmp_path: Path) -> None:
    script = f"import os, sys; os.path.exists({str(tmp_path / 'taken')!r}) and sys.exit('lagotto: no')\n"
    script += f"open({str(tmp_path / 'taken')!r}, 'x'); sys.stdin.read()"
    workers = Processes("nowhere", 2, command=(sys.executable, "-c", script))
    assert run(workers) == ""


def test_no_worker_is_started_again_after_the_end(tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = f"open({str(count)!r}, 'a').write('x'); {FAILS}"
    assert run(Processes("nowhere", 1, command=(sys.executable, "-c", script)), "empty") == "empty"
    assert count.read_text() == "x"


def test_a_worker_that_nobody_can_start_is_told_in_a_sentence() -> None:
    with pytest.raises(LagottoError, match="ended by SIGKILL"):
        run(Processes("nowhere", 1, command=("sh", "-c", "kill -9 $$")))


@pytest.mark.timeout(120)
def test_seeds_that_cannot_be_fetched_end_all_workers(database: str) -> None:
    location = with_crawl(database, f"seedless-{uuid4().hex[:8]}")
    with pytest.raises(SeedError, match="no seed could be fetched"):
        crawl_on_cluster(
            "heron",
            location=location,
            cluster=2,
            seeds=["http://127.0.0.1:9/"],
            allow_private=["127.0.0.0/8"],
        )
    assert not storage_at(location).exists()
