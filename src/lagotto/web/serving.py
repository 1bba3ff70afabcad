"""Running the server: which address, which token, until Ctrl-C."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence

import uvicorn

from lagotto.errors import InputError
from lagotto.web.access import Access
from lagotto.web.app import make_app
from lagotto.web.folder import CrawlFolder
from lagotto.web.permissions import Permissions

MOST_CONNECTIONS = 500
_LINGER = 3
"""Seconds that open connections have to end when the server stops."""


def serve(
    locations: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    names: Sequence[str] = (),
    permissions: Permissions | None = None,
    ready: Callable[[str, str], None] = lambda address, token: None,
) -> None:
    """Serve crawls until the process is interrupted; `ready` is given the address and the token.

    `port` 0 takes a free one. Without a token one is made up; beyond loopback it must be given.
    """
    if not is_loopback(host) and not token:
        raise InputError(
            f"{host} can be reached from other machines; choose a token, with --token or LAGOTTO_TOKEN"
        )
    used = token or secrets.token_urlsafe(24)
    folder = CrawlFolder(locations)
    listening = listen(host, port)
    access = Access(used, [*names, *([] if _is_address(host) else [host])])
    app = make_app(folder, access, permissions)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=_LINGER,
        lifespan="on",
    )
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{listening.getsockname()[1]}/", used)
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        raise InputError(f"cannot listen at {host} port {port}: {error.strerror or error}") from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
