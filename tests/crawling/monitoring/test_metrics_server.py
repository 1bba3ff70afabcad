"""The server of metrics."""

from __future__ import annotations

import aiohttp
import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.monitoring.metrics import CONTENT_TYPE, MetricsServer


async def get(port: int, path: str = "/metrics", **options: object) -> tuple[int, str, str]:
    url = f"http://127.0.0.1:{port}{path}"
    async with aiohttp.request("GET", url, **options) as response:  # type: ignore[arg-type]
        return response.status, response.headers["Content-Type"], await response.text()


async def test_metrics_are_made_when_they_are_asked_for() -> None:
    asked = iter(["one", "two"])
    server = MetricsServer(0, lambda: next(asked))
    await server.start()
    try:
        assert await get(server.port) == (200, CONTENT_TYPE, "one")
        assert (await get(server.port))[2] == "two"
        assert (await get(server.port, "/"))[0] == 404
        assert (await get(server.port, headers={"Host": "evil.example"}))[0] == 403
    finally:
        await server.close()


async def test_a_port_in_use_is_refused() -> None:
    first = MetricsServer(0, str)
    await first.start()
    with pytest.raises(InputError, match="choose another --metrics"):
        await MetricsServer(first.port, str).start()
    await first.close()
