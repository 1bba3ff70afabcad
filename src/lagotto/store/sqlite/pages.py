"""Page rows: one for every concluded URL, in the order of the commits."""

from __future__ import annotations

import sqlite3
from array import array

import msgspec

from lagotto.batch import Content, Seen
from lagotto.records import Outcome, Page
from lagotto.store.sqlite.checksums import text_checksum
from lagotto.store.sqlite.links.rows import Known, pack
from lagotto.store.sqlite.texts import compress, plain

NEAR = 3
"""Bits in which the simhashes of near duplicates may differ."""

_BANDS = 4
_BAND_BITS = 16
_MOST_OF_A_BAND = 1000
"""Pages of a band that are compared at most: a template may have a million pages."""
_CANDIDATES = " UNION ALL ".join(
    f"SELECT * FROM (SELECT simhash, page FROM bands WHERE band = ? LIMIT {_MOST_OF_A_BAND})"
    for _ in range(_BANDS)
)
_NO_PAGE = Page("")
_COLUMNS = """
page, seq, host, fetched_at, status, reason, detail, final_url, attempts, score, parts,
relevance, relevant, judged, title, description, language, encoding, links, fingerprint, simhash,
near_duplicate_of, content_type, declared_type, size, truncated, etag, last_modified, address,
warc, warc_offset, warc_length, left_out, relevance_at_fetch, relevant_at_fetch, text_checksum
"""
_INSERT = f"INSERT INTO pages ({_COLUMNS}) VALUES ({', '.join('?' * 36)})"
_URL = "SELECT u.url FROM pages p JOIN urls u ON u.seq = p.seq WHERE p.page = ?"


class Pages:
    """Writes page rows and answers whether a page's content was seen before."""

    def __init__(self, db: sqlite3.Connection, *, keep_text: bool) -> None:
        self._db = db
        self.keep_text = keep_text
        self.count = 0

    def load(self) -> None:
        """Read the number of rows, at the start and after a transaction was rolled back."""
        self.count = self._db.execute("SELECT coalesce(max(page), 0) FROM pages").fetchone()[0]

    def add(self, outcome: Outcome, known: Known) -> int:
        """Write the row of a concluded URL; returns its number."""
        self.count += 1
        page = outcome.page
        text = compress(page.text) if page is not None and page.text and self.keep_text else None
        row = _row(outcome, self.count, known)
        self._db.execute(_INSERT, (*row, None if text is None else text_checksum(text)))
        if text is not None:
            self._db.execute("INSERT INTO texts VALUES (?, ?)", (self.count, text))
        if page is not None:
            if outcome.links:
                ids = array("q", [link.id for link in outcome.links])
                self._db.execute("INSERT INTO targets VALUES (?, ?)", (self.count, ids.tobytes()))
            self._remember_content(page, near_duplicate=bool(outcome.near_duplicate_of))
        return self.count

    def _remember_content(self, page: Page, *, near_duplicate: bool) -> None:
        """Keep the first page with a content; later ones are compared with it."""
        if page.fingerprint:
            row = (page.fingerprint, self.count)
            if not self._db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", row).rowcount:
                return
        if page.simhash and not near_duplicate:
            rows = [(band, page.simhash, self.count) for band in _bands(page.simhash)]
            self._db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?, ?)", rows)

    def seen(self, content: Content) -> Seen:
        """Pages with the same content, or else with nearly the same."""
        same = self.content_seen(content.fingerprint)
        return Seen(same) if same else Seen(near=self._near_duplicate(content.simhash))

    def content_seen(self, fingerprint: int) -> str:
        """URL of the first page with this content, empty if there is none."""
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


def _row(outcome: Outcome, number: int, known: Known) -> tuple[object, ...]:
    """Values of a page row, in the order of `_COLUMNS`, without the checksum of its text."""
    lease, judgement, warc = outcome.lease, outcome.judgement, outcome.warc
    page = outcome.page or _NO_PAGE
    return (
        number,
        known.seq,
        known.host,
        outcome.fetched_at,
        outcome.status,
        outcome.reason,
        plain(outcome.detail),
        None if outcome.final_url in ("", lease.url) else plain(outcome.final_url),
        lease.attempts,
        lease.score,
        pack(lease.parts),
        None if judgement is None else judgement.relevance,
        None if judgement is None else judgement.relevant,
        None if judgement is None else parts_json(judgement.parts),
        plain(page.title),
        plain(page.description),
        plain(page.language),
        plain(page.encoding),
        len(page.links),
        page.fingerprint or None,
        page.simhash or None,
        plain(outcome.near_duplicate_of),
        plain(outcome.content_type),
        plain(outcome.declared_type),
        outcome.size,
        outcome.truncated,
        plain(outcome.etag),
        plain(outcome.last_modified),
        plain(outcome.address),
        None if warc is None else warc.file,
        None if warc is None else warc.offset,
        None if warc is None else warc.length,
        msgspec.json.encode(outcome.left_out).decode() if outcome.left_out else None,
        None if judgement is None else judgement.relevance,
        None if judgement is None else judgement.relevant,
    )


def parts_json(parts: dict[str, float]) -> str:
    """Parts of a judgement as they are stored."""
    return msgspec.json.encode({plain(name): value for name, value in parts.items()}).decode()
