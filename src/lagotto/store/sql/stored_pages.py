"""Reading pages as they are stored: rows, texts, versions, later visits; checksums are compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from lagotto.base.records import SEED_SCORE, FetchedRow, Found
from lagotto.base.urls import host_of
from lagotto.base.views import JudgedPage, PageVersion, PageVisit, StoredPage, UrlHistory
from lagotto.store.columns import PLACE, VERSION, VISITS, RecordColumns, listed
from lagotto.store.sql.database import SLICE, Queries
from lagotto.store.values import decompress, decompress_terms, text_checksum, unpack, warc_place

_ROWS = f"""
SELECT p.page, u.url, u.depth, coalesce(parent.url, u.source, ''), p.score,
    p.page IN (SELECT page FROM gone), {{text}}, p.text_checksum, {{intact}},
    {listed(PLACE, "p")}, {{columns}}
FROM pages p JOIN urls u USING (seq) LEFT JOIN urls parent ON parent.seq = u.parent {{join}}
WHERE {{which}} ORDER BY p.page LIMIT {SLICE}
"""
_JUDGED = f"""
SELECT p.page, u.url, c.terms, {{text}}, p.text_checksum, g.ids, p.score, p.parts, u.depth, {{columns}}
FROM pages p JOIN urls u USING (seq)
    LEFT JOIN texts t ON t.page = p.page LEFT JOIN targets g ON g.page = p.page
    LEFT JOIN terms c ON c.page = p.page AND c.counting = {{counting}}
WHERE p.page > ? AND p.relevance IS NOT NULL ORDER BY p.page LIMIT {SLICE}
"""
_EARLIER = "SELECT page, text, text_checksum, {columns} FROM earlier WHERE page = ? ORDER BY n"
_PRESENT = """
SELECT page, t.text, text_checksum, {columns} FROM pages LEFT JOIN texts t USING (page) WHERE page = ?
"""
_VISITS = f"""
SELECT {listed(column.name for column in VISITS)} FROM visits WHERE n > ? ORDER BY n LIMIT {SLICE}
"""
_TARGETS = f"SELECT page, ids FROM targets WHERE page > ? ORDER BY page LIMIT {SLICE}"


class PageReader(ABC):
    """Answers questions about concluded URLs; raises if a page is not as it was written."""

    _queries: Queries
    _intact: str
    """SQL condition that a page row `p` with its URL `u` is as it was written."""

    @abstractmethod
    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""

    def rows(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[FetchedRow]:
        """Concluded URLs in the order of the commits."""
        for stored in self.stored_pages(after=after, with_text=with_text, relevant_only=relevant_only):
            yield stored.row

    def stored_pages(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[StoredPage]:
        """Concluded URLs in the order of the commits, with the place of each body."""
        columns = _row_columns()
        which = "p.page > ?" + (" AND p.relevant" if relevant_only else "")
        for row in self._queries.slices(self._rows_query(columns, which, with_text), after):
            yield self._stored_page(columns, row, with_text)

    def pages_at(self, numbers: Iterable[int], *, with_text: bool = False) -> Iterator[StoredPage]:
        """The concluded URLs with these page numbers, in the order of the numbers."""
        columns = _row_columns()
        wanted = iter(numbers)
        while some := list(islice(wanted, SLICE)):
            query = self._rows_query(columns, f"p.page IN ({', '.join('?' * len(some))})", with_text)
            found = {row[0]: row for row in self._queries(query, *some)}
            for number in some:
                yield self._stored_page(columns, found[number], with_text)

    def _rows_query(self, columns: RecordColumns, which: str, with_text: bool) -> str:
        return _ROWS.format(
            text="t.text" if with_text else "NULL",
            join="LEFT JOIN texts t ON t.page = p.page" if with_text else "",
            intact=self._intact,
            columns=listed(columns.names, "p"),
            which=which,
        )

    def _stored_page(self, columns: RecordColumns, row: tuple[Any, ...], with_text: bool) -> StoredPage:
        number, url, depth, parent, score, gone, text, checksum, whole, *values = row
        if not whole:
            raise self._queries.damaged(f"page {number}")
        found = columns.fields(values[len(PLACE) :])
        of_page = {name: found.pop(name) for name in StoredPage.__struct_fields__ if name in found}
        facts = of_page["facts"]
        moment = datetime.fromtimestamp(found["fetched_at"], UTC).isoformat(timespec="milliseconds")
        found["fetched_at"] = moment.replace("+00:00", "Z")
        found["final_url"] = found["final_url"] or url
        fetched = FetchedRow(
            **found,
            seq=number,
            url=url,
            depth=depth,
            parent=parent,
            link_score=None if score >= SEED_SCORE else score,
            host=host_of(url),
            text=self._text(number, text, checksum) if with_text else None,
            **({} if facts is None else facts.columns()),
        )
        return StoredPage(fetched, place=warc_place(*values[: len(PLACE)]), gone=bool(gone), **of_page)

    def judged_pages(self, counting: int = 0, *, with_text: bool = True) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs."""
        columns = RecordColumns(JudgedPage.__struct_fields__)
        text_column = "t.text" if with_text else "CASE WHEN c.page IS NULL THEN t.text END"
        query = _JUDGED.format(text=text_column, counting=int(counting), columns=listed(columns.names, "p"))
        for row in self._queries.slices(query):
            number, url, counted, text, checksum, targets, score, parts, depth, *values = row
            terms = None if counted is None else decompress_terms(counted)
            told = self._text(number, text, checksum) if text is not None else None
            yield JudgedPage(
                **columns.fields(values),
                number=number,
                url=url,
                terms=terms,
                text=told if counted is None or terms is not None or with_text else self.text(number),
                targets=targets or b"",
                link_score=score,
                link_parts=unpack(parts),
                depth=depth,
            )

    def page_versions(self, url: str) -> list[PageVersion]:
        """What the page at a canonical URL has been like, oldest first, the present one last."""
        history = self.history(url)
        if history is None or history.page is None:
            return []
        columns = RecordColumns(each for each in VERSION if each not in PLACE)
        names = listed((*columns.names, *PLACE))
        found = []
        for query in (_EARLIER, _PRESENT):
            for row in self._queries(query.format(columns=names), history.page.number):
                number, stored, checksum, *values, file, offset, length = row
                text = None if stored is None else self._text(number, stored, checksum)
                place = warc_place(file, offset, length)
                found.append(PageVersion(**columns.fields(values), text=text, place=place))
        return found

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

    def link_targets(self) -> Iterator[tuple[int, bytes]]:
        """Number of each page with links, and the checksums of their URLs as 64-bit integers."""
        yield from self._queries.slices(_TARGETS)

    def visits(self, after: int = 0) -> Iterator[PageVisit]:
        """Later visits to concluded URLs after a number, in the order of the commits."""
        for n, page, at, found, status, reason, detail, *place in self._queries.slices(_VISITS, after):
            yield PageVisit(n, page, at, Found(found), status, reason, detail, warc_place(*place))


def _row_columns() -> RecordColumns:
    """Columns of a page that an exported row, or the page it is of, has fields for."""
    return RecordColumns((*(field.name for field in fields(FetchedRow)), *StoredPage.__struct_fields__))
