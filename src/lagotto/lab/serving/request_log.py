"""Log of the requests that a server got, for audits of crawlers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lagotto.lab.webs.web import input_errors


class Asked(NamedTuple):
    """One request that a server got."""

    time: float
    """Monotonic time of arrival, comparable between processes of one machine."""
    host: str
    path: str
    status: int

    @property
    def url(self) -> str:
        """What was asked for."""
        return f"http://{self.host}{self.path}"


class RequestLog:
    """Append-only log: kept in memory, or in a file that outlives a killed process.

    Without a file and with `keep` false nothing is logged, for a server that runs for long.
    """

    def __init__(self, path: str | Path | None = None, *, keep: bool = True) -> None:
        self.path = None if path is None else Path(path)
        self.keep = keep
        self._entries: list[Asked] = []
        self._file = None
        if self.path is not None:
            with input_errors(f"cannot write the request log {self.path}"):
                # Unbuffered, so that every answered request is in the file if the server is killed.
                self._file = self.path.open("ab", buffering=0)

    def add(self, host: str, path: str, status: int) -> None:
        """Log a request."""
        now = time.monotonic()
        if self._file is not None:
            self._file.write(f"{now:.6f}\t{host}\t{path}\t{status}\n".encode())
        elif self.keep:
            self._entries.append(Asked(now, host, path, status))

    def __iter__(self) -> Iterator[Asked]:
        return iter(self._entries) if self.path is None else read_log(self.path)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()


def read_log(path: str | Path) -> Iterator[Asked]:
    """Read a log file; an incomplete last line is ignored."""
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                moment, host, asked_path, status = line[:-1].split("\t")
                yield Asked(float(moment), host, asked_path, int(status))
