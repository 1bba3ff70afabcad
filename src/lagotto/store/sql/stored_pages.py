"""Pages as they are stored: rows, texts and versions, checked against their checksums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from lagotto.base.facts import decode_facts
from lagotto.base.records import SEED_SCORE, FetchedRow
from lagotto.base.urls import host_of
from lagotto.base.views import JudgedPage, PageVersion, StoredPage
from lagotto.store.sql.database import SLICE, Queries
from lagotto.store.sql.histories import hexadecimal, warc_place
from lagotto.store.sql.rows import decompress, decompress_terms, text_checksum, unpack

_ROWS = f"""
SELECT p.page, u.url, coalesce(p.final_url, u.url), p.status, p.fetched_at, p.relevance, p.relevant,
    p.relevance_at_fetch, p.title, u.depth, coalesce(parent.url, u.source, ''), p.score, p.language,
    p.fingerprint, p.reason, {{text}}, p.text_checksum, {{intact}},
    p.content_type, p.detail, p.attempts, p.near_duplicate_of,
    p.page IN (SELECT page FROM gone), p.facts, p.description, p.warc, p.warc_offset, p.warc_length
FROM pages p JOIN urls u USING (seq) LEFT JOIN urls parent ON parent.seq = u.parent {{join}}
WHERE {{which}} ORDER BY p.page LIMIT {SLICE}
"""
_JUDGED = f"""
SELECT p.page, u.url, p.title, p.description, p.language, c.terms, {{text}}, p.text_checksum,
    g.ids, p.score, p.parts, u.depth, p.mark, p.relevance_at_fetch
FROM pages p JOIN urls u USING (seq)
    LEFT JOIN texts t ON t.page = p.page LEFT JOIN targets g ON g.page = p.page
    LEFT JOIN terms c ON c.page = p.page AND c.counting = {{counting}}
WHERE p.page > ? AND p.relevance IS NOT NULL ORDER BY p.page LIMIT {SLICE}
"""
_EARLIER = """
SELECT page, fetched_at, title, fingerprint, relevance, relevant, warc, warc_offset, warc_length,
    text, text_checksum
FROM earlier WHERE page = ? ORDER BY n
"""
_PRESENT = """
SELECT p.page, fetched_at, title, fingerprint, relevance, relevant, warc, warc_offset, warc_length,
    t.text, text_checksum
FROM pages p LEFT JOIN texts t USING (page) WHERE page = ?
"""


class StoredPages:
    """Reads pages; raises if one is not as it was written."""

    def __init__(self, queries: Queries, intact: str) -> None:
        """`intact` is an SQL condition that a page row is as it was written."""
        self._queries = queries
        self._intact = intact

    def all(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[StoredPage]:
        """Concluded URLs in the order of the commits, with the place of each body."""
        query = self._rows_query("p.page > ?" + (" AND p.relevant" if relevant_only else ""), with_text)
        for row in self._queries.slices(query, after):
            yield self._stored_page(row, with_text)

    def _stored_page(self, row: tuple[Any, ...], with_text: bool) -> StoredPage:
        (number, url, final_url, status, fetched_at, relevance, relevant, at_fetch, title, depth) = row[:10]
        (parent, score, language, fingerprint, reason, text, checksum, whole, content_type, *more) = row[10:]
        (detail, attempts, near_duplicate_of, gone, stored_facts, description, *place) = more
        if not whole:
            raise self._queries.damaged(f"page {number}")
        facts = decode_facts(stored_facts)
        fetched = FetchedRow(
            seq=number,
            url=url,
            final_url=final_url,
            status=status,
            fetched_at=datetime.fromtimestamp(fetched_at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            relevance=relevance,
            relevant=None if relevant is None else bool(relevant),
            relevance_at_fetch=at_fetch,
            title=title,
            depth=depth,
            parent=parent,
            link_score=None if score >= SEED_SCORE else score,
            host=host_of(url),
            language=language,
            fingerprint=hexadecimal(fingerprint),
            reason=reason,
            description=description,
            text=self._text(number, text, checksum) if with_text else None,
            **({} if facts is None else facts.columns()),
        )
        return StoredPage(
            fetched, content_type, warc_place(*place), detail, attempts, near_duplicate_of, bool(gone), facts
        )

    def at(self, numbers: Iterable[int], *, with_text: bool = False) -> Iterator[StoredPage]:
        """The concluded URLs with these page numbers, in the order of the numbers."""
        wanted = iter(numbers)
        while some := list(islice(wanted, SLICE)):
            query = self._rows_query(f"p.page IN ({', '.join('?' * len(some))})", with_text)
            found = {row[0]: row for row in self._queries(query, *some)}
            for number in some:
                yield self._stored_page(found[number], with_text)

    def judged(self, counting: int, *, with_text: bool) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs."""
        text_column = "t.text" if with_text else "CASE WHEN c.page IS NULL THEN t.text END"
        for row in self._queries.slices(_JUDGED.format(text=text_column, counting=int(counting))):
            number, url, title, description, language, counted, text, checksum, targets = row[:9]
            score, parts, depth, mark, at_fetch = row[9:]
            terms = None if counted is None else decompress_terms(counted)
            told = self._text(number, text, checksum) if text is not None else None
            yield JudgedPage(
                number=number,
                url=url,
                title=title,
                description=description,
                language=language,
                terms=terms,
                text=told if counted is None or terms is not None or with_text else self.text(number),
                targets=targets or b"",
                link_score=score,
                link_parts=unpack(parts),
                depth=depth,
                mark=None if mark is None else bool(mark),
                relevance_at_fetch=at_fetch,
            )

    def versions(self, number: int) -> list[PageVersion]:
        """What a page has been like, oldest first, the present one last."""
        return [
            self._version(row) for row in self._queries(_EARLIER, number) + self._queries(_PRESENT, number)
        ]

    def _version(self, row: tuple[Any, ...]) -> PageVersion:
        number, fetched_at, title, fingerprint, relevance, relevant, *place, text, checksum = row
        return PageVersion(
            fetched_at=fetched_at,
            title=title,
            text=None if text is None else self._text(number, text, checksum),
            fingerprint=hexadecimal(fingerprint),
            relevance=relevance,
            relevant=None if relevant is None else bool(relevant),
            place=warc_place(*place),
        )

    def text(self, number: int) -> str | None:
        """Text of a page, if it was kept."""
        rows = self._queries("SELECT text FROM texts WHERE page = ?", number)
        [(checksum,)] = self._queries("SELECT text_checksum FROM pages WHERE page = ?", number) or [(None,)]
        text = self._text(number, rows[0][0] if rows else None, checksum)
        return text if rows else None

    def _text(self, number: int, stored: bytes | None, checksum: int | None) -> str:
        """A stored text, empty if none was kept; raises if it is not the one that was."""
        try:
            if (None if stored is None else text_checksum(stored)) != checksum:
                raise ValueError("the checksum is wrong")
            return decompress(stored) if stored else ""
        except ValueError as error:
            raise self._queries.damaged(f"the text of page {number}") from error

    def _rows_query(self, which: str, with_text: bool) -> str:
        return _ROWS.format(
            text="t.text" if with_text else "NULL",
            join="LEFT JOIN texts t ON t.page = p.page" if with_text else "",
            intact=self._intact,
            which=which,
        )
