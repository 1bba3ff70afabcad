"""The schema of a crawl: making it, checking it, bringing it up to date, opening it."""

from __future__ import annotations

from shlex import quote

import psycopg
from psycopg import errors, sql

from lagotto.base.errors import CrawlDirectoryError, NewerStore, NotACrawl, OlderStore
from lagotto.base.urls import SHARDS
from lagotto.store import columns
from lagotto.store.postgres import schema
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.location import PREFIX, PostgresLocation, check_name

_CREATED = """
INSERT INTO crawl VALUES ('format', ?), ('config', ?), ('files', ?),
    ('created', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
"""


def exists(db: Connection, location: PostgresLocation) -> bool:
    """Whether the schema is there."""
    return db.execute("SELECT FROM pg_namespace WHERE nspname = ?", (location.schema,)).fetchone() is not None


def _may_use(db: Connection, location: PostgresLocation) -> bool:
    """Whether this user may look into the schema; to one who may not, it seems to be empty."""
    row = db.execute("SELECT has_schema_privilege(?, 'USAGE')", (location.schema,)).fetchone()
    return row is not None and bool(row[0])


def create(db: Connection, location: PostgresLocation, config: bytes) -> None:
    """Make the tables of a crawl, all or none."""
    if exists(db, location):
        raise _taken(location)
    try:
        with db.transaction():
            db.raw.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(location.schema)))
            db.raw.execute(schema.statements(SHARDS).encode())
            db.execute(_CREATED, (str(columns.FORMAT), config.decode(), location.files))
    except (errors.DuplicateSchema, errors.UniqueViolation) as error:
        raise _taken(location) from error


def _taken(location: PostgresLocation) -> CrawlDirectoryError:
    return CrawlDirectoryError(
        f"{location.shown} holds a crawl already; go on with `lagotto resume {quote(location.shown)}`, "
        "or choose another name"
    )


def open_crawl(location: PostgresLocation) -> Connection:
    """A connection to a crawl of the current format."""
    db = Connection(location)
    try:
        check_format(db, location)
    except BaseException:
        db.close()
        raise
    return db


def check_format(db: Connection, location: PostgresLocation) -> None:
    """Raise unless there is a crawl of the current format."""
    version = format_of(db, location)
    if version < columns.FORMAT:
        raise OlderStore(
            f"{location.shown} was written by an older Lagotto (format {version}, this one reads "
            f"{columns.FORMAT}); bring it up to date with `lagotto migrate`"
        )


def format_of(db: Connection, location: PostgresLocation) -> int:
    """Format of the crawl; raises if there is none, or if it is newer than this version."""
    check_name(location)
    if not exists(db, location):
        names = _others(db)
        known = f"; there are {names}" if names else ""
        raise NotACrawl(
            f"there is no crawl '{location.crawl}' in {location.shown}{known}; "
            "start one with `lagotto crawl ... --store`"
        )
    if not _may_use(db, location):
        raise CrawlDirectoryError(
            f"{location.shown} refuses this user (permission denied for the crawl); grant the right, "
            "or name another user"
        )
    row = db.execute("SELECT value FROM crawl WHERE name = 'format'").fetchone()
    version = int(row[0]) if row else 0
    if version > columns.FORMAT:
        raise NewerStore(
            f"{location.shown} was written by a newer Lagotto (format {version}, this one reads "
            f"{columns.FORMAT}); install that version or a newer one"
        )
    return version


def migrate(db: Connection, location: PostgresLocation) -> str:
    """Bring a crawl up to date, if need be; returns what was done, as a sentence.

    Workers of the older version are refused from then on, as its statements name another format.
    """
    version = format_of(db, location)
    if version == columns.FORMAT:
        return f"{location.shown} has the current format {version}; nothing was changed"
    with db.transaction():
        db.execute("SELECT FROM counters FOR UPDATE")
        version = format_of(db, location)
        for step in range(version, columns.FORMAT):
            db.raw.execute(columns.spelled(columns.MIGRATIONS[step], "postgres").encode())
        db.execute("UPDATE crawl SET value = ? WHERE name = 'format'", (str(columns.FORMAT),))
    return f"{location.shown} was brought from format {version} to {columns.FORMAT}"


def _others(db: Connection) -> str:
    query = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname::text, ?) ORDER BY 1 LIMIT 10"
    return ", ".join(name.removeprefix(PREFIX) for (name,) in db.execute(query, (PREFIX,)).fetchall())


def files_of(db: Connection) -> str:
    """Folder or URL of the crawl's files, empty if it has none."""
    row = db.execute("SELECT value FROM crawl WHERE name = 'files'").fetchone()
    return str(row[0]) if row else ""


def drop(db: Connection, location: PostgresLocation) -> None:
    """Remove the schema with all that is in it."""
    try:
        db.raw.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(location.schema)))
    except psycopg.errors.InvalidSchemaName:
        return
