"""The seen test never forgets a URL, and seldom asks the disk about a new one."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from lagotto.base.urls import checksum
from lagotto.lab.checks.store_calls import seed
from lagotto.store.sql.database import Cache
from lagotto.store.sqlite import database, seen
from lagotto.store.sqlite import seen as sweep
from lagotto.store.sqlite.seen import Filter, Seen
from tests.store.blocking import Blocking


def test_filter_grows_without_forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "FIRST_LAYER", 1000)
    chosen = random.Random(1)
    ids = [chosen.getrandbits(64) - (1 << 63) for _ in range(30_000)]
    known = Filter(0)
    for start in range(0, 20_000, 500):
        known.update(ids[start : start + 500])
    assert all(id in known for id in ids[:20_000])
    wrong = sum(id in known for id in ids[20_000:])
    assert wrong < 0.05 * 10_000


def test_filter_takes_more_than_it_was_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "FIRST_LAYER", 10)
    known = Filter(0)
    known.update(range(1000))
    assert all(id in known for id in range(1000))
    assert sum(id in known for id in range(1000, 2000)) < 50


def swept(db: sqlite3.Connection, first: int, last: int) -> Seen:
    known = Seen(db)
    known.load(0)
    for number in range(first, last):
        known.add(checksum(f"http://a.example/{number}"), number)
    known.sweep(sweep.STEP * sweep.BUCKETS)
    return known


def test_found_in_memory_and_on_disk() -> None:
    db = database.connect(":memory:")
    database.set_up(db)
    known = swept(db, 1, 1001)
    assert db.execute("SELECT count(*) FROM known").fetchone() == (1000,)
    known.add(checksum("http://a.example/new"), 1001)
    assert known.find(checksum("http://a.example/new")) == 1001
    assert [known.find(checksum(f"http://a.example/{n}")) for n in (1, 500, 1000)] == [1, 500, 1000]
    assert known.find(checksum("http://a.example/other")) is None
    db.close()


def test_new_urls_seldom_reach_the_disk() -> None:
    db = database.connect(":memory:")
    database.set_up(db)
    known = swept(db, 1, 20_001)
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    for number in range(2000):
        assert known.find(checksum(f"http://b.example/{number}")) is None
    assert len(asked) < 100
    db.set_trace_callback(None)
    db.close()


def test_a_filter_that_is_not_full_yet_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "FILLED_AT_ONCE", 10)
    monkeypatch.setattr(sweep, "STEP", 1)
    store = Blocking.create(tmp_path)
    urls = [f"http://a.example/{number}" for number in range(600)]
    store.add_seeds([seed(url) for url in urls[:300]])
    store.add_seeds([seed(url) for url in urls[300:]])
    store.kill()
    store = Blocking.open(tmp_path)
    for number in range(30):
        assert all(store.store._links.find(checksum(url)) for url in urls)
        assert store.add_seeds([seed(url) for url in urls]).new == 0
        assert store.add_seeds([seed(f"http://b.example/{number}")]).new == 1
    store.close()


def test_cache_is_bounded_and_keeps_what_is_used() -> None:
    cache: Cache[int, float] = Cache(100)
    cache[-1] = 0.5
    for number in range(1000):
        cache[number] = float(number)
        assert cache.get(-1) == 0.5
        assert len(cache) <= 102
    assert cache.get(999) == 999.0
    assert cache.get(5) is None
    cache.clear()
    assert cache.get(-1) is None
