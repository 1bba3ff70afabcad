"""`lagotto ask`: questions about pages, answered with one key each."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import threading
import tty
from collections.abc import Callable
from contextlib import suppress

import click

from lagotto import api as calls
from lagotto.api import Changed, Question
from lagotto.base.errors import InputError
from lagotto.base.records import FetchedRow
from lagotto.cli import counted, printable
from lagotto.cli.options import DIRECTORY
from lagotto.cli.steer import say
from lagotto.focus.teaching.during import Said

KEYS = "y on topic, n off topic, s skip, u undo, q end"
SHOWN = 400
"""Characters of a page's text that are shown."""
MOST_SHOWN = 10
"""Pages with a changed verdict that are shown."""


@click.command()
@DIRECTORY
@click.option("-n", "--number", type=int, default=20, show_default=True, help="Questions at most.")
@click.option("--random-seed", type=int, default=0, help="Which pages are drawn.")
def ask(directory: str, number: int, random_seed: int) -> None:
    """Ask about the pages of the crawl in DIRECTORY that teach most: y on topic, n off topic, s skip, u undo.

    The answers are marks: they count more than any model, and they change the verdicts on other pages.
    """
    if number < 1:
        raise InputError("-n must be at least 1")
    found = calls.questions(directory, number, random_seed=random_seed)
    if not found:
        click.echo("there is no page to ask about: none was judged, or all are marked")
        return
    answers = ask_all(found, read_key)
    if not answers:
        click.echo("no page was marked")
        return
    for line in change_lines(calls.answer(directory, answers), len(answers)):
        click.echo(printable(line))


def ask_all(found: list[Question], read: Callable[[], str]) -> dict[str, bool]:
    """Go through questions one by one; returns URL -> whether the page is on topic."""
    answers: dict[str, bool | None] = {}
    at = 0
    while at < len(found):
        page = found[at].page
        click.echo(f"\n{at + 1} of {len(found)}")
        for line in question_lines(page, found[at].text):
            click.echo(printable(line))
        key = _key(read)
        if key == "q":
            break
        if key == "u":
            at = max(0, at - 1)
            answers.pop(found[at].page.url, None)
            continue
        answers[page.url] = {"y": True, "n": False}.get(key)
        at += 1
    return {url: on for url, on in answers.items() if on is not None}


def question_lines(page: FetchedRow, text: str) -> list[str]:
    """What a person needs to see of a page."""
    relevance = "" if page.relevance is None else f"relevance {page.relevance:.2f} by the model"
    return [page.title or "(no title)", page.url, relevance, " ".join(text.split())[:SHOWN]]


def change_lines(changed: Changed, marks: int) -> list[str]:
    """What the answers changed."""
    relevant = f"{changed.relevant_before} relevant before, {changed.relevant_now} now"
    lines = [f"{counted(marks, 'page')} marked; {relevant}"]
    if changed.running:
        return [*lines, "the crawl runs: it learns from the marks and judges its pages again by itself"]
    lines.append(f"{counted(len(changed.flipped), 'other page')} with a new verdict")
    shown = list(changed.flipped.items())[:MOST_SHOWN]
    return [*lines, *(f"  now {'on ' if on else 'off'} topic  {url}" for url, on in shown)]


def read_key() -> str:
    """One key from the terminal, or the first letter of a line from elsewhere; q at the end of input."""
    if sys.stdin.isatty():
        return click.getchar()
    line = sys.stdin.readline()
    return line[:1] if line else "q"


def _key(read: Callable[[], str]) -> str:
    """A key that means something; others are asked for again."""
    click.echo(f"[{KEYS}] ", nl=False)
    while not (key := meant_by(read())):
        pass
    click.echo(key)
    return key


def meant_by(typed: str) -> str:
    """One of the keys that mean something; Ctrl-C, Ctrl-D and the end of input end the questions."""
    key = typed.lower()
    if key in ("\x03", "\x04"):
        return "q"
    return key if key and key in "ynsuq" else ""


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


_MARKS: dict[str, bool | None] = {"on": True, "off": False, "unmark": None}


@click.command()
@DIRECTORY
@click.argument("url")
@click.option("--on", "mark", flag_value="on", help="The page is on topic.")
@click.option("--off", "mark", flag_value="off", help="The page is off topic.")
@click.option("--unmark", "mark", flag_value="unmark", help="Take the mark back.")
def feedback(directory: str, url: str, mark: str | None) -> None:
    """Mark the page at URL as on or off topic; the crawl in DIRECTORY learns from it, if it can.

    The mark counts more than any model, and a later one on the same page replaces it. Only scent learns from
    marks, and only where texts are kept; otherwise the answer says that nothing is learned.
    """
    if mark is None:
        raise click.UsageError("say whether the page is on topic: give --on, --off or --unmark")
    say([calls.feedback(directory, url, on=_MARKS[mark])])


@click.command()
@DIRECTORY
@click.option("--encoder", default="", metavar="PATH", help="Folder of a sentence encoder, auto or none.")
def judge(directory: str, encoder: str) -> None:
    """Judge all pages of the crawl in DIRECTORY again by what is known now.

    A crawl does so by itself when it ends. Marks that users gave count more than any model.
    """
    judging = calls.judge(directory, encoder=encoder)
    if judging is None:
        click.echo("nothing was judged again: the strategy judges no page twice, or no texts were kept")
    else:
        click.echo(printable(judging.sentence()))
