"""Starts and ends the server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import PROJECT


@contextmanager
def running_server(folder: Path, lose: int) -> Iterator[str]:
    """Host and port of a server that loses the reply to every `lose`-th request."""
    command = [sys.executable, "-m", "tests.store.remote.server", str(folder), str(lose)]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"127.0.0.1:{process.stdout.readline().strip()}"
        process.kill()
