"""Databases that cannot be used: one sentence, exit code 2, and what is there stays there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.base.batch import Batch
from lagotto.base.urls import SHARDS
from lagotto.lab.checks.store_calls import seed
from lagotto.store import storage_at, with_crawl
from lagotto.store.columns import FORMAT
from tests.cli.conftest import Run, Said
from tests.postgres_server import BINARIES, Postgres

pytestmark = [
    pytest.mark.skipif(not BINARIES.exists(), reason="needs the extra `cluster`"),
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A server on loopback that asks for passwords."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = Path("/tmp") / f"lagotto-bad-{port}"
    server = Postgres(folder, options=("-h", "127.0.0.1", "-p", str(port)))
    server.execute("ALTER USER postgres PASSWORD 'right'")
    server.execute("CREATE USER guest PASSWORD 'right'")
    (folder / "pg_hba.conf").write_text("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
    server.execute("SELECT pg_reload_conf()")
    yield server
    server.stop()


def location(
    server: Postgres, *, user: str = "postgres", password: str = "right", database: str = "postgres"
) -> str:
    return f"postgresql://{user}:{password}@127.0.0.1:{server.port}/{database}"


def crawl(run: Run, store: str, name: str = "birds") -> Said:
    return run("crawl", "heron", "--seed", "http://127.0.0.1:9/", "--store", store, "--crawl", name)


def small_crawl(store: str, name: str) -> str:
    """A crawl that knows one URL."""
    place = with_crawl(store, name)

    async def make() -> None:
        opened = await storage_at(place).create(b'topic = "heron"\n')
        await opened.acquire(range(SHARDS), "one", 1.0)
        await opened.commit(Batch(seeds=[seed()]))
        await opened.release(range(SHARDS))
        await opened.close()

    asyncio.run(make())
    return place


def known(place: str) -> int:
    with storage_at(place).reader() as reader:
        return reader.status().known


def refused(said: Said, *words: str) -> None:
    """One sentence that names what is wrong, no traceback, exit code 2."""
    assert said.code == 2, said
    assert said.err.startswith("lagotto: "), said.err
    assert said.err.count("\n") == 1, said.err
    assert "Traceback" not in said.err
    assert "right@" not in said.err, "the password is not shown"
    for word in words:
        assert word in said.err, said.err


COMMANDS = [
    ("status",),
    ("export", "-o", "out.jsonl"),
    ("resume",),
    ("pause",),
    ("stop",),
    ("report", "-o", "r.html"),
]


def test_a_server_that_is_not_there(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    store = f"postgresql://me:right@127.0.0.1:{port}/db"
    refused(crawl(run, store), "cannot be reached", "check the address")
    refused(run("worker", "--store", store, "--crawl", "birds"), "cannot be reached")
    for command, *more in COMMANDS:
        refused(run(command, f"{store}?crawl=birds", *more), "cannot be reached")


def test_a_wrong_password_and_a_database_that_does_not_exist(run: Run, server: Postgres) -> None:
    refused(crawl(run, location(server, password="wrong")), "password")
    refused(crawl(run, location(server, user="nobody")), "password")
    refused(crawl(run, location(server, database="nosuch")), '"nosuch" does not exist')


def test_missing_rights(run: Run, server: Postgres) -> None:
    guest = location(server, user="guest")
    refused(crawl(run, guest), "permission denied", "grant")
    place = small_crawl(location(server), "foreign")
    for command, *more in COMMANDS:
        refused(run(command, with_crawl(guest, "foreign"), *more), "permission denied")
    refused(run("worker", "--store", guest, "--crawl", "foreign"), "permission denied")
    assert known(place) == 1


def test_a_database_that_only_reads(run: Run, server: Postgres) -> None:
    place = small_crawl(location(server), "still")
    server.execute("CREATE ROLE reader LOGIN PASSWORD 'right' SUPERUSER")
    server.execute("ALTER ROLE reader SET default_transaction_read_only = on")
    reader = location(server, user="reader")
    refused(crawl(run, reader), "read-only")
    for command in ("resume", "pause"):
        refused(run(command, with_crawl(reader, "still")), "read-only")
    refused(run("worker", "--store", reader, "--crawl", "still"), "read-only")
    assert run("status", with_crawl(reader, "still")).code == 0, "looking is allowed"
    assert known(place) == 1


def test_two_crawls_of_one_name(run: Run, server: Postgres) -> None:
    place = small_crawl(location(server), "twins")
    refused(crawl(run, location(server), "twins"), "holds a crawl already")
    assert known(place) == 1


def test_formats_of_other_versions(run: Run, server: Postgres) -> None:
    place = small_crawl(location(server), "ages")
    server.execute("UPDATE lagotto_ages.crawl SET value = '99' WHERE name = 'format'")
    for command, *more in (*COMMANDS, ("migrate",)):
        refused(run(command, place, *more), "newer Lagotto")
    refused(run("worker", "--store", location(server), "--crawl", "ages"), "newer Lagotto")
    server.execute(f"UPDATE lagotto_ages.crawl SET value = '{FORMAT}' WHERE name = 'format'")
    assert known(place) == 1


def test_a_worker_of_another_version(run: Run, server: Postgres) -> None:
    place = small_crawl(location(server), "mixed")
    live = "until = extract(epoch FROM now()) + 1000, version = '0.0.1'"
    server.execute(f"UPDATE lagotto_mixed.owners SET {live} WHERE owner = 'one'")
    refused(
        run("worker", "--store", location(server), "--crawl", "mixed"), "runs Lagotto 0.0.1", "same version"
    )
    assert known(place) == 1


def test_no_connection_is_left(run: Run, server: Postgres) -> None:
    place = small_crawl(location(server), "crowd")
    server.execute("ALTER ROLE guest CONNECTION LIMIT 0")
    refused(crawl(run, location(server, user="guest")), "connection")
    assert known(place) == 1
