"""What is in memory and what is on disk make one store, at any moment of the sweep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.base.protocols.storage import Severity
from lagotto.base.records import Lease
from lagotto.lab.checks.store_calls import link, outcome, seed
from lagotto.store.sqlite import queue
from lagotto.store.sqlite import seen as sweep
from lagotto.store.sqlite.doctor import examine
from tests.store.blocking import Blocking


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Blocking]:
    made = Blocking.create(tmp_path)
    made.hold_all()
    yield made
    made.kill()


def urls(leases: list[Lease]) -> list[str]:
    return [lease.url for lease in leases]


def rows(store: Blocking, table: str) -> int:
    count: int = store.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def test_links_reach_the_disk_in_turn_and_stay_in_order(
    store: Blocking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "STEP", 4)
    hosts = [f"host{n}.example" for n in range(20)]
    store.add_seeds([seed(f"http://{host}/") for host in hosts])
    for turn in range(60):
        [lease] = store.top(hosts[turn % 20], 1, 0)
        links = [link(f"http://{hosts[turn * 7 % 20]}/{turn}/{n}", n / 9, lease.url) for n in range(10)]
        store.commit([outcome(lease, *links)])
    assert 0 < rows(store, "known") < store.known
    assert 0 < rows(store, "frontier") < store.known - store.concluded
    before = {host: urls(store.top(host, 1000, 0)) for host in hosts}
    assert sum(map(len, before.values())) == store.known - store.concluded
    store.kill()
    again = Blocking.open(tmp_path)
    again.hold_all()
    assert {host: urls(again.top(host, 1000, 0)) for host in hosts} == before
    best = {host: again.top(host, 1, 0)[0] for host in hosts if before[host]}
    assert again.hosts() == {host: (-lease.score, lease.seq) for host, lease in best.items()}
    again.close()
    assert {finding.severity for finding in examine(tmp_path)} == {Severity.GOOD}


def test_one_large_host_does_not_fill_the_memory(store: Blocking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FULL", 50)
    store.add_seeds([seed("http://a.example/")])
    for turn in range(10):
        [lease] = store.top("a.example", 1, 0)
        store.commit([outcome(lease, *(link(f"http://a.example/{turn}/{n}", n) for n in range(20)))])
    assert rows(store, "frontier") >= 200 - 10 - 50
    assert len(store.top("a.example", 1000, 0)) == store.known - store.concluded


def test_a_sweep_that_leaps_over_many_turns_misses_no_bucket(
    store: Blocking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "STEP", 1)
    store.add_seeds([seed(f"http://host{n % 97}.example/{n}") for n in range(100)])
    assert rows(store, "swept") == 2 * 100
    store.add_seeds([seed(f"http://host{n % 97}.example/{n}") for n in range(100, 1000)])
    assert rows(store, "swept") == 2 * sweep.BUCKETS
    assert (rows(store, "known"), rows(store, "frontier")) == (1000, 1000)
