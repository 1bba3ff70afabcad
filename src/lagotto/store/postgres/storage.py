"""A crawl in a PostgreSQL database: creating it, opening it, reading it, sending commands to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from lagotto.base.batch import Command
from lagotto.base.errors import NotACrawl
from lagotto.base.protocols.storage import Finding, Severity
from lagotto.store.postgres import database
from lagotto.store.postgres.commands import notify, send
from lagotto.store.postgres.connection import Connection, is_open
from lagotto.store.postgres.location import check_name, folder_of, read_location
from lagotto.store.postgres.outages import database_errors_explained
from lagotto.store.postgres.reader import PostgresReader
from lagotto.store.postgres.store import PostgresStore

_CHECKS = {
    "every concluded URL has its page row": """
        SELECT count(*) FROM urls u LEFT JOIN pages p ON p.page = u.page
        WHERE u.page IS NOT NULL AND p.seq IS DISTINCT FROM u.seq
    """,
    "every page row has its URL": """
        SELECT count(*) FROM pages p LEFT JOIN urls u ON u.seq = p.seq WHERE u.page IS DISTINCT FROM p.page
    """,
    "no URL has two page rows": "SELECT count(*) - count(DISTINCT seq) FROM pages",
    "page numbers have no gap": "SELECT coalesce(max(page), 0) - count(*) FROM pages",
    "every known URL is counted": "SELECT abs((SELECT known FROM counters) - (SELECT count(*) FROM urls))",
    "every text has its page": """
        SELECT count(*) FROM texts t LEFT JOIN pages p USING (page) WHERE p.page IS NULL
    """,
}
"""What must hold -> query that counts where it does not."""


def examine(db: Connection) -> list[Finding]:
    """What was checked, as of one moment."""
    found = []
    with db.transaction("REPEATABLE READ"):
        for what, query in _CHECKS.items():
            row = db.execute(query).fetchone()
            broken = row[0] if row else 0
            if broken:
                found.append(Finding(Severity.ERROR, f"it is not so that {what}: {broken} times"))
            else:
                found.append(Finding(Severity.GOOD, what))
    return found


T = TypeVar("T")


class PostgresStorage:
    """A schema of a database; `protocols.Storage` says what each method promises."""

    shared = True

    def __init__(self, location: str) -> None:
        self.place = read_location(location)
        self.location = location
        self._files = self.place.files

    @property
    def files(self) -> str:
        """Where the location says that files are, or else where the crawl was begun with them."""
        if not self._files and self.place.crawl:
            with self._connected() as db:
                if database.exists(db, self.place):
                    self._files = database.files_of(db)
        return self._files

    @files.setter
    def files(self, files: str) -> None:
        self._files = files

    @property
    def folder(self) -> Path | None:
        """The folder for files, if it is one of this machine."""
        return folder_of(self.files)

    @folder.setter
    def folder(self, folder: Path | None) -> None:
        self._files = str(folder or "")

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with database_errors_explained(self.place.shown):
            check_name(self.place)
            db = Connection(self.place)
            try:
                yield db
            finally:
                db.close()

    @contextmanager
    def _opened(self) -> Iterator[Connection]:
        """A connection to a crawl that is there and of the current format."""
        with self._connected() as db:
            database.check_format(db, self.place)
            yield db

    def exists(self) -> bool:
        """Whether there is a crawl."""
        with self._connected() as db:
            return database.exists(db, self.place)

    async def create(self, config: bytes, *, keep_text: bool = True) -> PostgresStore:
        """Begin a crawl under a name that no other crawl in the database has."""

        def create() -> PostgresStore:
            check_name(self.place)
            db = Connection(self.place)
            try:
                database.create(db, self.place, config)
                return PostgresStore(db, keep_text=keep_text)
            except BaseException:
                db.close()
                raise

        return await self._in_thread(create)

    async def open(self, *, keep_text: bool = True) -> PostgresStore:
        """Go on with a crawl, alone or beside other workers."""

        def open() -> PostgresStore:
            check_name(self.place)
            db = Connection(self.place)
            try:
                database.migrate(db, self.place)
                return PostgresStore(db, keep_text=keep_text)
            except BaseException:
                db.close()
                raise

        return await self._in_thread(open)

    async def _in_thread(self, act: Callable[[], T]) -> T:
        with database_errors_explained(self.place.shown):
            return await asyncio.to_thread(act)

    def reader(self) -> PostgresReader:
        """Look into the crawl, running or not."""
        return PostgresReader(self.place)

    def config(self) -> bytes:
        """The configuration, as TOML."""
        with self._opened() as db:
            row = db.execute("SELECT value FROM crawl WHERE name = 'config'").fetchone()
            return row[0].encode() if row else b""

    def save_config(self, config: bytes) -> None:
        """Replace the configuration."""
        with self._opened() as db:
            db.execute("UPDATE crawl SET value = ? WHERE name = 'config'", (config.decode(),))

    def discard(self) -> None:
        """Remove the crawl; files of its folder stay."""
        with self._connected() as db:
            database.drop(db, self.place)

    def running(self) -> bool:
        """Whether some worker has the crawl open."""
        with self._connected() as db:
            return is_open(db)

    def send(self, command: Command) -> int:
        """Add a command, and tell the workers."""
        with self._opened() as db, db.transaction():
            db.execute("SELECT FROM counters FOR UPDATE")
            number = send(db, command)
            notify(db)
            return number

    def examine(self) -> list[Finding]:
        """Check everything for damage; nothing is changed."""
        with self._opened() as db:
            return examine(db)

    def accept(self) -> None:
        """PostgreSQL has checksums of its own: there is nothing to accept."""
        if not self.exists():
            raise NotACrawl(f"there is no crawl in {self.place.shown}")

    def migrate(self) -> str:
        """Bring an older format up to date."""
        with self._connected() as db:
            return database.migrate(db, self.place)
