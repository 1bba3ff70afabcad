"""`lagotto serve` from Python."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.serve.folder import CrawlFolder
from lagotto.serve.listening import Ready, run
from lagotto.serve.permissions import Permissions
from lagotto.serve.web.app import make_app


def serve(
    locations: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    names: Sequence[str] = (),
    permissions: Permissions | None = None,
    ready: Ready = lambda address, token: None,
) -> None:
    """Serve crawls until the process is interrupted; `ready` is given the address and the token.

    `locations` are crawls, or a folder of crawls. `port` 0 takes a free one. Without a token one is made up;
    beyond loopback it must be given.
    """
    folder = CrawlFolder(locations)
    run(
        lambda access: make_app(folder, access, permissions),
        host=host,
        port=port,
        token=token,
        names=names,
        ready=ready,
    )
