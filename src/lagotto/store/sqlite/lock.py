"""Lets only one process crawl in a directory, and records how the last one ended.

The process that crawls locks `crawl.lock`. One line of JSON in it names the process, counts its commits
and, after a clean stop, holds the checksum of the database. The lock ends with the process; the line stays
and shows whether the process crashed or stopped cleanly.
"""

from __future__ import annotations

import fcntl
import os
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base.errors import InUse
from lagotto.store.disk_errors import os_error
from lagotto.store.durable import sync

FILE = "crawl.lock"
_WIDTH = 200


class Trace(Struct):
    """The line in the lock file."""

    pid: int
    boot: str
    """Identifies this run of the operating system; empty if unknown."""
    commits: int
    digest: str = ""
    """Checksum of the closed database; empty while the process runs, or if it was killed."""


class Lock:
    """The lock of a crawl directory, held by this process."""

    def __init__(self, directory: Path) -> None:
        path = directory / FILE
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise os_error(error, path) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _read(self._file)
            os.close(self._file)
            raise InUse(
                f"process {holder.pid if holder else '?'} is crawling in {directory}; "
                "stop it first, or choose another directory"
            ) from error
        self.before = _read(self._file)
        """What the last process left; None if there was none, or if it is unreadable."""
        self._recorded = False
        self._open = True
        _held.add(self)

    def record(self, commits: int) -> None:
        """Write that this process is crawling, and how many commits there are."""
        with suppress(OSError):  # The commit is safe; without this line only its loss would go unnoticed.
            self._write(Trace(os.getpid(), boot_id(), commits))
            if not self._recorded:  # Else a power cut would leave the checksum of an earlier database.
                self._recorded = True
                sync(self._file)

    def release(self, commits: int, digest: str) -> None:
        """Unlock the directory after a clean stop."""
        self._write(Trace(os.getpid(), boot_id(), commits, digest))
        sync(self._file)
        self.abandon()

    def abandon(self) -> None:
        """Unlock the directory and leave the line as it is."""
        if self._open:
            self._open = False
            os.close(self._file)

    def _write(self, trace: Trace) -> None:
        os.pwrite(self._file, msgspec.json.encode(trace).ljust(_WIDTH), 0)


_held: weakref.WeakSet[Lock] = weakref.WeakSet()


def _drop_in_child() -> None:
    """A forked child must not hold the lock after its parent was killed."""
    for lock in list(_held):
        lock.abandon()


os.register_at_fork(after_in_child=_drop_in_child)


def holder(directory: Path) -> int | None:
    """Process that is crawling in the directory now, if one is."""
    try:
        file = os.open(directory / FILE, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        trace = _read(file)
        return trace.pid if trace else 0
    finally:
        os.close(file)
    return None


def last_trace(directory: Path) -> Trace | None:
    """The line as it is now."""
    try:
        file = os.open(directory / FILE, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return _read(file)
    finally:
        os.close(file)


@cache
def boot_id() -> str:
    """Identifies this run of the operating system; empty where there is no such name."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _read(file: int) -> Trace | None:
    try:
        return msgspec.json.decode(os.pread(file, _WIDTH, 0), type=Trace)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
