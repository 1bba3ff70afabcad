"""From what a user writes to the storage it names."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from lagotto.errors import InputError, UnknownName
from lagotto.protocols import Storage
from lagotto.store.sqlite.storage import MemoryStorage, SqliteStorage

GROUP = "lagotto.stores"
"""Entry point group: a scheme, and a function that makes a `Storage` of the whole location."""


POSTGRESQL = ("postgresql", "postgres")
"""Schemes of locations in a PostgreSQL database."""


def storage_at(location: str | Path) -> Storage:
    """The storage at a location: a directory, `:memory:`, `postgresql://...`, or a scheme of a plug-in."""
    text = str(location)
    scheme, separator, _ = text.partition("://")
    if text == MemoryStorage.location:
        return MemoryStorage()
    if not separator or isinstance(location, Path):
        return SqliteStorage(Path(location))
    if scheme in POSTGRESQL:
        return _postgres(text)
    found = {point.name: point for point in entry_points(group=GROUP)}
    if scheme not in found:
        known = ", ".join(sorted(found)) or "none is installed"
        raise UnknownName(f"there is no store for '{scheme}://' ({known}); name a directory, or install one")
    storage: Storage = found[scheme].load()(text)
    return storage


def _postgres(location: str) -> Storage:
    try:
        from lagotto.store.postgres.storage import PostgresStorage
    except ImportError as error:
        raise InputError(
            f"a crawl in PostgreSQL needs {error.name}; install it with `pip install 'psycopg[binary]'`"
        ) from error
    return PostgresStorage(location)


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
