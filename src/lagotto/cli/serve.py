"""`lagotto serve`."""

from __future__ import annotations

import click

from lagotto.cli.options import with_options
from lagotto.errors import InputError

LISTENING = [
    click.option(
        "--port", type=click.IntRange(0, 65535), default=8470, show_default=True, help="0: any free one."
    ),
    click.option(
        "--token",
        envvar="LAGOTTO_TOKEN",
        help="What programs and browsers must know (default: a random one); better in LAGOTTO_TOKEN, which "
        "no other user can see.",
    ),
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at."),
    click.option(
        "--name", "names", multiple=True, metavar="HOST", help="Host name by which the server is reached."
    ),
]
PERMISSIONS = [
    click.option(
        "--allow-private",
        multiple=True,
        metavar="CIDR",
        help="Private range that crawls started here may use.",
    ),
    click.option("--proxy", default="", metavar="URL", help="HTTP proxy of crawls started here."),
]


@click.command()
@click.argument("locations", nargs=-1, metavar="[DIR]...")
@with_options(*LISTENING, *PERMISSIONS)
def serve(
    locations: tuple[str, ...],
    port: int,
    token: str | None,
    host: str,
    names: tuple[str, ...],
    allow_private: tuple[str, ...],
    proxy: str,
) -> None:
    """Show crawls in the browser, and to programs.

    DIR is a crawl, or a folder of crawls in which further ones can be begun (default: this folder).
    """
    try:
        from lagotto.hosting.permissions import Permissions
        from lagotto.web.serving import serve as serve_crawls
    except ImportError as error:
        raise InputError(
            f"`lagotto serve` needs {error.name}; install it with `pip install litestar uvicorn`"
        ) from None

    def ready(address: str, used: str) -> None:
        click.echo(f"open {address}#token={used}")
        click.echo("Ctrl-C ends the server; crawls go on", err=True)

    serve_crawls(
        locations or (".",),
        host=host,
        port=port,
        token=token or "",
        names=names,
        permissions=Permissions(allow_private, proxy),
        ready=ready,
    )
