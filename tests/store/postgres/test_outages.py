"""Every method of reader and store goes on when the server has ended its connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from lagotto.base.batch import Batch, Content, Patterns, Version
from lagotto.base.protocols import Reader, SharedStore, Store, WorkerStore
from lagotto.base.records import Fetched, Page, WarcPlace
from lagotto.base.views import PageChoice
from lagotto.lab.checks.store_calls import HOME, hold_all, link, outcome, queue, seed, top
from lagotto.store import WarcWriter, storage_at
from lagotto.store.postgres.reader import PostgresReader
from lagotto.store.postgres.store import PostgresStore
from tests.store.postgres.conftest import PostgresStores

ARGUMENTS: dict[str, tuple[object, ...]] = {
    "pages_at": ([1],),
    "chosen_pages": (PageChoice(),),
    "history": (HOME,),
    "page_versions": (HOME,),
    "text": (1,),
    "best_queued": (5,),
    "queued_matching": ("b",),
    "refused_by": (Patterns(exclude=["b"]),),
    "versions": ("topic",),
    "learned": ("first",),
}
"""What the methods of a reader are asked; those that are missing here need nothing."""
READS = [name for name in vars(Reader) if not name.startswith("_") and name != "close"]


def cut(db: psycopg.Connection[Any], database: str) -> None:
    """End a connection at the server, as a restart does."""
    with psycopg.connect(database, autocommit=True) as other:
        query = "SELECT pg_terminate_backend(%s, 5000)"
        assert other.execute(query, (db.info.backend_pid,)).fetchone() == (True,)


async def a_page(stores: PostgresStores) -> tuple[PostgresStore, WarcPlace]:
    """A crawl with one page, one link, one sample, and the place of its answer."""
    storage = stores.place()
    store = await storage.create(b"")
    await hold_all(store)
    await queue(store, [seed()])
    [lease] = await top(store)
    warc = WarcWriter(Path(storage.files) / "warc", {})
    done = outcome(lease, link("http://b.example/"))
    done.page = Page(HOME, "Home", text="A text.")
    done.warc = warc.append(Fetched(HOME, 200, body=b"A text.", wire=b"A text.", fetched_at=1.0))
    warc.close()
    await store.commit(Batch(outcomes=[done], samples=[b"one"], versions=[Version("topic", b"birds")]))
    return store, done.warc


async def test_every_method_of_a_reader_survives_a_lost_connection(stores: PostgresStores) -> None:
    store, place = await a_page(stores)
    # The location does not say where files are, so the reader must ask the database for that too.
    with storage_at(store.location.text.partition("&files")[0]).reader() as reader:
        assert isinstance(reader, PostgresReader)

        def ask(name: str) -> object:
            given = (place,) if name in ("body", "record") else ARGUMENTS.get(name, ())
            answer = getattr(reader, name)(*given)
            return list(answer) if isinstance(answer, Iterator) else answer

        for name in READS:
            before = ask(name)
            cut(reader._postgres.db.raw, stores.database)
            assert ask(name) == before, name


async def test_what_was_learned_survives_a_cut_in_the_middle(
    stores: PostgresStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = await a_page(stores)
    reader = store.reader()
    raw = psycopg.Connection.execute
    cuts: list[object] = []

    def execute(self: psycopg.Connection[Any], query: Any, *values: Any, **more: Any) -> Any:
        if "FROM pieces" in str(query) and not cuts:
            cuts.append(query)
            cut(self, stores.database)
        return raw(self, query, *values, **more)

    monkeypatch.setattr(psycopg.Connection, "execute", execute)
    assert reader.learned("first").samples == [b"one"]
    assert len(cuts) == 1


CALLS: dict[str, Callable[[SharedStore], Awaitable[object]]] = {
    "renew": lambda store: store.renew(),
    "release": lambda store: store.release([]),
    "holders": lambda store: store.holders(),
    "hosts": lambda store: store.hosts(),
    "heads": lambda store: store.heads({"b.example": 1}, 0.0),
    "arrivals": lambda store: store.arrivals(0),
    "samples": lambda store: store.samples(0),
    "seen": lambda store: store.seen([Content(1, 1)]),
    "commit": lambda store: store.commit(Batch(id="again")),
    "shelf": lambda store: store.shelf(),
    "spent": lambda store: store.spent(),
    "restore": lambda store: store.restore(),
    "commands": lambda store: store.commands(),
    "host_waits": lambda store: store.host_waits(),
    "warc_ends": lambda store: store.warc_ends(),
    "offer": lambda store: store.offer((-0.5, 1)),
    "offered": lambda store: store.offered(),
    "take_free": lambda store: store.take_free(1),
    "prune": lambda store: store.prune(),
    "end": lambda store: store.end(""),
    "warcs": lambda store: store.warcs(),
    "seal": lambda store: store.seal(["a.warc.gz"]),
}
"""Methods of a store that give the same answer twice."""
STORES = (WorkerStore, Store, SharedStore)
OTHERS = {"acquire", "beat", "leave", "reader", "close", "watch"}


async def test_every_method_of_a_store_survives_a_lost_connection(stores: PostgresStores) -> None:
    names = {name for each in STORES for name in vars(each) if callable(vars(each)[name])}
    assert {name for name in names if not name.startswith("_")} == CALLS.keys() | OTHERS
    store, _ = await a_page(stores)
    for name, call in CALLS.items():
        before = await call(store)
        cut(store.db.raw, stores.database)
        assert await call(store) == before, name
    for shards in (range(3), ()):
        cut(store.db.raw, stores.database)
        assert (await store.acquire(shards, "first")).keys() == set(shards)
    cut(store.db.raw, stores.database)
    assert (await store.beat(None)).workers.keys() == {"first"}
    cut(store.db.raw, stores.database)
    await store.leave()
