"""Later visits to concluded URLs: what each found, what pages were like before, which are gone."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

from lagotto.base.events import Revisited
from lagotto.base.records import Found, Outcome, Page, Revisit
from lagotto.store.sql.database import Database
from lagotto.store.sql.links import Links
from lagotto.store.sql.outcomes import Changes, Outcomes
from lagotto.store.sql.overview import Events
from lagotto.store.sql.pages import Pages, content_values
from lagotto.store.sql.rows import Known, Parent, compress, plain, text_checksum

_KEEP_EARLIER = """
INSERT INTO earlier (page, fetched_at, title, fingerprint, relevance, relevant,
    warc, warc_offset, warc_length, text, text_checksum)
SELECT p.page, p.fetched_at, p.title, p.fingerprint, p.relevance, p.relevant,
    p.warc, p.warc_offset, p.warc_length, t.text, p.text_checksum
FROM pages p LEFT JOIN texts t USING (page) WHERE p.page = ?
"""
_ADD_VISIT = """
INSERT INTO visits (page, at, found, status, reason, detail, warc, warc_offset, warc_length)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_JUDGE = """
UPDATE pages SET relevance = ?, relevant = ?, relevance_by_model = NULL, relevant_by_model = NULL
WHERE page = ? AND mark IS NULL
"""
_JUDGE_MARKED = """
UPDATE pages SET relevance_by_model = ?, relevant_by_model = ? WHERE page = ? AND mark IS NOT NULL
"""


class Revisits:
    """Writes revisits to the tables; all calls belong in a transaction."""

    def __init__(
        self,
        db: Database,
        links: Links,
        pages: Pages,
        outcomes: Outcomes,
        events: Events,
        seal: Callable[[Iterable[int]], None],
    ) -> None:
        self._seal = seal
        self._db = db
        self._links = links
        self._pages = pages
        self._outcomes = outcomes
        self._events = events

    def take(self, revisits: Sequence[Revisit], owner: str, changes: Changes) -> None:
        """Commit revisits; raises `ValueError` for a URL that is not concluded."""
        for revisit in revisits:
            outcome = revisit.outcome
            known = self._links.find(outcome.lease.id)
            if known is None or known.page is None:
                raise ValueError(f"{outcome.lease.url} was never concluded")
            self._take(known, known.page, revisit)
            if revisit.found in (Found.CHANGED, Found.MOVED):
                changes.add(self._links.discover(outcome.links, Parent(known.seq, known.url)))
            changes.pages[outcome.lease.id] = known.page
        self._outcomes.note_warcs([revisit.outcome for revisit in revisits], owner)

    def _take(self, known: Known, number: int, revisit: Revisit) -> None:
        outcome, found, warc = revisit.outcome, revisit.found, revisit.outcome.warc
        place = (None, None, None) if warc is None else (warc.file, warc.offset, warc.length)
        reason = plain(outcome.reason)
        row = (number, outcome.fetched_at, found, outcome.status, reason, plain(outcome.detail), *place)
        self._db.execute(_ADD_VISIT, row)
        if found is Found.GONE:
            self._db.execute(
                "INSERT INTO gone VALUES (?, ?) ON CONFLICT DO NOTHING", (number, outcome.fetched_at)
            )
        elif found is not Found.FAILED:
            self._db.execute("DELETE FROM gone WHERE page = ?", (number,))
        if found is Found.CHANGED:
            self._replace(number, outcome)
        self._events.add(Revisited(known.url, found, number, outcome.status, reason))

    def _replace(self, number: int, outcome: Outcome) -> None:
        """Put the new version in the place of the old one, which is kept."""
        self._db.execute(_KEEP_EARLIER, (number,))
        self._pages.forget_content(number)
        page, judgement = outcome.page or Page(""), outcome.judgement
        text = compress(page.text) if page.text and self._pages.keep_text else None
        values = content_values(outcome) | {
            "model": 0,
            "relevance_at_fetch": None if judgement is None else judgement.relevance,
            "relevant_at_fetch": None if judgement is None else judgement.relevant,
            "text_checksum": None if text is None else text_checksum(text),
        }
        columns = ", ".join(f"{name} = ?" for name in values)
        self._db.execute(f"UPDATE pages SET {columns} WHERE page = ?", (*values.values(), number))
        verdict = (values["relevance_at_fetch"], values["relevant_at_fetch"], number)
        self._db.execute(_JUDGE_MARKED, verdict)
        self._db.execute(_JUDGE, verdict)
        for table in ("texts", "terms", "targets"):
            self._db.execute(f"DELETE FROM {table} WHERE page = ?", (number,))
        self._pages.keep(number, page, text)
        if outcome.links:
            ids = array("q", [link.id for link in outcome.links])
            self._db.execute("INSERT INTO targets VALUES (?, ?)", (number, ids.tobytes()))
        self._pages.remember_content(
            number, page, outcome.lease.url, near_duplicate=bool(outcome.near_duplicate_of)
        )
        self._seal([number])
