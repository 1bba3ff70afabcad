"""`lagotto ask`: questions about pages, answered with one key each."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from lagotto import calls
from lagotto.calls import Changed, Question
from lagotto.cli import counted, printable
from lagotto.errors import InputError
from lagotto.records import FetchedRow

KEYS = "y on topic, n off topic, s skip, u undo, q end"
SHOWN = 400
"""Characters of a page's text that are shown."""
MOST_SHOWN = 10
"""Pages with a changed verdict that are shown."""


@click.command()
@click.argument("directory")
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
