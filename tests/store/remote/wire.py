"""Messages between client and server: a length, then a pickle."""

from __future__ import annotations

import asyncio
import pickle
import socket
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

_LENGTH = 4


@dataclass
class Request:
    """A call of a method of the crawl `name`; `session` names the store or reader that it is about."""

    name: str
    session: str
    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    id: str = field(default_factory=lambda: uuid4().hex)
    """Stays the same when the request is sent again."""


@dataclass
class Reply:
    """What the method returned or raised."""

    value: Any = None
    error: Exception | None = None


def pack(message: Request | Reply) -> bytes:
    content = pickle.dumps(message)
    return len(content).to_bytes(_LENGTH, "big") + content


async def receive(reader: asyncio.StreamReader) -> Any:
    """The next message; `IncompleteReadError` at the end of the connection."""
    length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
    return pickle.loads(await reader.readexactly(length))


def receive_blocking(connection: socket.socket) -> Any:
    """The next message; `EOFError` at the end of the connection."""
    with connection.makefile("rb") as stream:
        head = stream.read(_LENGTH)
        if len(head) < _LENGTH:
            raise EOFError
        return pickle.loads(stream.read(int.from_bytes(head, "big")))
