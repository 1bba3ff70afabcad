"""Everything known about one URL: how it was found, scored, fetched and judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from lagotto.base.facts import decode_facts
from lagotto.base.records import WarcPlace
from lagotto.base.urls import checksum, host_of
from lagotto.base.views import PageDetails, Step, UrlHistory
from lagotto.store.sql.rows import ASIDE, HELD, QUEUED, unpack

LONGEST_PATH = 1000
"""Steps back towards a seed that are followed at most."""
_STEP = """
SELECT u.url, u.anchor, coalesce(p.score, u.score), coalesce(p.parts, u.parts), u.depth,
    coalesce(p.title, ''), p.relevance, p.relevant, coalesce(p.reason, ''), u.parent
FROM urls u LEFT JOIN pages p ON p.page = u.page WHERE u.seq = ?
"""


_OTHER = ("number", "place", "rank")
_COLUMNS = (
    *(name for name in PageDetails.__struct_fields__ if name not in _OTHER),
    *("warc", "warc_offset", "warc_length"),
)

STATES = {QUEUED: "queued", HELD: "held", ASIDE: "set aside"}
"""`urls.held` -> what the state of the link is called."""


class Histories:
    """Looks URLs up; `query` runs a query and returns its rows, `find` gives the `seq` of a URL."""

    def __init__(self, query: Callable[..., list[Any]], find: Callable[[str], int | None]) -> None:
        self._query = query
        self._find = find

    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""
        seq = self._find(url)
        if seq is None:
            return None
        [(page, held)] = self._query("SELECT page, held FROM urls WHERE seq = ?", seq)
        history = UrlHistory(url, STATES[held], seq, host_of(url), self._path_to(seq))
        if page is not None:
            history.state, history.page = "concluded", self._page_details(page, url)
        for retry_at, attempts, reason, detail in self._query(
            "SELECT retry_at, attempts, reason, detail FROM deferred WHERE seq = ?", seq
        ):
            history.state, history.retry_at, history.attempts = "deferred", retry_at, attempts
            history.waiting_for = f"{reason} {detail}".strip()
        return history

    def _path_to(self, seq: int | None) -> list[Step]:
        path: list[Step] = []
        while seq is not None and len(path) < LONGEST_PATH:
            [row] = self._query(_STEP, seq)
            url, anchor, score, parts, depth, title, relevance, relevant, reason, seq = row
            step = Step(
                url, anchor, score, unpack(parts), depth, title, relevance, _verdict(relevant), reason
            )
            path.append(step)
        path.reverse()
        return path

    def _page_details(self, number: int, url: str) -> PageDetails:
        [values] = self._query(f"SELECT {', '.join(_COLUMNS)} FROM pages WHERE page = ?", number)
        row = dict(zip(_COLUMNS, values, strict=True))
        ranks = self._query("SELECT rank FROM shelf WHERE id = ?", checksum(url))
        row |= {
            "number": number,
            "final_url": row["final_url"] or url,
            "relevant": _verdict(row["relevant"]),
            "relevant_at_fetch": _verdict(row["relevant_at_fetch"]),
            "mark": _verdict(row["mark"]),
            "left_out": msgspec.json.decode(row["left_out"]) if row["left_out"] else {},
            "judged": msgspec.json.decode(row["judged"]) if row["judged"] else {},
            "fingerprint": hexadecimal(row["fingerprint"]),
            "truncated": bool(row["truncated"]),
            "place": warc_place(row["warc"], row["warc_offset"], row["warc_length"]),
            "rank": ranks[0][0] if ranks else None,
            "facts": decode_facts(row["facts"]),
        }
        return PageDetails(**{name: row[name] for name in PageDetails.__struct_fields__})


def warc_place(file: str | None, offset: int, length: int) -> WarcPlace | None:
    """Where a response lies, if it was kept."""
    return None if file is None else WarcPlace(file, offset, length)


def hexadecimal(fingerprint: int | None) -> str:
    """A signed fingerprint as people write it."""
    return "" if fingerprint is None else f"{fingerprint & (1 << 64) - 1:016x}"


def _verdict(stored: int | None) -> bool | None:
    return None if stored is None else bool(stored)
