"""Commands to a crawl: sent by any process as lines of a file, taken up by the process that crawls.

A command's number is the number of its line. A line that a killed process has left unfinished is ended by
the next sender; it counts as a command that cannot be read.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from lagotto.base.batch import Command, Taken
from lagotto.base.events import CommandTaken
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.durable import sync, sync_path
from lagotto.store.sql.events import Events

FILE = "commands.jsonl"
_INSERT = "INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)"


class _Line(Struct):
    who: str
    at: float
    command: msgspec.Raw


_decode = msgspec.json.Decoder(_Line).decode


class Mailbox(Protocol):
    """Where commands are sent to."""

    def send(self, command: Command) -> int:
        """Add a command; returns its number."""
        ...

    def after(self, n: int) -> list[Command]:
        """Commands with a number above n, in order."""
        ...


class CommandFile:
    """Commands as lines of JSON in the crawl directory."""

    def __init__(self, directory: Path, name: str = FILE) -> None:
        self.path = directory / name
        self._n = 0
        """Number of the last command read."""
        self._offset = 0
        """Where its line ends."""

    def send(self, command: Command) -> int:
        """Append a command; when this returns it is on disk."""
        line = msgspec.json.encode(_Line(command.who, command.at, msgspec.Raw(command.content))) + b"\n"
        with disk_errors_explained(self.path), open(self.path, "ab+", opener=_no_link) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            there = file.read()
            if there and not there.endswith(b"\n"):
                line = b"\n" + line
            file.write(line)
            file.flush()
            sync(file.fileno())
            if not there:
                sync_path(self.path.parent)
            return there.count(b"\n") + line.count(b"\n")

    def after(self, n: int) -> list[Command]:
        """Whole lines after the n-th; one that is no command has no content."""
        if n != self._n:
            self._n = self._offset = 0
        try:
            if os.stat(self.path).st_size <= self._offset:
                return []
        except FileNotFoundError:
            return []
        found = []
        with disk_errors_explained(self.path), self.path.open("rb") as file:
            file.seek(self._offset)
            while (line := file.readline()).endswith(b"\n"):
                self._n += 1
                self._offset += len(line)
                found.append(_read(line, self._n))
        return [command for command in found if command.n > n]


def _no_link(path: str, flags: int) -> int:
    """Open a file that is no symbolic link, which may lead anywhere."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


class CommandList:
    """Commands of a crawl in memory."""

    def __init__(self) -> None:
        self._commands: list[Command] = []

    def send(self, command: Command) -> int:
        """Append a command."""
        number = len(self._commands) + 1
        self._commands.append(msgspec.structs.replace(command, n=number))
        return number

    def after(self, n: int) -> list[Command]:
        """Commands after the n-th."""
        return self._commands[n:]


def _read(line: bytes, n: int) -> Command:
    try:
        read = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Command(b"", n=n)
    return Command(bytes(read.command), read.who, read.at, n)


class Commands:
    """Commands that wait, and the record of those taken; calls that write belong in a transaction."""

    def __init__(self, db: sqlite3.Connection, mailbox: Mailbox, events: Events) -> None:
        self._db = db
        self._mailbox = mailbox
        self._events = events
        self._last = 0
        """Number of the last command read."""
        self._waiting: dict[int, Command] = {}

    def load(self) -> None:
        """Begin with the first command, at the start and after a transaction was rolled back."""
        self._last = 0
        self._waiting = {}

    def waiting(self) -> list[Command]:
        """Commands that were not taken yet, in order."""
        if not self._last and (found := self._mailbox.after(0)):
            taken = {n for (n,) in self._db.execute("SELECT n FROM commands")}
            self._waiting = {command.n: command for command in found if command.n not in taken}
            self._last = found[-1].n
        for command in self._mailbox.after(self._last):
            self._waiting[command.n] = command
            self._last = command.n
        return list(self._waiting.values())

    def take(self, taken: Iterable[Taken]) -> None:
        """Record what came of commands; one that is taken already, or that was never sent, is an error."""
        for each in taken:
            self.waiting()
            command = self._waiting.pop(each.n, None)
            if command is None:
                raise ValueError(f"command {each.n} does not wait to be taken")
            row = (each.n, command.content, command.who, command.at, time.time(), each.outcome, each.applied)
            self._db.execute(_INSERT, row)
            content = command.content.decode("utf-8", "replace")
            self._events.add(CommandTaken(each.n, content, command.who, each.outcome, each.applied))
