"""What goes wrong with a database: told in a sentence, or repeated until the database answers."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
from psycopg import errors

from lagotto.base.errors import CrawlDirectoryError, DamagedStore, DiskFull, LagottoError

PATIENCE = 600.0
"""Seconds for which a worker waits for a database that cannot be reached."""
RETRY = 1.0
"""Seconds between two attempts to reach it."""
_log = logging.getLogger(__name__)
T = TypeVar("T")
_GONE = ("08", "25P03", "57P01", "57P02", "57P03")
"""SQL states of a server that is shut down, starts, cannot be reached, or has given this client up."""
_AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)


class database_errors_explained:
    """Turns errors of PostgreSQL into sentences about the crawl at a location."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, psycopg.Error) and (explained := explain(error, self._shown)) is not None:
            raise explained from error


def is_unreachable(error: psycopg.Error) -> bool:
    """Whether the server does not answer for now: a restart, or a cut of the network."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(_GONE)


def may_be_repeated(error: psycopg.Error) -> bool:
    """Whether the same transaction may succeed at once."""
    return isinstance(error, _AGAIN)


def explain(error: psycopg.Error, shown: str) -> LagottoError | None:
    """An error of PostgreSQL as a sentence; None if it is a mistake in the program."""
    said = (error.diag.message_primary or str(error)).strip().splitlines()[0]
    match error:
        case errors.DiskFull() | errors.OutOfMemory():
            return DiskFull(f"no room is left in {shown} ({said}); nothing is lost: make room and go on")
        case errors.ReadOnlySqlTransaction():
            return CrawlDirectoryError(
                f"{shown} is read-only ({said}); name the primary server, or allow writing"
            )
        case errors.InsufficientPrivilege():
            return CrawlDirectoryError(
                f"{shown} refuses this user ({said}); grant the right, or name another user"
            )
        case errors.TooManyConnections():
            return CrawlDirectoryError(
                f"{shown} has no connection left ({said}); raise max_connections, or run fewer workers"
            )
        case errors.InvalidPassword() | errors.InvalidAuthorizationSpecification():
            return CrawlDirectoryError(f"{shown} refuses this user ({said}); check user and password")
        case errors.InvalidCatalogName():
            return CrawlDirectoryError(f"{shown} cannot be used ({said}); create the database first")
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.DataCorrupted():
            return DamagedStore(f"the crawl in {shown} is damaged ({said}); restore it from a copy")
    if is_unreachable(error) and "FATAL:" in said:
        said = said.rpartition("FATAL:")[2].strip()
        return CrawlDirectoryError(
            f"{shown} refuses the connection ({said}); check the database, the user and the password"
        )
    if is_unreachable(error):
        return CrawlDirectoryError(
            f"{shown} cannot be reached ({said}); check the address and that the server runs"
        )
    return None


class Outages:
    """Repeats statements that an outage of the database has cut off; all reads and writes go through this."""

    def __init__(self, shown: str, closing: threading.Event | None = None, *, patient: bool) -> None:
        """Without patience the second attempt is the last; `closing` ends all waiting."""
        self._shown = shown
        self._patient = patient
        self._closing = closing or threading.Event()

    def survive(self, act: Callable[[], T], connect: Callable[[], None], *, connected: bool = True) -> T:
        """Do something, again over a new connection each time that the connection is lost."""
        deadline: float | None = None
        while True:
            try:
                if not connected:
                    connect()
                    connected = True
                    if deadline is not None and self._patient:
                        _log.warning("%s can be reached again", self._shown)
                return act()
            except psycopg.Error as error:
                if may_be_repeated(error):
                    continue
                explained = explain(error, self._shown)
                if not is_unreachable(error) or self._gives_up(deadline, connected=connected):
                    if explained is None:
                        raise
                    raise explained from error
                if deadline is not None:
                    self._closing.wait(RETRY)
                elif self._patient:
                    _log.warning("%s; trying again for %g s", explained or error, PATIENCE)
                if deadline is None:
                    deadline = time.monotonic() + (PATIENCE if self._patient else 0.0)
                connected = False

    def _gives_up(self, deadline: float | None, *, connected: bool) -> bool:
        if self._closing.is_set():
            return True
        if deadline is None:
            return not connected and not self._patient
        return time.monotonic() >= deadline
