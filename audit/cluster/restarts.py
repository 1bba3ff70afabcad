"""Kill -9 of PostgreSQL at many points of a crawl; each time other workers take shards before it goes on."""

from __future__ import annotations

import time

from lagotto.crawling.cluster import membership
from lagotto.crawling.worker.worker import EMPTY
from tests.crawling.cluster.lost_shards import PAGES, crawl_over_restart
from tests.postgres_server import Postgres

TRIES = 20
EVERY = 5
"""Statements from one point to the next."""


async def restart_then_lose(postgres: Postgres) -> bool:
    """Try all points, and print what came of it; says whether a crawl did not end whole."""

    def restart(location: str, processes: set[int]) -> None:
        postgres.kill()
        for attempt in range(1, TRIES + 1):
            try:
                postgres.start()
            except RuntimeError:  # A process that was just being started keeps the old memory in use.
                if attempt == TRIES:
                    raise
                time.sleep(0.5)
            else:
                return

    beat, membership.BEAT = membership.BEAT, 0.2
    try:
        _, _, statements = await crawl_over_restart(postgres.location, 0, restart)
        points = range(1, statements + 1, EVERY)
        ends = [await crawl_over_restart(postgres.location, at, restart) for at in points]
    finally:
        membership.BEAT = beat
    broken = [at for at, (why, pages, _) in zip(points, ends, strict=True) if (why, pages) != (EMPTY, PAGES)]
    print(
        f"kill -9 of PostgreSQL, then loss of shards, before one of {statements} statements: "
        f"{len(points)} crawls, {len(broken)} not whole {broken or ''}",
        flush=True,
    )
    return bool(broken)
