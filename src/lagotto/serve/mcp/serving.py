"""Serving agents over standard input and output, or over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mcp.server.transport_security import TransportSecuritySettings

from lagotto.serve.access import Access, AsgiApp, Gate
from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.mcp.tools import Tools
from lagotto.serve.permissions import Permissions
from lagotto.serve.running import Ready, run

PATH = "/mcp"


def serve_stdio(locations: Sequence[str], permissions: Permissions | None = None) -> None:
    """Serve the agent that has started this process, until it closes its end."""
    tools = Tools(CrawlFolder(locations), permissions)
    try:
        tools.server().run("stdio")
    finally:
        tools.jobs.close()


def serve_http(
    locations: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    names: Sequence[str] = (),
    permissions: Permissions | None = None,
    ready: Ready = lambda address, token: None,
) -> None:
    """Serve agents over streamable HTTP at `/mcp`; they send the token as `Authorization: Bearer`."""
    tools = Tools(CrawlFolder(locations), permissions)
    try:
        run(
            lambda access: http_app(tools, access),
            host=host,
            port=port,
            token=token,
            names=names,
            ready=lambda address, used: ready(f"{address.rstrip('/')}{PATH}", used),
        )
    finally:
        tools.jobs.close()


def http_app(tools: Tools, access: Access) -> AsgiApp:
    """The tools as an application behind the gate, which checks Host and Origin itself."""
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = tools.server().streamable_http_app(streamable_http_path=PATH, transport_security=unchecked)
    return Gate(cast(AsgiApp, app), access)
