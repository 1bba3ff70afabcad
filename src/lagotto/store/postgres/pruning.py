"""Removing what no worker needs any more, while the crawl runs."""

from __future__ import annotations

from lagotto.store.postgres.connection import Connection

KEPT_ARRIVALS = 100_000
"""Latest arrivals that are kept; a worker that lags more reads its whole queue again."""
GONE = "~gone"
"""Owner of what workers have used that are gone; no worker is called so."""
_ARRIVALS = "DELETE FROM arrivals WHERE n <= (SELECT max(n) FROM arrivals) - ?"
_OWNERS = """
WITH gone AS (
    DELETE FROM owners WHERE until = 0 AND owner != ?
    AND NOT EXISTS (SELECT FROM shards WHERE shards.owner = owners.owner)
    RETURNING pages, bytes, seconds
)
INSERT INTO owners (owner, pages, bytes, seconds)
SELECT ?, sum(pages)::bigint, sum(bytes)::bigint, sum(seconds) FROM gone HAVING count(*) > 0
ON CONFLICT (owner) DO UPDATE SET pages = owners.pages + excluded.pages,
    bytes = owners.bytes + excluded.bytes, seconds = owners.seconds + excluded.seconds
"""
_LIVES = "SELECT FROM owners WHERE owners.owner = {0}.owner AND until != 0"
_SNAPSHOTS = f"""
DELETE FROM snapshots WHERE samples < (SELECT max(samples) FROM snapshots)
AND NOT EXISTS ({_LIVES.format("snapshots")})
"""
_PIECES = f"""
DELETE FROM pieces WHERE NOT EXISTS (SELECT FROM snapshots WHERE snapshots.owner = pieces.owner)
AND NOT EXISTS ({_LIVES.format("pieces")})
"""


def prune(db: Connection) -> None:
    """Remove old arrivals, and rows of workers that are gone; belongs in a transaction.

    What they have used stays counted. Of their snapshots the one that covers most samples stays.
    """
    db.execute(_ARRIVALS, (KEPT_ARRIVALS,))
    db.execute(_OWNERS, (GONE, GONE))
    db.execute(_SNAPSHOTS)
    db.execute(_PIECES)
