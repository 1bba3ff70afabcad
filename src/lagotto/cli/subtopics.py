"""`lagotto subtopics`."""

from __future__ import annotations

import sys

import click
import msgspec

from lagotto.cli import printable
from lagotto.grouping import Subtopic, Subtopics
from lagotto.grouping import subtopics as sort_into_subtopics

BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
SHOWN = 10
"""Parts of the crawl for which a bar is drawn."""


@click.command()
@click.argument("directory")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@click.option("--number", type=int, metavar="N", help="How many groups (default: as there seem to be).")
@click.option("--rebuild", is_flag=True, help="Make the groups anew; those that go on keep number and name.")
def subtopics(directory: str, as_json: bool, number: int | None, rebuild: bool) -> None:
    """Sort the pages on topic of the crawl in DIRECTORY into groups with names.

    Pages that are new since the last time join the groups that there are.
    """
    found = sort_into_subtopics(directory, number=number, rebuild=rebuild, progress=_say_progress)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    for line in _lines(found):
        click.echo(printable(line))


def _lines(found: Subtopics) -> list[str]:
    if not found.subtopics:
        return [f"{found.pages} pages on topic are too few for subtopics"]
    width = max(len(each.name) for each in found.subtopics)
    lines = [f"{found.pages} pages on topic in {len(found.subtopics)} subtopics"]
    for each in found.subtopics:
        lines.append(f"{each.id:>3}  {each.name:<{width}}  {each.pages:>6}  {bars(each)}  {_more(each)}")
        lines += [f"     {page.title or '(no title)'}  {page.url}" for page in each.typical[:1]]
    if found.unsorted:
        lines.append(f"{found.unsorted} pages have no text to sort them by")
    return lines


def _more(each: Subtopic) -> str:
    return ", ".join(each.keywords[:4])


def bars(each: Subtopic) -> str:
    """Pages that each tenth of the crawl brought, as a row of bars."""
    step = len(each.growth) // SHOWN
    sums = [sum(each.growth[at : at + step]) for at in range(0, len(each.growth), step)]
    highest = max([*sums, 1])
    return "".join(BARS[-(-count * (len(BARS) - 1) // highest)] for count in sums)


def _say_progress(done: int, total: int) -> None:
    """Say on a terminal how many pages were sorted."""
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total} pages", nl=done == total, err=True)
