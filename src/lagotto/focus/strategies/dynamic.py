"""`dynamic`: a weight table computed from the users' query log, and computed again while the crawl runs.

Paper input: a query log that may grow. W_new = (1 - a)·qf + a·W_old every interval; terms below the threshold
are left out. With words only, they are the table, and it does not change.
An interval without a new query leaves the table unchanged: otherwise the table of a log that does not grow
would fade away.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct, field, msgpack

from lagotto.base.errors import InputError
from lagotto.base.records import Judgement, Lease, Page
from lagotto.focus.strategies.parts.words import Edits, focus_table, words_of
from lagotto.focus.strategies.static import LINK_THRESHOLD, PAGE_THRESHOLD, ByTable
from lagotto.focus.topic import (
    Interval,
    LogFollower,
    Place,
    QueryTable,
    Topic,
    WeightTable,
    Window,
    with_context,
)

_ONE_MORE_PAGE = b""


class Dynamic(ByTable):
    """Follows links of pages relevant to what people ask now, best link score first."""

    name: ClassVar[str] = "dynamic"
    summary: ClassVar[str] = (
        "weight table rebuilt from the query log every interval; links of relevant pages only"
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "alpha": "share of the old weight, above 0 and at most 0.5",
        "threshold": "weight from which a term is a keyword",
        "interval": "when the table is rebuilt: a number of pages, or a time such as 10m",
        "window": "new: count the queries since the last rebuild; all: count all of them",
        "page_threshold": "a page is relevant above it",
        "link_threshold": "a link is followed above it",
        "context": "whether related words join the table",
    }
    topic_changes: ClassVar[bool] = True

    def __init__(
        self,
        topic: Topic,
        *,
        alpha: float = 0.5,
        threshold: float = 1.0,
        interval: str = "100 pages",
        window: Literal["new", "all"] = "new",
        page_threshold: float = PAGE_THRESHOLD,
        link_threshold: float = LINK_THRESHOLD,
        context: bool = False,
    ) -> None:
        self.topic = topic
        self.alpha = alpha
        self.threshold = threshold
        self.interval = interval
        self.window = window
        self.page_threshold = page_threshold
        self.link_threshold = link_threshold
        self.context = context
        self._every = Interval.parse(interval)
        self._queries = self._no_queries()
        self._since = _Since()
        self._edits = Edits(topic.language)
        self._first = self._read(Place())
        if self._first.window is not None:
            self._queries.rebuild(self._first.window)
        self.table = self._table_in_force()

    @property
    def versions(self) -> list[WeightTable]:
        """The latest versions of the log's table, oldest first; without a log the table alone."""
        return self._queries.versions or [self.table]

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """A page to count, or at the end of an interval the new queries and how far the log was read."""
        if self.topic.query_log is None:
            return None
        since = self._since
        if not since.started:
            return msgpack.encode(self._first)
        if not self._every.due(since.pages + 1, time.time() - since.at):
            return _ONE_MORE_PAGE
        return msgpack.encode(self._read(since.place))

    def edit(self, words: Mapping[str, float]) -> bytes:
        """The user's weights hold against those of the log, in every version of the table."""
        return self._edits.sample(words, self.table)

    def learn(self, sample: bytes) -> None:
        """Count a page; rebuild the table with the queries of an interval; take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self.table = self._table_in_force()
            return
        if sample == _ONE_MORE_PAGE:
            self._since.pages += 1
            return
        reading = msgpack.decode(sample, type=LogReading)
        at_the_start = not self._since.started
        if at_the_start:
            # After a crash the log may have grown: the first sample has the first table.
            self._queries = self._no_queries()
        # The first reading was before the first page, all others come after the last page of an interval.
        self._since = _Since(reading.place, reading.at, pages=int(at_the_start), started=True)
        if reading.window is not None:
            self._queries.rebuild(reading.window)
            self.table = self._table_in_force()

    def save(self) -> bytes:
        """The latest versions of the table and how far the log was read."""
        return msgpack.encode(_State(self._since, self._queries.save(), self._edits.save()))

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self._since = saved.since
        self._edits.load(saved.edits)
        if self._since.started:
            self._queries.load(saved.queries)
        self.table = self._table_in_force()

    def _no_queries(self) -> QueryTable:
        topic = self.topic
        queries = QueryTable(
            alpha=self.alpha,
            threshold=self.threshold,
            language=topic.language,
            phrases=topic.listed_phrases,
            window=self.window,
        )
        if topic.table is not None:
            queries.versions = [topic.table]
        return queries

    def _read(self, place: Place) -> LogReading:
        """What is new in the log after a place; the place itself does not change."""
        if self.topic.query_log is None:
            return LogReading(place, 0.0, None)
        follower = LogFollower(self.topic.query_log, place=copy.deepcopy(place))
        asked = [query.text for query in follower.read()]
        window = self._queries.count(asked) if asked else None
        return LogReading(follower.place, time.time(), window)

    def _table_in_force(self) -> WeightTable:
        table = self._plain_table()
        return self._edits.apply(with_context(table) if self.context else table)

    def _plain_table(self) -> WeightTable:
        """The log's table; the words where there is no log or none of its terms reaches the threshold."""
        if self._queries.table:
            return self._queries.table
        if self.topic.query_log is None or self.topic.word_table is not None:
            return focus_table(self.topic)
        raise InputError(
            f"no term of the query log {self.topic.query_log} reaches the threshold {self.threshold:g}; "
            "lower the threshold, or say what the topic is in words"
        )


class LogReading(Struct, array_like=True):
    """New queries of the log, counted."""

    place: Place
    at: float
    """Wall-clock time, for intervals in time."""
    window: Window | None
    """None when there was no new query."""


class _Since(Struct, array_like=True):
    """Where the last interval ended."""

    place: Place = field(default_factory=Place)
    at: float = 0.0
    pages: int = 0
    started: bool = False


class _State(Struct, array_like=True):
    since: _Since
    queries: bytes
    edits: bytes
