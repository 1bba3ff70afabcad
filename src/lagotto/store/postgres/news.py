"""Telling workers that something waits for them: links, commands, the end of the crawl."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

import psycopg
from msgspec import Struct

from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.location import PostgresLocation

LOOK = 0.5
"""Seconds after which the listener looks whether it is to end."""
_log = logging.getLogger(__name__)


LINKS = "links"


def notify(db: Connection, what: str = "") -> None:
    """Tell all listeners, once the transaction is committed."""
    db.execute("SELECT pg_notify(?, ?)", (db.location.schema, what))


class News:
    """Listens in a thread, through a connection of its own.

    A message that is lost with the connection costs nothing but time: workers also look by themselves.
    """

    def __init__(self, location: PostgresLocation, wake: Callable[[bool], None]) -> None:
        self._location = location
        self._wake = wake
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="news", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                _log.debug("not listening for news: %s", error)
                self._over.wait(2 * LOOK)

    def _listen(self) -> None:
        db = Connection(self._location)
        try:
            db.raw.execute(f'LISTEN "{self._location.schema}"')
            while not self._over.is_set():
                for message in db.raw.notifies(timeout=LOOK, stop_after=1):
                    self._wake(message.payload != LINKS)
        finally:
            db.close()


class _Seen(Struct):
    stamp: float
    since: float


class Watch:
    """Remembers when the stamps of other workers were first seen."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._seen: dict[str, _Seen] = {}

    def look(self, stamps: Mapping[str, float]) -> None:
        """Take note of the latest stamp of every worker."""
        now, before = self.now(), self._seen
        self._seen = {
            owner: before[owner] if owner in before and before[owner].stamp == stamp else _Seen(stamp, now)
            for owner, stamp in stamps.items()
        }

    def silent(self, owner: str, stamp: float, lease: float) -> bool:
        """Whether a worker has had this stamp for so many seconds."""
        seen = self._seen.get(owner)
        return seen is not None and seen.stamp == stamp and self.now() - seen.since >= lease
