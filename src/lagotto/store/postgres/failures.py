"""Sentences for what PostgreSQL reports, and which of it goes away by itself."""

from __future__ import annotations

import psycopg
from psycopg import errors

from lagotto.errors import CrawlDirectoryError, DamagedStore, DiskFull, LagottoError

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
