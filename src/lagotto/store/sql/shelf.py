"""The shelf: pages whose links are held until the page's rank comes up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from lagotto.base.batch import Committed, Spent
from lagotto.base.records import Outcome, Reason
from lagotto.store.sql.database import Database
from lagotto.store.sql.links import Claim

_decode_claims = msgspec.msgpack.Decoder(list[Claim]).decode
_encode_claims = msgspec.msgpack.Encoder().encode


class Shelved(NamedTuple):
    """A page that was taken off the shelf."""

    seq: int
    url: str
    rank: float
    claims: list[Claim]


class Shelf:
    """Ranks of shelved pages, their claims, and the barrier of links released last."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.waiting: set[int] = set()
        """Links released by the last expansion that are neither concluded nor long deferred."""

    def load(self) -> None:
        """Read the barrier, at the start and after a transaction was rolled back."""
        self.waiting = {seq for (seq,) in self._db.execute("SELECT seq FROM barrier")}

    def put(self, id: int, page: int, rank: float, claims: list[Claim]) -> None:
        """Put a page on the shelf."""
        self._db.execute("INSERT INTO shelf VALUES (?, ?, ?)", (id, page, rank))
        self._db.execute("INSERT INTO claims VALUES (?, ?)", (page, _encode_claims(claims)))

    def rerank(self, ranks: Iterable[tuple[int, float]]) -> None:
        """Change ranks; pages that are not on the shelf are ignored."""
        rows = [(rank, id) for id, rank in ranks]
        self._db.executemany("UPDATE shelf SET rank = ? WHERE id = ?", rows)

    def top(self) -> tuple[int, str, float] | None:
        """The page with the highest rank, the earliest of equals."""
        query = """
            SELECT s.id, u.url, s.rank FROM shelf s JOIN pages p USING (page) JOIN urls u USING (seq)
            ORDER BY s.rank DESC, s.page LIMIT 1
        """
        row: tuple[int, str, float] | None = self._db.execute(query).fetchone()
        return row

    def take(self, id: int) -> Shelved | None:
        """Take a page off the shelf; None if it is not there."""
        query = """
            SELECT p.page, u.seq, u.url, s.rank, c.claims
            FROM shelf s JOIN claims c USING (page) JOIN pages p USING (page) JOIN urls u ON u.seq = p.seq
            WHERE s.id = ?
        """
        row = self._db.execute(query, (id,)).fetchone()
        if row is None:
            return None
        page, seq, url, rank, claims = row
        self._db.execute("DELETE FROM shelf WHERE id = ?", (id,))
        self._db.execute("DELETE FROM claims WHERE page = ?", (page,))
        return Shelved(seq, url, rank, _decode_claims(claims))

    def raise_barrier(self, seqs: Iterable[int]) -> None:
        """These links must be done before the next page leaves the shelf."""
        self._db.execute("DELETE FROM barrier")
        self.waiting = set(seqs)
        self._db.executemany("INSERT INTO barrier VALUES (?)", [(seq,) for seq in self.waiting])

    def pass_barrier(self, seq: int) -> None:
        """The shelf no longer waits for this link."""
        if seq in self.waiting:
            self.waiting.discard(seq)
            self._db.execute("DELETE FROM barrier WHERE seq = ?", (seq,))


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
