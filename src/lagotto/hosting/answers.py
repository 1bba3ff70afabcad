"""Whole answers, sent without a framework, and the types of ASGI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

import msgspec

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class Answer(NamedTuple):
    """A whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    async def send(self, send: Send) -> None:
        """Send it."""
        headers = {**self.headers, "content-length": str(len(self.body))}
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": pairs})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def refusal(status: int, sentence: str) -> Answer:
    """An answer that says why there is no other."""
    headers = {"content-type": "application/json"}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    return Answer(status, headers, msgspec.json.encode({"detail": sentence}))
