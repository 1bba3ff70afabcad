"""Who may ask: the token, sessions of browsers, and the checks of Host and Origin before any answer.

Pages of the web are hostile, and other programs on this machine are not trusted. A browser may be made to
send requests here by any page that it shows, and a name may be made to point to this machine. So every
request must name this server in `Host`, and come from its own page if a browser says where it comes from.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
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


MOST_SESSIONS = 100
"""Browsers that may be logged in at once; the one that came first is logged out."""
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
Files = Callable[[str, str, str], Answer | None]
"""Answers a method and a path, if there is a file that anybody may see; knows what the browser has of it."""


class Access:
    """The token, and the sessions that were begun with it."""

    def __init__(self, token: str, names: Iterable[str] = ()) -> None:
        """`names` are host names of this server besides `localhost` and plain addresses."""
        self._token = _hash(token)
        self._names = {"localhost", *(name.lower() for name in names)}
        self._sessions: OrderedDict[bytes, None] = OrderedDict()

    def is_token(self, given: str) -> bool:
        """Whether this is the token; takes equally long for every wrong one."""
        return hmac.compare_digest(_hash(given), self._token)

    def begin(self) -> str:
        """A new session; what is returned goes into a cookie."""
        key = secrets.token_urlsafe(32)
        self._sessions[_hash(key)] = None
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return key

    def end(self, key: str) -> None:
        """Log a browser out."""
        self._sessions.pop(_hash(key), None)

    def is_session(self, key: str) -> bool:
        """Whether a cookie names a session."""
        return _hash(key) in self._sessions

    def is_host(self, host: str) -> bool:
        """Whether a Host header may name this server: a plain address, or one of its names.

        Somebody else's name may be made to point here; an address cannot be.
        """
        name = host.rpartition(":")[0] if ":" in host.rpartition("]")[2] else host
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return name.lower() in self._names
        return True


class Gate:
    """Refuses what may not be answered, and gives every answer its headers.

    Files that hold nothing of any crawl need no token, nor does the path at which one logs in; all else does.
    """

    def __init__(
        self,
        app: AsgiApp,
        access: Access,
        *,
        files: Files = lambda method, path, known: None,
        login: str = "",
    ) -> None:
        self._app = app
        self._access = access
        self._files = files
        self._login = login

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in _HEADERS.items() if name not in present]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        if scope["type"] != "http":
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = self._foreign(headers)
        if answer is None:
            answer = self._files(scope["method"], scope["path"], headers.get("if-none-match", ""))
        if answer is None:
            answer = self._unknown(headers, scope["path"])
        if answer is None:
            await self._app(scope, receive, send_with_headers)
        else:
            await answer.send(send_with_headers)

    def _foreign(self, headers: Mapping[str, str]) -> Answer | None:
        """Refuse a request that is meant for another server, or sent by a page of another one."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._access.is_host(host):
            return refusal(403, "the Host header does not name this server; `serve --name` gives it a name")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return refusal(403, "requests of other origins are not answered")
        return None

    def _unknown(self, headers: Mapping[str, str], path: str) -> Answer | None:
        """Refuse a request without token or session."""
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return refusal(403, "requests of other sites are not answered")
        if path == self._login:
            return None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._access.is_token(given.strip()):
            return None
        if self._access.is_session(session_in(headers.get("cookie", ""), headers.get("host", ""))):
            return None
        return refusal(401, "a token is needed: send the header 'Authorization: Bearer TOKEN', or log in")


def cookie_name(host: str) -> str:
    """Name of the session's cookie; browsers send the cookies of one port to all others."""
    return f"lagotto-{host.rpartition(':')[2] if host.rpartition(':')[2].isdigit() else '80'}"


def session_in(cookies: str, host: str) -> str:
    """The session that a Cookie header names; empty if it names none."""
    try:
        found = SimpleCookie(cookies).get(cookie_name(host))
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
