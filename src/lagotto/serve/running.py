"""Addresses to listen at, the token that is needed there, and running a server until Ctrl-C."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence

from lagotto.base.errors import InputError
from lagotto.serve.access import Access, AsgiApp

MOST_CONNECTIONS = 500
_LINGER = 3
"""Seconds that open connections have to end when the server stops."""

Ready = Callable[[str, str], None]
"""Is given the address and the token when the server listens."""


def run(
    make_app: Callable[[Access], AsgiApp],
    *,
    host: str,
    port: int,
    token: str,
    names: Sequence[str] = (),
    ready: Ready = lambda address, token: None,
) -> None:
    """Serve until the process is interrupted; `port` 0 takes a free one.

    Without a token one is made up; beyond loopback it must be given. `names` are host names of the server.
    """
    import uvicorn

    from lagotto.serve.connections import TimedConnection

    if not is_loopback(host) and not token:
        raise InputError(
            f"{host} can be reached from other machines; choose a token, with --token or LAGOTTO_TOKEN"
        )
    used = token or secrets.token_urlsafe(24)
    app = make_app(Access(used, [*names, *([] if _is_address(host) else [host])]))
    with listen(host, port) as listening:
        config = uvicorn.Config(
            app,
            http=TimedConnection,
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
