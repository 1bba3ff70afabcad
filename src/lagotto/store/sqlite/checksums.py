"""Checksums of page rows and of their texts, so that a change by anything but Lagotto is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator

import msgspec
import xxhash

from lagotto.store import columns
from lagotto.store.columns import listed
from lagotto.store.values import signed, text_checksum

_JOINED = "urls u LEFT JOIN urls parent ON parent.seq = u.parent"
_BROKEN_TEXTS = """
SELECT p.page FROM pages p LEFT JOIN texts t USING (page)
WHERE p.text_checksum IS NOT CASE WHEN t.text IS NULL THEN NULL ELSE text_checksum(t.text) END
UNION SELECT t.page FROM texts t LEFT JOIN pages p USING (page) WHERE p.page IS NULL ORDER BY 1
"""
_encoder = msgspec.msgpack.Encoder()


def row_checksum(db: sqlite3.Connection) -> str:
    """Checksum of the row `p` with its URL `u` and that one's parent, as an SQL expression.

    It covers the columns that the table has, which may be those of an older format.
    """
    unchecked = {column.name for column in columns.PAGES if not column.checked}
    there = (row[1] for row in db.execute("PRAGMA table_info(pages)"))
    covered = listed((name for name in there if name not in unchecked), "p")
    return (
        f"row_checksum({covered}, u.url, u.depth, u.hops, u.anchor, u.page, "
        "coalesce(parent.url, u.source, ''))"
    )


def _seal_statement(db: sqlite3.Connection) -> str:
    checksum = row_checksum(db)
    return f"UPDATE pages AS p SET checksum = (SELECT {checksum} FROM {_JOINED} WHERE u.seq = p.seq)"


def register(db: sqlite3.Connection) -> None:
    """Teach a connection the functions `row_checksum` and `text_checksum`."""
    db.create_function("row_checksum", -1, _row_checksum, deterministic=True)
    db.create_function("text_checksum", 1, text_checksum, deterministic=True)


def sealing(db: sqlite3.Connection) -> Callable[[Iterable[int]], None]:
    """A function that writes the checksums of rows that have changed."""
    statement = f"{_seal_statement(db)} WHERE p.page = ?"

    def seal(pages: Iterable[int]) -> None:
        db.executemany(statement, [(page,) for page in pages])

    return seal


def seal_all(db: sqlite3.Connection) -> None:
    """Write all checksums, of a crawl that was migrated or changed on purpose."""
    of_text = "SELECT text_checksum(t.text) FROM texts t WHERE t.page = pages.page"
    db.execute(f"UPDATE pages SET text_checksum = ({of_text})")
    db.execute(_seal_statement(db))


def broken_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose row is not as it was written."""
    query = f"""
        SELECT p.page FROM pages p
            LEFT JOIN urls u ON u.seq = p.seq LEFT JOIN urls parent ON parent.seq = u.parent
        WHERE p.checksum IS NOT {row_checksum(db)} ORDER BY p.page
    """
    return (page for (page,) in db.execute(query))


def broken_texts(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose text is not as it was written, or missing."""
    return (page for (page,) in db.execute(_BROKEN_TEXTS))


def _row_checksum(*values: object) -> int:
    return signed(xxhash.xxh3_64_intdigest(_encoder.encode(values)))
