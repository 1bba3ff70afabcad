"""The simulation of large crawls adds up, and names the bottleneck that its costs make."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "simulate_cluster.py"


@pytest.fixture(scope="module")
def simulation() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def phases(simulation: dict[str, Any], urls: float, **costs: float) -> list[Any]:
    usual = {"workers": 10, "delay": 1.0, "page_cpu": 0.005, "commit_seconds": 0.002, "databases": 1}
    found: list[Any] = simulation["joined"](simulation["crawl"](urls, simulation["Costs"](**usual | costs)))
    return found


def test_hosts_hold_all_urls_and_small_ones_are_many(simulation: dict[str, Any]) -> None:
    sizes, hosts = simulation["host_classes"](1e8)
    assert (sizes * hosts).sum() == pytest.approx(1e8)
    assert sizes[0] == 1
    assert hosts[0] > 0.4 * hosts.sum()
    # Ten times as large is about 10^0.85 times as rare, as more than n pages are meant.
    larger = [hosts[sizes >= size].sum() for size in (10, 100, 1000)]
    assert larger[0] / larger[1] == pytest.approx(10**0.85, rel=0.2)
    assert larger[1] / larger[2] == pytest.approx(10**0.85, rel=0.2)


@pytest.mark.parametrize(
    ("costs", "first", "rate"),
    [
        ({"commit_seconds": 0.01}, "database", 100),
        ({"commit_seconds": 0.01, "databases": 4}, "database", 400),
        ({"workers": 1, "page_cpu": 0.1}, "workers", 10),
        ({"delay": 1e6}, "politeness", None),
    ],
)
def test_the_dearest_part_is_the_first_limit(
    simulation: dict[str, Any], costs: dict[str, float], first: str, rate: float | None
) -> None:
    found = phases(simulation, 1e6, **costs)
    assert found[0].limit == first
    if rate is not None:
        assert found[0].pages / found[0].seconds == pytest.approx(rate)


def test_no_url_is_crawled_twice_and_few_are_left(simulation: dict[str, Any]) -> None:
    # The largest hosts are so rare that less than one of each size is expected: those are left out.
    assert 0.95e8 < sum(phase.pages for phase in phases(simulation, 1e8)) < 1.001e8


def test_the_end_waits_for_the_largest_host(simulation: dict[str, Any]) -> None:
    last = phases(simulation, 1e8, workers=1e6, commit_seconds=1e-9)[-1]
    assert last.limit == "politeness"
    sizes, hosts = simulation["host_classes"](1e8)
    assert sizes[hosts >= 1].max() <= last.seconds <= sizes.max()


def test_storage_follows_from_urls_and_rate(simulation: dict[str, Any]) -> None:
    needed = simulation["Storage"](url_bytes=400, log_bytes=20_000, batch=8).needed(1e9, 800)
    assert needed == "400 GB of tables; at 800 pages/s 16.0 MB/s of log and 100 flushes/s"
