"""The server beside a crawl that was started with `--serve`."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

import click

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
