"""Connections to a crawl: how the server plans for them, and how others see that the crawl is open."""

from __future__ import annotations

from lagotto.store.postgres.connection import Connection
from lagotto.urls import checksum

_BY_INDEX = b"SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET jit = off"
_PLAN_ONCE = b"SET plan_cache_mode = force_generic_plan"
"""The server would plan the same statements again and again, which takes as long as running them."""


def plan_by_index(db: Connection) -> None:
    """Have rows looked up by key: the server would read whole tables until it has counted their rows."""
    db.raw.execute(_BY_INDEX)


def enter(db: Connection) -> None:
    """Set a worker's connection up; others see the crawl as open for as long as it lasts."""
    plan_by_index(db)
    db.raw.execute(_PLAN_ONCE)
    db.execute("SELECT pg_advisory_lock_shared(?)", (checksum(db.location.schema),))


def is_open(db: Connection) -> bool:
    """Whether some worker has the crawl open."""
    key = (checksum(db.location.schema),)
    row = db.execute("SELECT pg_try_advisory_lock(?)", key).fetchone()
    if row is not None and row[0]:
        db.execute("SELECT pg_advisory_unlock(?)", key)
        return False
    return True
