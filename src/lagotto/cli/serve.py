"""`lagotto serve`."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

import click

from lagotto.base.errors import InputError
from lagotto.cli.options import with_options

_GRACE = 10.0


class ServerBeside:
    """`lagotto serve` in a process of its own: neither ends with the other when one is killed."""

    def __init__(self, location: str) -> None:
        environment = {**os.environ}
        environment.setdefault("LAGOTTO_TOKEN", secrets.token_urlsafe(24))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lagotto", "serve", location, "--port", "0"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for the crawl.
        )
        assert self._process.stdout is not None
        self.opening = self._process.stdout.readline().strip()
        """What it said first: where to open it; empty if it could not be started."""

    @property
    def said(self) -> str:
        """Where to open it, or that it could not be started."""
        return self.opening or "no server could be started; see `lagotto serve`"

    def stay(self) -> None:
        """Wait until Ctrl-C, and end it."""
        click.echo(f"the crawl has ended and can still be looked at until Ctrl-C: {self.opening}", err=True)
        before = signal.signal(signal.SIGTERM, _interrupt)
        with suppress(KeyboardInterrupt):
            self._process.wait()
        signal.signal(signal.SIGTERM, before)
        self.end()

    def end(self) -> None:
        """End it, if it still runs."""
        self._process.terminate()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


LISTENING = [
    click.option(
        "--port", type=click.IntRange(0, 65535), default=8470, show_default=True, help="0: any free one."
    ),
    click.option(
        "--token",
        envvar="LAGOTTO_TOKEN",
        default="",
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
def serve(locations: tuple[str, ...], allow_private: tuple[str, ...], proxy: str, **listening: Any) -> None:
    """Show crawls in the browser, and to programs.

    DIR is a crawl, or a folder of crawls in which further ones can be begun (default: this folder).
    """
    try:
        from lagotto.serve.permissions import Permissions
        from lagotto.serve.web.app import serve as serve_crawls
    except ImportError as error:
        raise _missing("serve", error, "litestar uvicorn") from None

    def ready(address: str, used: str) -> None:
        click.echo(f"open {address}#token={used}")
        click.echo("Ctrl-C ends the server; crawls go on", err=True)

    serve_crawls(locations or (".",), permissions=Permissions(allow_private, proxy), ready=ready, **listening)


@click.command()
@click.argument("locations", nargs=-1, metavar="[DIR]...")
@click.option("--http", is_flag=True, help="Speak over HTTP instead of standard input and output.")
@with_options(*LISTENING, *PERMISSIONS)
def mcp(
    locations: tuple[str, ...], http: bool, allow_private: tuple[str, ...], proxy: str, **listening: Any
) -> None:
    """Offer crawls to agents by the Model Context Protocol.

    DIR is a crawl, or a folder of crawls in which further ones can be begun (default: this folder).
    """
    try:
        from lagotto.serve.mcp.serving import serve_http, serve_stdio
        from lagotto.serve.permissions import Permissions
    except ImportError as error:
        raise _missing("mcp", error, "mcp") from None
    permissions = Permissions(allow_private, proxy)
    if not http:
        serve_stdio(locations or (".",), permissions)
        return

    def ready(address: str, used: str) -> None:
        click.echo(f"{address}  Authorization: Bearer {used}")

    serve_http(locations or (".",), permissions=permissions, ready=ready, **listening)


def _missing(command: str, error: ImportError, packages: str) -> InputError:
    return InputError(f"`lagotto {command}` needs {error.name}; install it with `pip install {packages}`")
