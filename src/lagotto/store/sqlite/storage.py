"""A crawl in a directory: creating it, opening it, reading it, sending commands to it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from lagotto.base.batch import Command
from lagotto.base.errors import CrawlDirectoryError, NotACrawl
from lagotto.base.protocols.storage import Finding
from lagotto.store import columns, crash_points
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.durable import make_folder
from lagotto.store.sqlite import commands, config_file, database, doctor, migration
from lagotto.store.sqlite import lock as lock_file
from lagotto.store.sqlite.commands import CommandFile, CommandList
from lagotto.store.sqlite.config_file import CONFIG_FILE
from lagotto.store.sqlite.doctor import check_before_open, commits_in
from lagotto.store.sqlite.lock import Lock, holder
from lagotto.store.sqlite.reader import SqliteReader
from lagotto.store.sqlite.store import SqliteStore
from lagotto.store.warc import writer as warc

LOG_FILE = "lagotto.log"
LOG_BACKUPS = 2
"""Older log files that are kept: `lagotto.log.1` is the newest of them."""
LOG_FILES = (LOG_FILE, *(f"{LOG_FILE}.{n}" for n in range(1, LOG_BACKUPS + 1)))


class SqliteStorage:
    """A crawl directory; `protocols.Storage` says what each method promises."""

    shared = False

    def __init__(self, directory: Path) -> None:
        self.location = str(directory)
        self.folder: Path | None = directory
        self.files = str(directory)
        self._directory = directory
        self._path = directory / database.FILE

    def exists(self) -> bool:
        """Whether there is a crawl."""
        return self._path.exists()

    async def create(self, config: bytes, *, keep_text: bool = True) -> SqliteStore:
        """Begin a crawl in a directory that holds none; it is made if need be."""
        if self.exists():
            raise CrawlDirectoryError(
                f"{self._directory} holds a crawl already; go on with `lagotto resume {self._directory}`, "
                "or choose another directory"
            )
        with disk_errors_explained(self._directory):
            make_folder(self._directory)
        self._refuse_foreign_files()
        lock = Lock(self._directory)
        try:
            crash_points.point("create.locked")
            # The database holds the configuration: there is a whole crawl as soon as it has its name.
            database.create(self._path, config)
            store = self._connected(lock, keep_text)
            if config:
                self.save_config(config)
            return store
        except BaseException:
            lock.abandon()
            raise

    def _refuse_foreign_files(self) -> None:
        """Leave alone what is the user's: files that a crawl would write and that no crawl has left."""
        paths = [self._directory / name for name in (CONFIG_FILE, commands.FILE, *LOG_FILES)]
        # WARC files that no commit names are removed on resuming, so there must be none before.
        for path in [*paths, *(self._directory / warc.FOLDER).glob("*.warc.gz")]:
            if path.exists():
                raise CrawlDirectoryError(
                    f"{path} is there already and belongs to no crawl; move it, or choose another directory"
                )

    async def open(self, *, keep_text: bool = True) -> SqliteStore:
        """Go on with a crawl; `notes` says what a crash has left."""
        version = database.format_of(self._path)
        lock = Lock(self._directory)
        try:
            notes = check_before_open(self._directory, lock.before)
            if version < columns.FORMAT:
                notes.append(migration.migrate(self._directory, lock))
            with disk_errors_explained(self._path), closing(database.connect_to_read(self._path)) as db:
                notes += config_file.check_copy(db, self._directory)
            store = self._connected(lock, keep_text)
            store.notes += notes
        except BaseException:
            lock.abandon()
            raise
        return store

    def _connected(self, lock: Lock, keep_text: bool) -> SqliteStore:
        with disk_errors_explained(self._path):
            db = database.connect_to_write(self._path)
            try:
                commands = CommandFile(self._directory)
                return SqliteStore(db, self._directory, commands, lock, keep_text=keep_text)
            except BaseException:
                db.close()
                raise

    def reader(self) -> SqliteReader:
        """Look into the crawl, running or not."""
        return SqliteReader.open(self._directory)

    def config(self) -> bytes:
        """The configuration, as TOML."""
        return config_file.read(self._directory)

    def save_config(self, config: bytes) -> None:
        """Replace the configuration of a crawl that this process has open."""
        with disk_errors_explained(self._path), closing(database.connect_to_write(self._path)) as db:
            config_file.write(db, self._directory, config)

    def discard(self) -> None:
        """Remove all files of the crawl, and the directory if nothing else is in it."""
        archive = self._directory / warc.FOLDER
        # The database goes last: as long as it is there, the directory is a crawl.
        databases = [f"{database.FILE}{end}" for end in ("-wal", "-shm", "")]
        names = [CONFIG_FILE, commands.FILE, *LOG_FILES, *databases, lock_file.FILE]
        with disk_errors_explained(self._directory):
            for path in [*archive.glob("*.warc.gz"), *(self._directory / name for name in names)]:
                path.unlink(missing_ok=True)
                crash_points.point("discard.inside")
            for folder in (archive, self._directory):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()

    def running(self) -> bool:
        """Whether some process crawls in the directory now."""
        return holder(self._directory) is not None

    def send(self, command: Command) -> int:
        """Append a command to `commands.jsonl`."""
        if not self.running():
            database.check_format(self._path)
        return CommandFile(self._directory).send(command)

    def examine(self) -> list[Finding]:
        """Check everything for damage; nothing is changed."""
        return doctor.examine(self._directory)

    def accept(self) -> None:
        """Accept a changed but sound database as it is."""
        doctor.accept(self._directory)

    def migrate(self) -> str:
        """Bring an older format up to date."""
        version = database.format_of(self._path)
        if version == columns.FORMAT:
            return f"{self._directory} has the current format {columns.FORMAT}; nothing was changed"
        lock = Lock(self._directory)
        try:
            check_before_open(self._directory, lock.before)
            sentence = migration.migrate(self._directory, lock)
            lock.release(self._commits(), database.digest(self._path))
        finally:
            lock.abandon()
        return sentence

    def _commits(self) -> int:
        with disk_errors_explained(self._path), closing(database.connect_to_read(self._path)) as db:
            return commits_in(db)


class MemoryStorage:
    """A crawl that leaves nothing behind; it ends when its store is closed."""

    location = ":memory:"
    folder: Path | None = None
    files = ""
    shared = False

    def __init__(self) -> None:
        self._config = b""
        self._commands = CommandList()
        self._store: SqliteStore | None = None

    def exists(self) -> bool:
        """Whether the crawl was begun."""
        return self._store is not None

    async def create(self, config: bytes = b"", *, keep_text: bool = True) -> SqliteStore:
        """Begin a crawl."""
        db = database.connect(":memory:")
        database.set_up(db)
        self._config = config
        self._store = SqliteStore(db, None, self._commands, keep_text=keep_text)
        return self._store

    async def open(self, *, keep_text: bool = True) -> SqliteStore:
        """The store that was created."""
        if self._store is None:
            raise NotACrawl("there is no crawl in memory; create it first")
        return self._store

    def reader(self) -> SqliteReader:
        """Look into the crawl."""
        if self._store is None:
            raise NotACrawl("there is no crawl in memory; create it first")
        return self._store.reader()

    def config(self) -> bytes:
        """The configuration."""
        return self._config

    def save_config(self, config: bytes) -> None:
        """Replace the configuration."""
        self._config = config

    def discard(self) -> None:
        """There are no files to remove."""

    def running(self) -> bool:
        """A crawl in memory ends with its process."""
        return self.exists()

    def send(self, command: Command) -> int:
        """Send a command."""
        return self._commands.send(command)

    def examine(self) -> list[Finding]:
        """There are no files to check."""
        return []

    def accept(self) -> None:
        """There are no files to accept."""

    def migrate(self) -> str:
        """A crawl in memory always has the current format."""
        return "a crawl in memory has the current format"
