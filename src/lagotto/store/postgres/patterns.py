"""The user's patterns, applied to all queued links."""

from __future__ import annotations

from lagotto.batch import Patterns
from lagotto.store.postgres.connection import Connection
from lagotto.store.sql.rows import ASIDE, QUEUED, STEERED

_STEERED = f"SELECT id, shard, url, held FROM urls WHERE {STEERED}"
_MOVE = """
UPDATE urls SET retry_at = NULL, held = new.held
FROM unnest(?[]::bigint[], ?[]::smallint[], ?[]::smallint[]) AS new (id, shard, held)
WHERE urls.id = new.id AND urls.shard = new.shard
"""


def apply_patterns(db: Connection, patterns: Patterns) -> list[tuple[int, int]]:
    """Set links aside or queue them again; returns checksum and shard of those that are queued again."""
    admitted = patterns.test()
    changed = [
        (id, shard, QUEUED if held == ASIDE else ASIDE)
        for id, shard, url, held in db.execute(_STEERED).fetchall()
        if admitted(url) == (held == ASIDE)
    ]
    if changed:
        db.execute(_MOVE, [list(column) for column in zip(*sorted(changed), strict=True)])
    return [(id, shard) for id, shard, held in changed if held == QUEUED]
