"""From what a user writes to the storage it names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from lagotto.base.errors import CrawlDirectoryError, InputError, UnknownName
from lagotto.base.protocols import Storage
from lagotto.base.urls import checksum
from lagotto.store.sqlite.storage import MemoryStorage, SqliteStorage


def side_folder(storage: Storage, name: str) -> Path:
    """A folder of this name in the crawl's own, or in the user's cache if there is none to write to."""
    folder = storage.folder
    if folder is not None and ((folder / name).is_dir() or os.access(folder, os.W_OK)):
        refuse_links(folder / name)
        return folder / name
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "lagotto" / name / f"{checksum(storage.location) & (1 << 64) - 1:016x}"


def refuse_links(folder: Path) -> None:
    """Refuse a folder that is a symbolic link or holds one, which may lead anywhere."""
    inside = (Path(at, name) for at, folders, files in os.walk(folder) for name in (*folders, *files))
    for path in (folder, *inside):
        if path.is_symlink():
            raise CrawlDirectoryError(
                f"{path} is a symbolic link, which is not followed here; put what it leads to in its place"
            )


GROUP = "lagotto.stores"
"""Entry point group: a scheme, and a function that makes a `Storage` of the whole location."""


OWN_DATABASE = "postgres"
"""Folder of a crawl directory that has a PostgreSQL of its own."""
POSTGRESQL = ("postgresql", "postgres")
"""Schemes of locations in a PostgreSQL database."""


def storage_at(location: str | Path) -> Storage:
    """The storage at a location: a directory, `:memory:`, `postgresql://...`, or a scheme of a plug-in."""
    text = str(location)
    scheme, separator, _ = text.partition("://")
    if text == MemoryStorage.location:
        return MemoryStorage()
    if not separator or isinstance(location, Path):
        directory = Path(location)
        return own_storage(directory) if has_own_database(directory) else SqliteStorage(directory)
    if scheme in POSTGRESQL:
        return _postgres(text)
    found = {point.name: point for point in entry_points(group=GROUP)}
    if scheme not in found:
        known = ", ".join(sorted(found)) or "none is installed"
        raise UnknownName(f"there is no store for '{scheme}://' ({known}); name a directory, or install one")
    storage: Storage = found[scheme].load()(text)
    return storage


def has_own_database(directory: Path) -> bool:
    """Whether a crawl directory has a PostgreSQL of its own."""
    return (directory / OWN_DATABASE / "PG_VERSION").is_file()


def own_storage(directory: Path) -> Storage:
    """A crawl in a PostgreSQL of its own, which is made if need be and runs as long as processes use it."""
    if SqliteStorage(directory).exists():
        raise CrawlDirectoryError(
            f"{directory} holds a crawl of one process, which several workers cannot share; go on with it by "
            f"`lagotto resume {directory}`, or choose another directory"
        )
    with _drivers_explained():
        from lagotto.store.postgres.own_server import OwnStorage
    return OwnStorage(directory, directory / OWN_DATABASE)


def _postgres(location: str) -> Storage:
    with _drivers_explained():
        from lagotto.store.postgres.storage import PostgresStorage
    return PostgresStorage(location)


@contextmanager
def _drivers_explained() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"a crawl in PostgreSQL needs {error.name}; install it with `pip install 'psycopg[binary]'`"
        ) from error


def with_crawl(text: str, crawl: str = "", files: str = "") -> str:
    """A location with the name of a crawl and a place for its files added."""
    parts = urlsplit(text)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    more = {name: value for name, value in (("crawl", crawl), ("files", files)) if value}
    for name, value in more.items():
        if given.get(name, value) != value:
            raise InputError(f"the location says {name}={given[name]}, the option {value}; leave one out")
    if not more:
        return text
    query = urlencode(given | more, quote_via=quote, safe="/:")
    head, _, _ = text.partition("?")
    return f"{head}?{query}"
