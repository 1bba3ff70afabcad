"""Serves the metrics of a running crawl on loopback."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lagotto.errors import InputError
from lagotto.monitoring.metrics import CONTENT_TYPE

if TYPE_CHECKING:
    from aiohttp import web

ADDRESS = "127.0.0.1"
PATH = "/metrics"
_NAMES = frozenset({"127.0.0.1", "localhost"})
"""Hosts that a request may name: a page on the web must not read the figures through a name of its own."""


class MetricsServer:
    """Answers `GET /metrics`."""

    def __init__(self, port: int, text: Callable[[], str]) -> None:
        self.port = port
        self._text = text
        self._runner: web.ServerRunner | None = None

    async def start(self) -> None:
        """Begin to listen; 0 takes any free port, which is `port` afterwards."""
        from aiohttp import web  # Costs as much as a small crawl's start.

        self._runner = web.ServerRunner(web.Server(self._answer))
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, ADDRESS, self.port).start()
        except OSError as error:
            await self.close()
            raise InputError(
                f"metrics cannot be served on port {self.port} ({error.strerror}); choose another --metrics"
            ) from error
        self.port = self._runner.addresses[0][1]

    @property
    def url(self) -> str:
        """Where the metrics are."""
        return f"http://{ADDRESS}:{self.port}{PATH}"

    async def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        from aiohttp import web

        if request.url.host not in _NAMES:
            return web.Response(status=403, text="ask for this page by the name localhost\n")
        if request.path != PATH or request.method not in ("GET", "HEAD"):
            return web.Response(status=404, text=f"metrics are at {PATH}\n")
        return web.Response(body=self._text().encode(), headers={"Content-Type": CONTENT_TYPE})
