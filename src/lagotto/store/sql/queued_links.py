"""Links that were found and not concluded: those that match a pattern, all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lagotto.batch import Patterns
from lagotto.store.sql.histories import STATES
from lagotto.store.sql.queries import Queries
from lagotto.store.sql.rows import ASIDE, STEERED, unpack
from lagotto.views import Matching, QueuedLink, WaitingLink

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


class QueuedLinks:
    """Reads links that wait."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

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
                    found.examples.append(self.link(seq))
        return found

    def link(self, seq: int) -> QueuedLink:
        """A link by its number."""
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
