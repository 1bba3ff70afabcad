"""A crawl whose database is restarted at some statement, and whose shards another worker takes meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql

from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at, with_crawl
from lagotto.store.postgres.storage import PostgresStorage
from tests.site import Site, tree_site, tree_url

PAGES = 12
TAKEN = 128
"""Shards from the first on that are taken, among them that of the leader."""
_TAKE = b"""
UPDATE counters SET epochs = epochs + 1;
UPDATE shards SET epoch = epoch + 1, owner = 'another' WHERE shard < %d;
"""
Restart = Callable[[str, set[int]], None]
"""Ends connections to the crawl at a location, named by their processes, as a restart does."""


def end_connections(location: str, processes: set[int]) -> None:
    """Have the server end these connections."""
    with psycopg.connect(PostgresStorage(location).place.database, autocommit=True) as db:
        query = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = ANY(%s)"
        ended = db.execute(query, (list(processes),)).fetchall()
    assert ended
    assert all(yes for (yes,) in ended)


def take_shards(location: str) -> None:
    """Take shards as another worker would, who is gone before it has said that it lives."""
    place = PostgresStorage(location).place
    with psycopg.connect(place.database, autocommit=True) as db:
        db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(place.schema)))
        db.execute(_TAKE % TAKEN)


async def crawl_over_restart(database: str, at: int, restart: Restart) -> tuple[str, int, int]:
    """Crawl; the database is restarted and shards are taken before the statement with this number.

    Returns why the crawl ended, how many pages it has, and how many statements it took.
    """
    location = with_crawl(database, f"restart-{uuid4().hex[:8]}")
    raw = psycopg.Connection.execute
    seen = 0
    within = False
    processes: set[int] = set()

    def execute(self: psycopg.Connection[Any], *values: Any, **more: Any) -> Any:
        nonlocal seen, within
        if not within and self.info.get_parameters().get("application_name") == "lagotto":
            seen += 1
            processes.add(self.info.backend_pid)
            if seen == at:
                within = True
                try:
                    restart(location, processes)
                    take_shards(location)
                finally:
                    within = False
        return raw(self, *values, **more)

    async with Site({}, addresses=["127.0.16.1", "127.0.16.2", "127.0.16.3"]) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        config = from_values(
            {
                "topic": "heron",
                "seeds": [tree_url(0, site.hosts)],
                "allow_private": ["127.0.0.0/8"],
                "delay": 0.0,
                "strategy": "bfs",
                "keep_warc": False,
                "judge_again": False,
                "parsers": 1,
            }
        )
        async with Crawl(config, location) as crawl:
            psycopg.Connection.execute = execute  # type: ignore[method-assign]
            try:
                why = await crawl.run()
            finally:
                psycopg.Connection.execute = raw  # type: ignore[method-assign]
    with storage_at(location).reader() as reader:
        pages = reader.status().pages
    storage_at(location).discard()
    return why, pages, seen
