"""Checksums of page rows and texts, because SQLite has none for the pages of its file.

The checksum of a page row covers all its columns, among them the checksum of its text, and what is known of
its URL: depth, anchor and parent. It is written with the row and again whenever the row changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

import msgspec
import xxhash

from lagotto.store.sql.texts import signed, text_checksum
from lagotto.store.sqlite.schema import WITH_FACTS

COLUMNS = (
    *("page", "seq", "host", "fetched_at", "status", "reason", "detail", "final_url", "attempts", "score"),
    *("parts", "relevance", "relevant", "judged", "title", "description", "language", "encoding", "links"),
    *("fingerprint", "simhash", "near_duplicate_of", "content_type", "declared_type", "size", "truncated"),
    *("etag", "last_modified", "address", "warc", "warc_offset", "warc_length", "left_out"),
    *("relevance_at_fetch", "relevant_at_fetch", "model", "mark", "relevance_by_model", "relevant_by_model"),
    "text_checksum",
)
"""Columns of `pages` that the checksum covers: all but itself and `facts`, which come last."""

ROW_CHECKSUM = f"""row_checksum({", ".join(f"p.{name}" for name in COLUMNS)},
    u.url, u.depth, u.hops, u.anchor, u.page, coalesce(parent.url, u.source, ''), p.facts)"""
"""Checksum of the row `p` with its URL `u` and that one's parent, as an SQL expression."""

_JOINED = "urls u LEFT JOIN urls parent ON parent.seq = u.parent"
_SEAL = f"""
UPDATE pages AS p SET checksum = (SELECT {ROW_CHECKSUM} FROM {_JOINED} WHERE u.seq = p.seq)
"""
_BROKEN = f"""
SELECT p.page FROM pages p LEFT JOIN urls u ON u.seq = p.seq LEFT JOIN urls parent ON parent.seq = u.parent
WHERE p.checksum IS NOT {ROW_CHECKSUM} ORDER BY p.page
"""
_BROKEN_TEXTS = """
SELECT p.page FROM pages p LEFT JOIN texts t USING (page)
WHERE p.text_checksum IS NOT CASE WHEN t.text IS NULL THEN NULL ELSE text_checksum(t.text) END
UNION SELECT t.page FROM texts t LEFT JOIN pages p USING (page) WHERE p.page IS NULL ORDER BY 1
"""
_encoder = msgspec.msgpack.Encoder()


def register(db: sqlite3.Connection) -> None:
    """Teach a connection the functions `row_checksum` and `text_checksum`."""
    db.create_function("row_checksum", -1, _row_checksum, deterministic=True)
    db.create_function("text_checksum", 1, text_checksum, deterministic=True)


def seal(db: sqlite3.Connection, pages: Iterable[int]) -> None:
    """Write the checksums of these rows, which have changed."""
    db.executemany(f"{_SEAL} WHERE p.page = ?", [(page,) for page in pages])


def seal_all(db: sqlite3.Connection) -> None:
    """Write all checksums, of a crawl that has none yet or that was changed on purpose."""
    of_text = "SELECT text_checksum(t.text) FROM texts t WHERE t.page = pages.page"
    db.execute(f"UPDATE pages SET text_checksum = ({of_text})")
    db.execute(_SEAL)


def broken_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose row is not as it was written."""
    [(version,)] = db.execute("PRAGMA user_version")
    query = _BROKEN if version >= WITH_FACTS else _BROKEN.replace("p.facts", "NULL")
    return (page for (page,) in db.execute(query))


def broken_texts(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose text is not as it was written, or missing."""
    return (page for (page,) in db.execute(_BROKEN_TEXTS))


def _row_checksum(*values: object) -> int:
    if values[-1] is None:
        values = values[:-1]  # Rows of format 6 have no facts, and keep their checksum.
    return signed(xxhash.xxh3_64_intdigest(_encoder.encode(values)))
