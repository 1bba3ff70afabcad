"""What each worker has used, and the answer to its last named batch."""

from __future__ import annotations

import msgspec

from lagotto.batch import Committed, Spent
from lagotto.records import Outcome, Reason
from lagotto.store.sql.database import Database

_SPEND = """
UPDATE owners SET pages = pages + ?, bytes = bytes + ?, seconds = seconds + ? WHERE owner = ?
"""
_SPENT = """
SELECT CAST(coalesce(sum(pages), 0) AS bigint), CAST(coalesce(sum(bytes), 0) AS bigint),
    coalesce(sum(seconds), 0.0)
FROM owners
"""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Committed).decode


class Owners:
    """Adds up what workers use; all calls that write belong in a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def enter(self, owner: str) -> None:
        """Make the owner known."""
        self._db.execute("INSERT INTO owners (owner) VALUES (?) ON CONFLICT DO NOTHING", (owner,))

    def spend(self, owner: str, outcomes: list[Outcome], seconds: float) -> Spent:
        """Add what a batch has used; returns what all owners have used together."""
        pages = size = 0
        for outcome in outcomes:
            if outcome.retry_at is None:
                size += outcome.size
                pages += outcome.status == 200 and outcome.reason != Reason.SITEMAP
        if pages or size or seconds:
            self._db.execute(_SPEND, (pages, size, seconds, owner))
        return self.spent()

    def spent(self) -> Spent:
        """What all owners have used together."""
        return Spent(*self._db.execute(_SPENT).fetchone())

    def answer(self, owner: str, batch: str) -> Committed | None:
        """What was answered to a batch, if it is the last one that was committed."""
        query = "SELECT answer FROM owners WHERE owner = ? AND batch = ?"
        row = self._db.execute(query, (owner, batch)).fetchone()
        return None if row is None else _decode(row[0])

    def keep_answer(self, owner: str, batch: str, committed: Committed) -> None:
        """Keep the answer to a named batch, in case it is sent again."""
        query = "UPDATE owners SET batch = ?, answer = ? WHERE owner = ?"
        self._db.execute(query, (batch, _encode(committed), owner))
