"""Reading links and URLs: those that wait, and how one was found, scored, fetched and judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from lagotto.base.batch import Patterns
from lagotto.base.patterns import admitted_apart
from lagotto.base.urls import checksum, host_of
from lagotto.base.views import Matching, PageDetails, QueuedLink, Step, UrlHistory, WaitingLink
from lagotto.store.columns import PLACE, RecordColumns, listed
from lagotto.store.sql.database import Queries
from lagotto.store.sql.links import ASIDE, HELD, QUEUED, STEERED
from lagotto.store.values import unpack, warc_place

LONGEST_PATH = 1000
"""Steps back towards a seed that are followed at most."""
_STEP = """
SELECT u.url, u.anchor, coalesce(p.score, u.score), coalesce(p.parts, u.parts), u.depth,
    coalesce(p.title, ''), p.relevance, p.relevant, coalesce(p.reason, ''), u.parent
FROM urls u LEFT JOIN pages p ON p.page = u.page WHERE u.seq = ?
"""
_WAITING = """
SELECT u.seq, u.held, u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth,
    d.retry_at, d.reason, d.detail
FROM urls u LEFT JOIN urls p ON p.seq = u.parent LEFT JOIN deferred d ON d.seq = u.seq
WHERE u.seq > ? AND u.page IS NULL ORDER BY u.seq LIMIT 1000
"""
_UNFETCHED = f"""
SELECT seq, url FROM urls WHERE seq > ? AND page IS NULL AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_MAY_GO = f"""
SELECT seq, url FROM urls WHERE seq > ? AND {STEERED} AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_LINK = """
SELECT u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq = ?
"""

STATES = {QUEUED: "queued", HELD: "held", ASIDE: "set aside"}
"""`urls.held` -> what the state of the link is called."""


class LinkReader(ABC):
    """Answers questions about links and single URLs."""

    _queries: Queries

    @abstractmethod
    def _find(self, url: str) -> int | None:
        """The `seq` of a canonical URL, None if it is not known."""

    @abstractmethod
    def _best_queued(self, n: int, host: str) -> list[int]:
        """The n best links that could be leased now, over all hosts or of one, by `seq`."""

    def best_queued(self, n: int, host: str = "") -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts or of one."""
        return [self._link(seq) for seq in self._best_queued(n, host)]

    def queued_matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression."""
        return self._matching(_UNFETCHED, Patterns(include=[pattern]), True, n)

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside."""
        return self._matching(_MAY_GO, patterns, False, n)

    def _matching(self, query: str, patterns: Patterns, wanted: bool, n: int) -> Matching:
        """Links that patterns admit, or do not; whoever asks need not be trusted with their patterns."""
        found = Matching(0, [])
        links = self._queries.slices(query)
        for (seq, _), admitted in admitted_apart(patterns.include, patterns.exclude, links):
            if admitted is wanted:
                found.count += 1
                if len(found.examples) < n:
                    found.examples.append(self._link(seq))
        return found

    def _link(self, seq: int) -> QueuedLink:
        [(url, score, parts, parent, anchor, depth)] = self._queries(_LINK, seq)
        return QueuedLink(url, score, unpack(parts), parent, anchor, depth)

    def waiting_links(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        for row in self._queries.slices(_WAITING):
            _, held, url, score, parts, parent, anchor, depth, retry_at, reason, detail = row
            yield WaitingLink(
                state=STATES[held] if retry_at is None else "deferred",
                link=QueuedLink(url, score, unpack(parts), parent, anchor, depth),
                retry_at=retry_at,
                waiting_for="" if reason is None else f"{reason} {detail}".strip(),
            )

    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""
        seq = self._find(url)
        if seq is None:
            return None
        [(page, held)] = self._queries("SELECT page, held FROM urls WHERE seq = ?", seq)
        history = UrlHistory(url, STATES[held], seq, host_of(url), self._path_to(seq))
        if page is not None:
            history.state, history.page = "concluded", self._page_details(page, url)
        for retry_at, attempts, reason, detail in self._queries(
            "SELECT retry_at, attempts, reason, detail FROM deferred WHERE seq = ?", seq
        ):
            history.state, history.retry_at, history.attempts = "deferred", retry_at, attempts
            history.waiting_for = f"{reason} {detail}".strip()
        return history

    def _path_to(self, seq: int | None) -> list[Step]:
        path: list[Step] = []
        while seq is not None and len(path) < LONGEST_PATH:
            [row] = self._queries(_STEP, seq)
            url, anchor, score, parts, depth, title, relevance, relevant, reason, seq = row
            verdict = None if relevant is None else bool(relevant)
            step = Step(url, anchor, score, unpack(parts), depth, title, relevance, verdict, reason)
            path.append(step)
        path.reverse()
        return path

    def _page_details(self, number: int, url: str) -> PageDetails:
        columns = RecordColumns(PageDetails.__struct_fields__)
        query = f"SELECT {listed((*columns.names, *PLACE))} FROM pages WHERE page = ?"
        [(*values, file, offset, length)] = self._queries(query, number)
        ranks = self._queries("SELECT rank FROM shelf WHERE id = ?", checksum(url))
        found = columns.fields(values)
        found["final_url"] = found["final_url"] or url
        place = warc_place(file, offset, length)
        return PageDetails(**found, number=number, place=place, rank=ranks[0][0] if ranks else None)
