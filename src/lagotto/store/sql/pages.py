"""Page rows: one for every concluded URL, in the order of the commits."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lagotto.base.batch import Content, Seen
from lagotto.base.records import Outcome, Page
from lagotto.base.text import CountedTerms
from lagotto.store.columns import answer_values
from lagotto.store.sql.database import Database
from lagotto.store.sql.links import Known
from lagotto.store.values import compress, compress_terms, pack, text_checksum

NEAR = 3
"""Bits in which the simhashes of near duplicates may differ."""

_BANDS = 4
_BAND_BITS = 16
_MOST_OF_A_BAND = 1000
"""Pages of a band that are compared at most: a template may have a million pages."""
_CANDIDATES = " UNION ALL ".join(
    f"SELECT * FROM (SELECT simhash, page FROM bands WHERE band = ? LIMIT {_MOST_OF_A_BAND}) AS of_band"
    for _ in range(_BANDS)
)
_KEEP_CONTENT = "INSERT INTO contents VALUES (?, ?) ON CONFLICT DO NOTHING"
_OWNERS = """
SELECT c.fingerprint, u.url FROM contents c JOIN pages p ON p.page = c.page JOIN urls u ON u.seq = p.seq
WHERE c.fingerprint IN ({})
"""
_NO_PAGE = Page("")
_URL = "SELECT u.url FROM pages p JOIN urls u ON u.seq = p.seq WHERE p.page = ?"


class Pages:
    """Writes page rows and answers whether a page's content was seen before."""

    def __init__(self, db: Database, *, keep_text: bool) -> None:
        self._db = db
        self.keep_text = keep_text
        self.count = 0
        self._owners: dict[int, str] = {}
        """Contents of the present batch -> URL of the first page that had each, empty if none had."""

    def load(self) -> None:
        """Read the number of rows, at the start and after a transaction was rolled back."""
        self.count = self._db.execute("SELECT coalesce(max(page), 0) FROM pages").fetchone()[0]

    @contextmanager
    def contents_of(self, outcomes: Iterable[Outcome]) -> Iterator[None]:
        """Read in one query who owns the contents of the pages that are added inside."""
        wanted = {each.page.fingerprint for each in outcomes if each.page is not None} - {0}
        self._owners = dict.fromkeys(wanted, "")
        if wanted:
            query = _OWNERS.format(", ".join("?" * len(wanted)))
            self._owners.update(self._db.execute(query, tuple(wanted)).fetchall())
        try:
            yield
        finally:
            self._owners = {}

    def add(self, outcome: Outcome, known: Known) -> int:
        """Write the row of a concluded URL; returns its number."""
        self.count += 1
        lease, judgement = outcome.lease, outcome.judgement
        text = self._text_of(outcome)
        row = {
            "page": self.count,
            "seq": known.seq,
            "host": known.host,
            "attempts": lease.attempts,
            "score": lease.score,
            "parts": pack(lease.parts),
            **self._values(outcome, text),
            "relevance": None if judgement is None else judgement.relevance,
            "relevant": None if judgement is None else judgement.relevant,
        }
        marks = ", ".join("?" * len(row))
        self._db.execute(f"INSERT INTO pages ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
        if outcome.page is not None:
            self._keep(self.count, outcome, outcome.page, text, known.url)
        return self.count

    def replace(self, number: int, outcome: Outcome) -> None:
        """Put a newer version of a page in the place of the old one; the verdict stays."""
        self._forget_content(number)
        text = self._text_of(outcome)
        values = self._values(outcome, text) | {"model": 0}
        columns = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE pages SET {columns} WHERE page = ?", (*values.values(), number))
        for table in ("texts", "terms", "targets"):
            self._db.execute(f"DELETE FROM {table} WHERE page = ?", (number,))
        self._keep(number, outcome, outcome.page or _NO_PAGE, text, outcome.lease.url)

    def _text_of(self, outcome: Outcome) -> bytes | None:
        """The text as it is stored; None if there is none to keep."""
        page = outcome.page
        return compress(page.text) if page is not None and page.text and self.keep_text else None

    def _values(self, outcome: Outcome, text: bytes | None) -> dict[str, object]:
        """Columns that tell what an answer was, and their values."""
        judgement = outcome.judgement
        return answer_values(outcome, outcome.page or _NO_PAGE) | {
            "relevance_at_fetch": None if judgement is None else judgement.relevance,
            "relevant_at_fetch": None if judgement is None else judgement.relevant,
            "text_checksum": None if text is None else text_checksum(text),
        }

    def _keep(self, number: int, outcome: Outcome, page: Page, text: bytes | None, url: str) -> None:
        """Write what lies beside the row: text, term counts, link targets, content."""
        if text is not None:
            self._db.execute("INSERT INTO texts VALUES (?, ?)", (number, text))
            if page.counting:
                counts = compress_terms(CountedTerms(page.title_terms, page.terms))
                self._db.execute("INSERT INTO terms VALUES (?, ?, ?)", (number, page.counting, counts))
        if outcome.links:
            ids = array("q", [link.id for link in outcome.links])
            self._db.execute("INSERT INTO targets VALUES (?, ?)", (number, ids.tobytes()))
        self._remember_content(number, page, url, near_duplicate=bool(outcome.near_duplicate_of))

    def _forget_content(self, number: int) -> None:
        """Compare no more pages with the present content of this one."""
        query = "SELECT fingerprint, simhash FROM pages WHERE page = ?"
        fingerprint, simhash = self._db.execute(query, (number,)).fetchone()
        self._db.execute("DELETE FROM contents WHERE fingerprint = ? AND page = ?", (fingerprint, number))
        rows = [(band, simhash, number) for band in _bands(simhash or 0)]
        self._db.executemany("DELETE FROM bands WHERE band = ? AND simhash = ? AND page = ?", rows)

    def _remember_content(self, number: int, page: Page, url: str, *, near_duplicate: bool) -> None:
        """Keep the first page with a content; later ones are compared with it."""
        if page.fingerprint and not self._is_first(page.fingerprint, number, url):
            return
        if page.simhash and not near_duplicate:
            rows = [(band, page.simhash, number) for band in _bands(page.simhash)]
            self._db.executemany("INSERT INTO bands VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def _is_first(self, fingerprint: int, number: int, url: str) -> bool:
        """Make a page the owner of its content, if no other page is."""
        if fingerprint not in self._owners:
            row = self._db.execute(f"{_KEEP_CONTENT} RETURNING page", (fingerprint, number)).fetchone()
            return row is not None
        if self._owners[fingerprint]:
            return False
        self._db.execute(_KEEP_CONTENT, (fingerprint, number))
        self._owners[fingerprint] = url
        return True

    def seen(self, content: Content) -> Seen:
        """Pages with the same content, or else with nearly the same."""
        same = self.content_seen(content.fingerprint)
        return Seen(same) if same else Seen(near=self._near_duplicate(content.simhash))

    def content_seen(self, fingerprint: int) -> str:
        """URL of the first page with this content, empty if there is none."""
        if fingerprint in self._owners:
            return self._owners[fingerprint]
        query = "SELECT page FROM contents WHERE fingerprint = ?"
        row = self._db.execute(query, (fingerprint,)).fetchone() if fingerprint else None
        return "" if row is None else self._url(row[0])

    def _near_duplicate(self, simhash: int) -> str:
        """URL of the page whose simhash is nearest, if it is near; the earliest of equals.

        Two hashes that differ in at most three bits agree in at least one of four bands.
        """
        if not simhash:
            return ""
        rows = self._db.execute(_CANDIDATES, _bands(simhash))
        distance, page = min(((_distance(simhash, other), page) for other, page in rows), default=(64, 0))
        return self._url(page) if distance <= NEAR else ""

    def _url(self, page: int) -> str:
        url: str = self._db.execute(_URL, (page,)).fetchone()[0]
        return url


def _bands(simhash: int) -> list[int]:
    """The hash cut into bands, each with its number in front."""
    mask = (1 << _BAND_BITS) - 1
    return [band << _BAND_BITS | (simhash >> band * _BAND_BITS) & mask for band in range(_BANDS)]


def _distance(one: int, other: int) -> int:
    return ((one ^ other) & (1 << 64) - 1).bit_count()
