"""Commands to a crawl: sent by any process, taken up by the worker that leads; news for all workers."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable

import psycopg

from lagotto.base.batch import Command, Taken
from lagotto.base.events import CommandTaken
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.location import PostgresLocation
from lagotto.store.sql.events import Events

_SEND = """
INSERT INTO commands (n, content, who, at) SELECT coalesce(max(n), 0) + 1, ?, ?, ? FROM commands RETURNING n
"""
_TAKE = """
UPDATE commands SET taken_at = ?, outcome = ?, applied = ? WHERE n = ? AND taken_at IS NULL
RETURNING content, who
"""


class Commands:
    """Commands that wait, and the record of those taken; calls that write belong in a transaction."""

    def __init__(self, db: Connection, events: Events) -> None:
        self.db = db
        self._events = events

    def waiting(self) -> list[Command]:
        """Commands that were not taken yet, in order."""
        query = "SELECT content, who, at, n FROM commands WHERE taken_at IS NULL ORDER BY n"
        return [Command(*row) for row in self.db.execute(query).fetchall()]

    def take(self, taken: Iterable[Taken]) -> None:
        """Record what came of commands; one that is taken already, or that was never sent, is an error."""
        for each in taken:
            row = self.db.execute(_TAKE, (time.time(), each.outcome, each.applied, each.n)).fetchone()
            if row is None:
                raise ValueError(f"command {each.n} does not wait to be taken")
            content, who = row
            event = CommandTaken(each.n, content.decode("utf-8", "replace"), who, each.outcome, each.applied)
            self._events.add(event)


def send(db: Connection, command: Command) -> int:
    """Add a command; belongs in a transaction that has locked `counters`, so that each gets its number."""
    row = db.execute(_SEND, (command.content, command.who, command.at)).fetchone()
    assert row is not None
    number: int = row[0]
    return number


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
