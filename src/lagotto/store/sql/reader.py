"""Looking into a crawl, also while it runs: figures, rows, events.

A reader never writes. Long readings go in slices.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

from lagotto.base.batch import Restored, Version
from lagotto.base.errors import LostAnswer
from lagotto.base.events import EventRecord
from lagotto.base.records import Fetched, WarcPlace
from lagotto.base.views import MarkedPage, TakenCommand
from lagotto.store.sql.database import Queries
from lagotto.store.sql.events import EVENTS, read_events
from lagotto.store.sql.known_links import LinkReader
from lagotto.store.sql.overview import OverviewReader
from lagotto.store.sql.stored_pages import PageReader
from lagotto.store.warc.reading import response_of

OWNER = "local"
"""The one worker of a crawl on one machine."""

_MARKS = """
SELECT u.url, m.page, m.mark, m.who, m.at
FROM marks m JOIN pages p USING (page) JOIN urls u USING (seq) ORDER BY m.n
"""


class SqlReader(OverviewReader, LinkReader, PageReader):
    """Answers questions about a crawl in tables; what is left open depends on the database."""

    def __init__(self, queries: Queries, intact: str) -> None:
        """`intact` is an SQL condition that a page row is as it was written."""
        self._queries = queries
        self._intact = intact
        self.lost_answers: dict[WarcPlace, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    def learned(self, owner: str = OWNER) -> Restored:
        """What the strategy had learned: its latest snapshot, and the samples since, as of one moment."""

    def events(self, after: int = 0, limit: int = 1000) -> list[EventRecord]:
        """What happened after the event with this number, oldest first."""
        return list(read_events(self._queries(EVENTS, after, limit)))

    def last_event(self) -> int:
        """Number of the newest event."""
        [(last,)] = self._queries("SELECT coalesce(max(n), 0) FROM events")
        return int(last)

    def body(self, place: WarcPlace) -> Fetched:
        """The answer that a page was made of; raises `LostAnswer` if it cannot be read."""
        try:
            return response_of(self._stored_record(place), place, self._named(place))
        except LostAnswer as error:
            self.lost_answers[place] = str(error)
            raise

    def record(self, place: WarcPlace) -> bytes:
        """The compressed WARC record of an answer, as it is stored; raises `LostAnswer` likewise."""
        try:
            return self._stored_record(place)
        except LostAnswer as error:
            self.lost_answers[place] = str(error)
            raise

    @abstractmethod
    def _stored_record(self, place: WarcPlace) -> bytes:
        """The record at a place."""

    @abstractmethod
    def _named(self, place: WarcPlace) -> str:
        """What the file of a place is called in error messages."""

    # What users did.

    @abstractmethod
    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first."""

    def marks(self) -> list[MarkedPage]:
        """Marks that count now, in the order in which they were taken."""
        return [MarkedPage(url, page, bool(on), who, at) for url, page, on, who, at in self._queries(_MARKS)]

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        query = "SELECT kind, content, version, created FROM versions WHERE kind = ? ORDER BY version"
        return [Version(*row) for row in self._queries(query, kind)]
