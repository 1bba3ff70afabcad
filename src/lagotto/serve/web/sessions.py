"""The files of the dashboard: those below one folder, of known types, and no others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import xxhash
from litestar import Request, delete, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody
from litestar.response import Response
from msgspec import Struct

from lagotto.serve.access import Access, Answer, cookie_name, session_in


class Login(Struct):
    """The token, as the address in the terminal carries it behind `#token=`."""

    token: str


@post("/session", status_code=204, security=[{}], sync_to_thread=False)
def log_in(
    request: Request[Any, Any, Any], data: JSONBody[Login], access: NamedDependency[Access]
) -> Response[None]:
    """Exchange the token for a cookie."""
    if not access.is_token(data.token):
        raise NotAuthorizedException("the token is wrong; the terminal in which the server runs shows it")
    cookie = Cookie(
        key=cookie_name(request.headers.get("host", "")),
        value=access.begin(),
        path="/api",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return Response(None, status_code=204, cookies=[cookie])


@delete("/session", security=[{}], sync_to_thread=False)
def log_out(request: Request[Any, Any, Any], access: NamedDependency[Access]) -> None:
    """End the session of this browser."""
    access.end(session_in(request.headers.get("cookie", ""), request.headers.get("host", "")))


FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
}
_plain = re.compile(r"/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*").fullmatch


class StaticFiles:
    """Answers for the files of a folder; there is no listing, and nothing outside can be reached."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()

    def answer(self, method: str, path: str, known: str = "") -> Answer | None:
        """The file at a path; None if it is no file of the folder. `known` is what the browser has of it."""
        wanted = "/index.html" if path == "/" else path
        if method not in ("GET", "HEAD") or not _plain(wanted) or wanted.startswith("/api/"):
            return None
        file = (self._folder / wanted[1:]).resolve()
        if file.suffix not in TYPES or not file.is_relative_to(self._folder) or not file.is_file():
            return None
        body = file.read_bytes()
        tag = f'"{xxhash.xxh3_64_hexdigest(body)}"'
        headers = {"content-type": TYPES[file.suffix], "etag": tag, "cache-control": "no-cache"}
        if known == tag:
            return Answer(304, headers, b"")
        return Answer(200, headers, b"" if method == "HEAD" else body)
