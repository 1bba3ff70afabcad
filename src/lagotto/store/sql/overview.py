"""A crawl as a whole, for people to look at: its figures, some of its pages, its hosts, how it went."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator

from lagotto.base.reasons import Reason, counted_as
from lagotto.base.records import Found
from lagotto.base.views import ChosenPages, HostCount, KnownHost, Moment, PageChoice, PageOrder, Status
from lagotto.store.sql.database import SLICE, Queries
from lagotto.store.sql.links import ASIDE, HELD, QUEUED

IS_PAGE = f"status = 200 AND reason != '{Reason.SITEMAP}'"
_ORDERS: dict[PageOrder, str] = {
    "newest": "page DESC",
    "oldest": "page",
    "relevance": "relevance DESC, page",
    "uncertain": "abs(relevance - 0.5), page",
}
_AT_ONCE = 20_000
"""Links that are counted by one query, so that the crawl's log can be emptied between two of them."""
_LINKS = f"""
SELECT u.host, count(*) FILTER (WHERE u.page IS NULL AND u.held = {QUEUED}),
    count(*) FILTER (WHERE p.host != u.host),
    max(CASE WHEN u.page IS NULL AND u.held = {QUEUED} THEN u.score END)
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq > ? AND u.seq <= ? GROUP BY u.host
"""
_GIVEN = f"""
SELECT host, count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant)
FROM pages GROUP BY host
"""
_BETWEEN = f"""
SELECT max(fetched_at), count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant)
FROM pages WHERE page > ? AND page <= ?
"""
_PARENT = "SELECT p.page FROM urls u JOIN urls p ON p.seq = u.parent WHERE u.seq = ?"
MOST_TRAPS = 20
"""Traps that `status` names."""
_STATUS = f"""
SELECT count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant), coalesce(sum(size), 0),
    count(DISTINCT host), min(fetched_at), max(fetched_at)
FROM pages
"""
_REVISITS = "SELECT count(*), count(*) FILTER (WHERE found = ?) FROM visits"
_TRAPS = """
SELECT detail, count(*) FROM pages WHERE reason = ? GROUP BY detail ORDER BY count(*) DESC, detail LIMIT ?
"""
_HOSTS = f"""
SELECT h.name, count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant), sum(size)
FROM pages JOIN hosts h ON h.id = host GROUP BY h.name ORDER BY count(*) DESC, h.name
"""
_HARVEST = f"""
SELECT page, fetched_at, relevant FROM pages WHERE page > ? AND {IS_PAGE}
ORDER BY page LIMIT {SLICE}
"""
_FETCHED = f"""
SELECT p.page, u.url, coalesce(p.fingerprint, 0), coalesce(p.simhash, 0), coalesce(parent.url, u.source, '')
FROM pages p JOIN urls u USING (seq, page) LEFT JOIN urls parent ON parent.seq = u.parent
WHERE p.page > ? AND p.status = 200 ORDER BY p.page LIMIT {SLICE}
"""


class OverviewReader(ABC):
    """Reads figures about all pages and links."""

    _queries: Queries

    @abstractmethod
    def _waiting(self) -> dict[int, int]:
        """How many links are held and set aside, by `urls.held`."""

    def status(self) -> Status:
        """The figures of the crawl."""
        [(created,)] = self._queries("SELECT value FROM crawl WHERE name = 'created'")
        [(known,)] = self._queries("SELECT coalesce(max(seq), 0) FROM urls")
        waiting = self._waiting()
        held, aside = waiting.get(HELD, 0), waiting.get(ASIDE, 0)
        [(deferred,)] = self._queries("SELECT count(*) FROM deferred")
        [(revisits, changed)] = self._queries(_REVISITS, Found.CHANGED)
        [(gone,)] = self._queries("SELECT count(*) FROM gone")
        [(shelved,)] = self._queries("SELECT count(*) FROM shelf")
        [(concluded, pages, relevant, size, hosts, first_at, last_at)] = self._queries(_STATUS)
        reasons = self._queries(
            "SELECT reason, CASE reason WHEN ? THEN status ELSE 0 END, count(*) FROM pages WHERE reason != ''"
            " GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
            Reason.HTTP_STATUS,
        )
        return Status(
            created=created,
            known=known,
            queued=known - concluded - held - aside,
            deferred=deferred,
            held=held,
            aside=aside,
            shelved=shelved,
            concluded=concluded,
            pages=pages,
            relevant=relevant,
            bytes=size,
            hosts=hosts,
            reasons={counted_as(reason, status): count for reason, status, count in reasons},
            traps=dict(self._queries(_TRAPS, Reason.TRAP, MOST_TRAPS)),
            first_at=first_at,
            last_at=last_at,
            revisits=revisits,
            changed=changed,
            gone=gone,
        )

    def hosts(self) -> list[HostCount]:
        """What each host has given, most first."""
        return [HostCount(*row) for row in self._queries(_HOSTS)]

    def harvest(self) -> Iterator[tuple[int, float, bool]]:
        """Number, time and verdict of each page, in the order of the commits."""
        for number, fetched_at, relevant in self._queries.slices(_HARVEST):
            yield number, fetched_at, bool(relevant)

    def fetched(self) -> Iterator[tuple[str, int, int, str]]:
        """URL, fingerprint, simhash and parent of each answer with status 200, in commit order."""
        for _, url, fingerprint, simhash, parent in self._queries.slices(_FETCHED):
            yield url, fingerprint, simhash, parent

    def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        return dict(self._queries("SELECT host, until FROM host_waits"))

    def chosen_pages(
        self, choice: PageChoice, order: PageOrder = "newest", *, offset: int = 0, limit: int = 100
    ) -> ChosenPages:
        """Numbers of some of the concluded URLs that are wanted."""
        tests = ["TRUE"]
        values: list[str | int] = []
        if choice.relevant is not None:
            tests.append("relevant" if choice.relevant else "NOT relevant")
        if choice.host:
            tests.append("host = (SELECT id FROM hosts WHERE name = ?)")
            values.append(choice.host)
        if choice.reason is not None:
            tests.append("reason = ?")
            values.append(choice.reason)
        if choice.marked is not None:
            tests.append("mark IS NOT NULL" if choice.marked else "mark IS NULL")
        if choice.least_parts:
            tests.append("length(parts) >= ?")
            values.append(4 * choice.least_parts)
        if order in ("relevance", "uncertain"):
            tests.append("relevance IS NOT NULL")
        which = f"FROM pages WHERE {' AND '.join(tests)}"
        [(total,)] = self._queries(f"SELECT count(*) {which}", *values)
        rows = self._queries(
            f"SELECT page {which} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?", *values, limit, offset
        )
        return ChosenPages([page for (page,) in rows], total)

    def known_hosts(self) -> list[KnownHost]:
        """All hosts of known URLs, with what they have given and what waits."""
        queued: Counter[int] = Counter()
        citations: Counter[int] = Counter()
        best: dict[int, float] = {}
        [(last,)] = self._queries("SELECT coalesce(max(seq), 0) FROM urls")
        for first in range(0, last, _AT_ONCE):
            for host, waiting, cited, score in self._queries(_LINKS, first, first + _AT_ONCE):
                queued[host] += waiting
                citations[host] += cited
                if score is not None:
                    best[host] = max(score, best.get(host, score))
        given = {host: figures for host, *figures in self._queries(_GIVEN)}
        found = []
        for id, name in self._queries("SELECT id, name FROM hosts ORDER BY id"):
            concluded, pages, relevant = given.get(id, (0, 0, 0))
            found.append(KnownHost(name, concluded, pages, relevant, queued[id], best.get(id), citations[id]))
        return found

    def course(self, points: int = 400) -> list[Moment]:
        """How the crawl went, at evenly spread conclusions."""
        [(last, known)] = self._queries(
            "SELECT (SELECT coalesce(max(page), 0) FROM pages), (SELECT coalesce(max(seq), 0) FROM urls)"
        )
        step = max(1, -(-last // points))
        found: list[Moment] = []
        before = Moment(0.0, 0, 0, 0, 0)
        for end in sorted({*range(step, last, step), last} if last else ()):
            [(at, concluded, pages, relevant)] = self._queries(_BETWEEN, before.concluded, end)
            before = Moment(
                at,
                before.concluded + concluded,
                before.pages + pages,
                before.relevant + relevant,
                known if end == last else self._known_after(end, before.known, known),
            )
            found.append(before)
        return found

    def _known_after(self, page: int, low: int, high: int) -> int:
        """The last link that was found on a page up to this one: links are in order of discovery."""
        while low < high:
            middle = (low + high + 1) // 2
            rows = self._queries(_PARENT, middle)
            if rows and rows[0][0] is not None and rows[0][0] > page:
                high = middle - 1
            else:
                low = middle
        return low
