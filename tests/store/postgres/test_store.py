"""What a store in PostgreSQL does beyond the contract: lost connections, concurrent workers."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import psycopg
import pytest

from lagotto.base.batch import Batch
from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.protocols.storage import Finding, Severity
from lagotto.base.urls import SHARDS
from lagotto.lab.checks.store_calls import HOME, commit, hold_all, link, outcome, queue, seed, top
from lagotto.store.postgres import connection, outages
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.store import PostgresStore
from tests.store.postgres.conftest import PostgresStores

HALF = SHARDS // 2


def cut(store: PostgresStore, database: str) -> None:
    """End the connection of a store at the server, as a restart does."""
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (store.db.raw.info.backend_pid,))


async def test_a_lost_connection_is_made_again(stores: PostgresStores) -> None:
    storage = stores.place()
    store = await storage.create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    cut(store, stores.database)
    [lease] = await top(store)
    cut(store, stores.database)
    assert (await commit(store, [outcome(lease, link(f"{HOME}b"))])).new == 1
    assert storage.running(), "a worker that connected again is seen"
    cut(store, stores.database)
    assert (await store.spent()).pages == 1


def test_warnings_of_the_driver_stay_off_the_terminal() -> None:
    warn = "import logging; logging.getLogger('psycopg.pipeline').warning('the connection is lost')"
    said = [
        subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, check=True).stderr
        for program in (warn, f"import lagotto.store.postgres.connection; {warn}")
    ]
    assert said == ["the connection is lost\n", ""]


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_commit_whose_reply_is_lost_counts_once(
    stores: PostgresStores, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    store = await stores.place().create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    [lease] = await top(store)
    raw_execute = psycopg.Connection.execute
    cuts: list[str] = []

    def execute(self: psycopg.Connection[object], query: object, *values: object, **more: object) -> object:
        losing = query == "COMMIT" and not cuts
        if losing:
            cuts.append(when)
            if when == "after":
                raw_execute(self, query)  # type: ignore[call-overload]
            cut(store, stores.database)
        return raw_execute(self, query, *values, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(psycopg.Connection, "execute", execute)
    done = outcome(lease, link(f"{HOME}b"))
    done.sample = b"sample"
    committed = await commit(store, [done])
    assert (cuts, committed.new, committed.spent.pages) == ([when], 1, 1)
    assert (await store.restore()).samples == [b"sample"]
    assert [row.url for row in store.reader().rows()] == [HOME]


async def test_a_worker_that_sleeps_in_a_transaction_does_not_hold_up_the_others(
    stores: PostgresStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LONGEST_PAUSE", 1)
    storage = stores.place()
    sleeper, other = await storage.create(b""), await storage.open()
    await other.acquire(range(SHARDS), "other")
    await sleeper._run(lambda: sleeper.db.execute("BEGIN"))
    await sleeper._run(lambda: sleeper.db.execute("SELECT FROM counters FOR UPDATE"))
    assert (await queue(other, [seed()])).new == 1, "the server ends the transaction of the sleeper"
    assert (await sleeper.spent()).pages == 0, "it connects again when it wakes"


async def test_a_database_that_stays_away_is_given_up(
    stores: PostgresStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await stores.place().create(b"")
    await hold_all(store)
    monkeypatch.setattr(outages, "PATIENCE", 0.2)
    monkeypatch.setattr(outages, "RETRY", 0.05)

    def refuse(_: Connection) -> None:
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(Connection, "reopen", refuse)
    store.db.close()
    with pytest.raises(CrawlDirectoryError, match="cannot be reached"):
        await store.spent()


async def test_workers_commit_beside_each_other(stores: PostgresStores) -> None:
    """Two workers that bring the same links at the same time: each is known once, nothing waits for ever."""
    storage = stores.place()
    first = await storage.create(b"")
    second = await storage.open()
    await first.acquire(range(HALF), "first")
    await second.acquire(range(HALF, SHARDS), "second")
    hosts = [f"h{n}.example" for n in range(40)]
    seeds = [seed(f"http://{host}/") for host in hosts]
    await queue(first, seeds)
    shared = [link(f"http://{host}/shared/{n}", 0.5) for host in hosts for n in range(3)]

    async def work(store: PostgresStore) -> list[int]:
        pages: list[int] = []
        for host in await store.hosts():
            lease = (await top(store, host))[0]
            pages += (await commit(store, [outcome(lease, *shared)])).pages.values()
        return pages

    found = await asyncio.gather(work(first), work(second))
    assert sorted(found[0] + found[1]) == list(range(1, 41))
    assert store_is_sound(storage.examine())
    status = first.reader().status()
    assert (status.known, status.queued, status.concluded) == (40 + 120, 120, 40)


async def test_pages_are_seen_in_the_order_of_their_numbers(stores: PostgresStores) -> None:
    """Whoever follows the crawl while two workers commit misses nothing."""
    storage = stores.place()
    workers = [await storage.create(b""), await storage.open()]
    for n, worker in enumerate(workers):
        await worker.acquire(range(n * HALF, (n + 1) * HALF), f"worker {n}")
    hosts = [f"h{n}.example" for n in range(30)]
    await queue(workers[0], [seed(f"http://{host}/") for host in hosts])
    seen: list[int] = []
    over = asyncio.Event()

    async def follow() -> None:
        with storage.reader() as reader:
            while not over.is_set():
                seen.extend(row.seq for row in reader.rows(after=seen[-1] if seen else 0))
                await asyncio.sleep(0)
            seen.extend(row.seq for row in reader.rows(after=seen[-1] if seen else 0))

    async def work(store: PostgresStore) -> None:
        for host in await store.hosts():
            await commit(store, [outcome(lease) for lease in await top(store, host)])

    following = asyncio.create_task(follow())
    await asyncio.gather(*map(work, workers))
    over.set()
    await following
    assert seen == list(range(1, 31))


async def test_a_damaged_crawl_is_found_out(stores: PostgresStores) -> None:
    storage = stores.place()
    store = await storage.create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    await commit(store, [outcome((await top(store))[0])])
    assert store_is_sound(storage.examine())
    await store._run(lambda: store.db.execute("DELETE FROM pages"))
    assert not store_is_sound(storage.examine())


async def test_batches_that_do_nothing_are_cheap_and_named(stores: PostgresStores) -> None:
    store = await stores.place().create(b"")
    await hold_all(store)
    assert (await store.commit(Batch(seconds=1.0))).spent.seconds == 1.0
    assert (await store.commit(Batch(seconds=1.0))).spent.seconds == 2.0


def store_is_sound(findings: list[Finding]) -> bool:
    return all(finding.severity is Severity.GOOD for finding in findings)
