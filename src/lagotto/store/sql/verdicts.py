"""What counts as relevant now: marks of users before the newest judgement of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lagotto.base.batch import Mark, NewJudgement
from lagotto.base.events import JudgedAgain, Marked
from lagotto.base.urls import checksum
from lagotto.store.sql.database import Database
from lagotto.store.sql.events import Events
from lagotto.store.sql.links import Links
from lagotto.store.values import parts_json, plain

_JUDGE = """
UPDATE pages SET relevance = ?, relevant = ?, judged = ?, model = ? WHERE page = ? AND mark IS NULL
"""
_JUDGE_MARKED = """
UPDATE pages SET relevance_by_model = ?, relevant_by_model = ?, judged = ?, model = ?
WHERE page = ? AND mark IS NOT NULL
"""
_SET_ASIDE = """
UPDATE pages SET relevance_by_model = relevance, relevant_by_model = relevant WHERE page = ? AND mark IS NULL
"""
_MARK = "UPDATE pages SET mark = ?, relevance = ?, relevant = ? WHERE page = ?"
_UNMARK = """
UPDATE pages SET mark = NULL, relevance = relevance_by_model, relevant = relevant_by_model,
    relevance_by_model = NULL, relevant_by_model = NULL
WHERE page = ? AND mark IS NOT NULL
"""
_KEEP_MARK = """
INSERT INTO marks VALUES (?, (SELECT coalesce(max(n), 0) + 1 FROM marks), ?, ?, ?)
ON CONFLICT (page) DO UPDATE SET n = excluded.n, mark = excluded.mark, who = excluded.who, at = excluded.at
"""


class Verdicts:
    """Changes verdicts on concluded pages; all calls belong in a transaction."""

    def __init__(
        self, db: Database, links: Links, events: Events, seal: Callable[[Iterable[int]], None]
    ) -> None:
        """`seal` writes the checksums of page rows that have changed."""
        self._db = db
        self._seal = seal
        self._links = links
        self._events = events

    def judge(self, judgements: Sequence[NewJudgement], model: int) -> None:
        """Keep newer judgements; a marked page keeps its mark."""
        rows = [
            (each.relevance, each.relevant, parts_json(each.parts), model, each.page) for each in judgements
        ]
        if rows:
            self._db.executemany(_JUDGE_MARKED, rows)
            self._db.executemany(_JUDGE, rows)
            self._seal([each.page for each in judgements])
            self._events.add(JudgedAgain([each.page for each in judgements], model))

    def mark(self, mark: Mark) -> None:
        """Keep a user's mark, or take it back; a URL that is not a concluded page is ignored."""
        known = self._links.find(checksum(mark.url))
        if known is None or known.page is None:
            return
        if mark.on is None:
            self._db.execute(_UNMARK, (known.page,))
            self._db.execute("DELETE FROM marks WHERE page = ?", (known.page,))
        else:
            self._db.execute(_SET_ASIDE, (known.page,))
            self._db.execute(_MARK, (mark.on, float(mark.on), mark.on, known.page))
            self._db.execute(_KEEP_MARK, (known.page, mark.on, plain(mark.who), mark.at))
        self._seal([known.page])
        self._events.add(Marked(known.url, mark.on, plain(mark.who), known.page))
