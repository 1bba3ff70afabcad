"""Bringing the tables of an older format up to date, in one transaction."""

from __future__ import annotations

from lagotto.store.postgres import database, schema
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.location import PostgresLocation

STEPS = {
    1: "ALTER TABLE owners ADD COLUMN offer_seq bigint; UPDATE owners SET offer = NULL",
    2: schema.TERMS,
}
"""Format -> statements that make the next format of it."""


def migrate(db: Connection, location: PostgresLocation) -> str:
    """Bring a crawl up to date, if need be; returns what was done, as a sentence.

    Workers of the older version are refused from then on, as its statements name another format.
    """
    version = database.format_of(db, location)
    if version == schema.VERSION:
        return f"{location.shown} has the current format {version}; nothing was changed"
    with db.transaction():
        db.execute("SELECT FROM counters FOR UPDATE")
        version = database.format_of(db, location)
        for step in range(version, schema.VERSION):
            db.raw.execute(STEPS[step].encode())
        db.execute("UPDATE crawl SET value = ? WHERE name = 'format'", (str(schema.VERSION),))
    return f"{location.shown} was brought from format {version} to {schema.VERSION}"
