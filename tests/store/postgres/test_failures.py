"""What goes wrong with the database is told in a sentence, and nothing is lost by it."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors

from lagotto.base.batch import Batch
from lagotto.base.errors import (
    CrawlDirectoryError,
    DamagedStore,
    DiskFull,
    InputError,
    LagottoError,
    NewerStore,
    NotACrawl,
    OlderStore,
)
from lagotto.lab.checks.store_calls import commit, hold_all, link, outcome, queue, seed, top
from lagotto.store import columns, storage_at
from lagotto.store.postgres import connection
from lagotto.store.postgres.outages import explain, is_unreachable, may_be_repeated
from lagotto.store.sql.events import Events
from tests.store.postgres.conftest import PostgresStores


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (errors.DiskFull("no space left"), DiskFull, "nothing is lost"),
        (errors.ReadOnlySqlTransaction("cannot execute"), CrawlDirectoryError, "read-only"),
        (errors.InsufficientPrivilege("permission denied"), CrawlDirectoryError, "grant the right"),
        (errors.TooManyConnections("too many"), CrawlDirectoryError, "max_connections"),
        (errors.InvalidPassword("wrong"), CrawlDirectoryError, "password"),
        (errors.InvalidCatalogName("no database"), CrawlDirectoryError, "create the database"),
        (errors.UndefinedTable("no table"), DamagedStore, "restore it"),
        (psycopg.OperationalError("Connection refused"), CrawlDirectoryError, "server runs"),
        (
            psycopg.OperationalError('FATAL:  database "x" does not exist'),
            CrawlDirectoryError,
            "the database",
        ),
        (errors.AdminShutdown("terminating"), CrawlDirectoryError, "server runs"),
    ],
)
def test_errors_are_explained(error: psycopg.Error, kind: type[LagottoError], words: str) -> None:
    explained = explain(error, "postgresql://db/x")
    assert type(explained) is kind
    assert words in str(explained)
    assert "\n" not in str(explained)


def test_what_goes_away_by_itself_is_told_from_the_rest() -> None:
    assert is_unreachable(errors.CannotConnectNow("starting up"))
    assert not is_unreachable(errors.DiskFull("full"))
    assert may_be_repeated(errors.DeadlockDetected("deadlock"))
    assert not may_be_repeated(errors.UniqueViolation("twice"))
    assert explain(errors.UndefinedFunction("a mistake of ours"), "x") is None


def test_a_database_that_is_not_there() -> None:
    storage = storage_at("postgresql://nobody@127.0.0.1:9/db?crawl=x")
    with pytest.raises(CrawlDirectoryError, match="cannot be reached"):
        storage.exists()


async def test_no_room_loses_nothing(stores: PostgresStores, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await stores.place().create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    [lease] = await top(store)

    def full(_: Events) -> None:
        raise errors.DiskFull("could not extend file: No space left on device")

    batch = Batch(outcomes=[outcome(lease, link("http://b.example/"))], samples=[b"sample"])
    with monkeypatch.context() as patch:
        patch.setattr(Events, "write", full)
        with pytest.raises(DiskFull, match="nothing is lost"):
            await store.commit(batch)
    assert (await store.restore()).samples == []
    assert (await store.commit(batch)).new == 1


async def test_formats_that_do_not_fit(stores: PostgresStores, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = stores.place()
    store = await storage.create(b"")
    present = columns.FORMAT
    monkeypatch.setattr(columns, "FORMAT", present - 1)
    with pytest.raises(NewerStore, match="newer Lagotto"):
        storage.reader()
    monkeypatch.setattr(columns, "FORMAT", present + 1)
    with pytest.raises(OlderStore, match="lagotto migrate"):
        storage.reader()
    monkeypatch.setitem(columns.MIGRATIONS, present, "ALTER TABLE crawl ADD COLUMN size BIG")
    assert f"from format {present} to {present + 1}" in storage.migrate()
    assert "nothing was changed" in storage.migrate()
    with storage.reader() as reader:
        assert reader.status().known == 0
        assert list(reader.judged_pages(5)) == []
    await store.close()


async def test_a_server_that_is_too_old(stores: PostgresStores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "OLDEST_SERVER", 990000)
    with pytest.raises(CrawlDirectoryError, match="needs 99 or newer"):
        await stores.place().create(b"")


async def test_two_crawls_cannot_have_one_name(stores: PostgresStores) -> None:
    storage = stores.place()
    await storage.create(b"first")
    with pytest.raises(CrawlDirectoryError, match="holds a crawl already"):
        await storage_at(storage.location).create(b"second")
    assert storage.config() == b"first"


async def test_workers_of_different_versions_are_refused(stores: PostgresStores) -> None:
    storage = stores.place()
    old, new = await storage.create(b""), await storage.open()
    await old.acquire([], "old", 100.0)
    await old._run(lambda: old.db.execute("UPDATE owners SET version = '0.0.1'"))
    with pytest.raises(InputError, match=r"worker old runs Lagotto 0.0.1"):
        await new.acquire([], "new", 100.0)
    await old.leave()
    await new.acquire([], "new", 100.0)


async def test_a_user_who_may_only_read(stores: PostgresStores) -> None:
    storage = stores.place()
    store = await storage.create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    read_only = storage_at(f"{storage.location}&options=-c%20default_transaction_read_only%3Don")
    with read_only.reader() as reader:
        assert reader.status().known == 1
    other = await read_only.open()
    try:
        with pytest.raises(CrawlDirectoryError, match="is read-only"):
            await other.acquire([], "second")
    finally:
        await other.close()
    assert (await commit(store, [outcome((await top(store))[0])])).pages, "the others go on"


async def test_a_crawl_that_is_not_there_is_named_with_those_that_are(stores: PostgresStores) -> None:
    storage = stores.place()
    await storage.create(b"")
    other = storage.location.replace(storage.place.crawl, "nosuch")
    with pytest.raises(NotACrawl, match="there is no crawl 'nosuch'"):
        storage_at(other).reader()
