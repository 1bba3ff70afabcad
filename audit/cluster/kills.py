"""Kill -9 of PostgreSQL, and of everything at once."""

from __future__ import annotations

import asyncio

from tests.cluster_trial import Act, Trial
from tests.postgres_server import Postgres


def kill_database(postgres: Postgres) -> Act:
    """Kill the server three times while the crawl runs."""

    async def act(trial: Trial) -> None:
        for share in (4, 3, 2):
            await trial.served(trial.pages // share)
            postgres.kill()
            await asyncio.sleep(2.0)
            await asyncio.to_thread(postgres.start)

    return act


def kill_everything(postgres: Postgres) -> Act:
    """Kill all workers and the server, then start all again."""

    async def act(trial: Trial) -> None:
        await trial.served(trial.pages // 3)
        workers = len(trial.alive)
        postgres.kill()
        for worker in trial.alive:
            await trial.kill(worker)
        await asyncio.to_thread(postgres.start)
        for _ in range(workers):
            await trial.add()

    return act
