"""`lagotto mcp`."""

from __future__ import annotations

import click

from lagotto.cli.options import with_options
from lagotto.cli.serve import LISTENING, PERMISSIONS
from lagotto.errors import InputError


@click.command()
@click.argument("locations", nargs=-1, metavar="[DIR]...")
@click.option("--http", is_flag=True, help="Speak over HTTP instead of standard input and output.")
@with_options(*LISTENING, *PERMISSIONS)
def mcp(
    locations: tuple[str, ...],
    http: bool,
    port: int,
    token: str | None,
    host: str,
    names: tuple[str, ...],
    allow_private: tuple[str, ...],
    proxy: str,
) -> None:
    """Offer crawls to agents by the Model Context Protocol.

    DIR is a crawl, or a folder of crawls in which further ones can be begun (default: this folder).
    """
    try:
        from lagotto.hosting.permissions import Permissions
        from lagotto.mcp.serving import serve_http, serve_stdio
    except ImportError as error:
        raise InputError(f"`lagotto mcp` needs {error.name}; install it with `pip install mcp`") from None
    permissions = Permissions(allow_private, proxy)
    if not http:
        serve_stdio(locations or (".",), permissions)
        return

    def ready(address: str, used: str) -> None:
        click.echo(f"{address}  Authorization: Bearer {used}")

    serve_http(
        locations or (".",),
        host=host,
        port=port,
        token=token or "",
        names=names,
        permissions=permissions,
        ready=ready,
    )
