"""Links that were found and not concluded: the best, those that match a pattern, all."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from typing import Any

from lagotto.batch import Patterns
from lagotto.store.sqlite.histories import FLOOR, STATES
from lagotto.store.sqlite.links.rows import unpack
from lagotto.store.sqlite.queries import Queries
from lagotto.store.sqlite.schema import ASIDE, QUEUED_HOSTS, STEERED
from lagotto.views import Matching, QueuedLink, WaitingLink

_WAITING = """
SELECT u.seq, u.held, u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth,
    d.retry_at, d.reason, d.detail
FROM urls u LEFT JOIN urls p ON p.seq = u.parent LEFT JOIN deferred d ON d.seq = u.seq
WHERE u.seq > ? AND u.page IS NULL ORDER BY u.seq LIMIT 1000
"""
# Queued links that are not in frontier yet; sweep.Sweep says why.
_RECENT = """
SELECT u.score, u.seq
FROM urls u LEFT JOIN swept m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
WHERE u.seq > ? AND u.seq > coalesce(m.seq, 0) AND u.page IS NULL AND NOT u.held
    AND u.seq NOT IN (SELECT seq FROM deferred)
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


class QueuedLinks:
    """Reads links that wait."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def best(self, n: int, host: str = "") -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts or of one."""
        [(floor,)] = self._queries(FLOOR, "frontier")
        first_of_host = "SELECT score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
        order = "ORDER BY u.score DESC, u.seq LIMIT ?"
        if host:
            [(id,)] = self._queries("SELECT id FROM hosts WHERE name = ?", host) or [(-1,)]
            best = self._queries(f"{_RECENT} AND u.host = ? {order}", floor, id, n)
            hosts = [id] if self._queries(first_of_host, id, 1) else []
        else:
            best = self._queries(f"{_RECENT} {order}", floor, n)
            hosts = [id for (id,) in self._queries(QUEUED_HOSTS)]
        heads = [(*self._queries(first_of_host, id, 1)[0], id) for id in hosts]
        for _, _, id in heapq.nsmallest(n, heads, key=_best_first):
            best += self._queries(first_of_host, id, n)
        chosen = heapq.nsmallest(n, best, key=_best_first)
        return [self._queued_link(seq) for _, seq in chosen]

    def matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression."""
        matches = re.compile(pattern).search
        return self._matching(_UNFETCHED, lambda url: matches(url) is not None, n)

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside."""
        admitted = patterns.test()
        return self._matching(_MAY_GO, lambda url: not admitted(url), n)

    def _matching(self, query: str, wanted: Callable[[str], bool], n: int) -> Matching:
        found = Matching(0, [])
        for seq, url in self._queries.slices(query):
            if wanted(url):
                found.count += 1
                if len(found.examples) < n:
                    found.examples.append(self._queued_link(seq))
        return found

    def _queued_link(self, seq: int) -> QueuedLink:
        [(url, score, parts, parent, anchor, depth)] = self._queries(_LINK, seq)
        return QueuedLink(url, score, unpack(parts), parent, anchor, depth)

    def waiting(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        for row in self._queries.slices(_WAITING):
            _, held, url, score, parts, parent, anchor, depth, retry_at, reason, detail = row
            yield WaitingLink(
                state=STATES[held] if retry_at is None else "deferred",
                link=QueuedLink(url, score, unpack(parts), parent, anchor, depth),
                retry_at=retry_at,
                waiting_for="" if reason is None else f"{reason} {detail}".strip(),
            )


def _best_first(link: tuple[Any, ...]) -> tuple[float, int]:
    return (-link[0], link[1])
