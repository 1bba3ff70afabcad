"""Questions to the user of the terminal while a crawl runs."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import threading
import tty
from contextlib import suppress

import click

from lagotto.cli import printable
from lagotto.cli.ask import KEYS, meant_by, question_lines, read_key
from lagotto.records import FetchedRow
from lagotto.teaching.during import Said


class Asking:
    """Asks one question at a time; other lines wait until it is answered."""

    def __init__(self) -> None:
        self.open = False
        """Whether a question waits for its answer."""
        self._held: list[str] = []

    def echo(self, line: str) -> None:
        """Show a line, after the question that waits, if one does."""
        if self.open:
            self._held.append(line)
        else:
            click.echo(line)

    async def answer(self, page: FetchedRow, text: str) -> bool | Said | None:
        """Ask whether a page is on topic."""
        click.echo("\nis this page on topic?")
        for line in question_lines(page, text):
            click.echo(printable(line))
        click.echo(f"[{KEYS}] ", nl=False)
        self.open, key = True, ""
        try:
            while not (key := meant_by(await next_key())):
                pass
        finally:
            self.open = False
            click.echo(key)
            held, self._held = self._held, []
            for line in held:
                click.echo(line)
        said: dict[str, bool | Said] = {"y": True, "n": False, "u": Said.UNDO, "q": Said.END}
        return said.get(key)


async def next_key() -> str:
    """The next key, without blocking the crawl; waiting for it can be cancelled."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[str] = loop.create_future()

    def take(key: str) -> None:
        if not came.done():
            came.set_result(key)

    if sys.stdin.isatty():
        return await _from_terminal(loop, came)

    def wait() -> None:
        key = read_key()
        with suppress(RuntimeError):  # The loop may be closed by now.
            loop.call_soon_threadsafe(take, key)

    # A daemon: a crawl that ends does not wait for a line that nobody writes.
    threading.Thread(target=wait, daemon=True).start()
    return await came


async def _from_terminal(loop: asyncio.AbstractEventLoop, came: asyncio.Future[str]) -> str:
    """One key, with lines and Ctrl-C as usual meanwhile."""
    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)

    def read() -> None:
        if not came.done():
            came.set_result(os.read(terminal, 1).decode("ascii", "replace") or "q")

    tty.setcbreak(terminal, termios.TCSADRAIN)
    loop.add_reader(terminal, read)
    try:
        return await came
    finally:
        loop.remove_reader(terminal)
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)
