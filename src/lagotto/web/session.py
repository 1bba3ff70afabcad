"""Logging a browser in: the token is exchanged for a cookie that scripts cannot read."""

from __future__ import annotations

from typing import Any

from litestar import Request, delete, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody
from litestar.response import Response
from msgspec import Struct

from lagotto.hosting.access import Access, cookie_name, session_in


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
