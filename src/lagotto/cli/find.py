"""`lagotto search`."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

from lagotto.cli import printable
from lagotto.cli.options import DIRECTORY, JSON
from lagotto.harvest.search import Hit, Search, SearchResults
from lagotto.harvest.search.search import NEAR_DUPLICATES, RELEVANCE_WEIGHT
from lagotto.harvest.subtopics import Subtopic, Subtopics
from lagotto.harvest.subtopics import subtopics as sort_into_subtopics


@click.command()
@DIRECTORY
@click.argument("words", nargs=-1)
@click.option("-n", "n", type=int, default=10, show_default=True, help="How many pages to show.")
@click.option("--offset", type=int, default=0, show_default=True, help="How many to skip before them.")
@click.option("--like", default="", metavar="URL", help="Pages that are like this page of the crawl.")
@click.option(
    "--relevance-weight",
    type=float,
    default=RELEVANCE_WEIGHT,
    show_default=True,
    metavar="X",
    help="How much a page's relevance to the crawl's topic counts, from 0 to 1.",
)
@click.option(
    "--near-duplicates",
    default="fold",
    show_default=True,
    help=f"What to do with pages whose text another page has: {' or '.join(NEAR_DUPLICATES)}.",
)
@JSON
@click.option("--rebuild", is_flag=True, help="Make the index anew.")
def search(
    directory: str, words: tuple[str, ...], offset: int, as_json: bool, rebuild: bool, **options: Any
) -> None:
    """Search the pages of the crawl in DIRECTORY for WORDS.

    A page must have all of them. Phrases stand in quotes; OR joins alternatives, - excludes. Filters are
    host:, language:, subtopic:, relevant:, after: and before:, as in: '"heat pump" -gas host:example.org'.
    """
    if not words and not options["like"]:
        raise click.UsageError("There is nothing to look for; write words, or give --like URL.")
    with Search(directory, rebuild=rebuild, progress=_say_progress) as crawl:
        found = crawl.search(" ".join(words), offset=offset, **options)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    for note in found.notes:
        click.echo(printable(note), err=True)
    if found.hits and not found.every_word:
        click.echo("no page has all the words; these have some of them", err=True)
    for number, hit in enumerate(found.hits, offset + 1):
        _show(number, hit)
    click.echo(_summary(found))


def _say_progress(pages: int) -> None:
    click.echo(f"{pages:,} pages in the index", err=True)


def _show(number: int, hit: Hit) -> None:
    title = click.style(printable(hit.title or hit.url), bold=True)
    facts = ["" if hit.relevance is None else f"relevance {hit.relevance:.2f}", hit.fetched_at[:10]]
    if hit.near_duplicates:
        facts.append(f"{hit.near_duplicates} near-duplicate{'s' if hit.near_duplicates > 1 else ''}")
    facts += ["gone since"] if hit.gone else []
    click.echo(f"{number:>3}. {title}")
    click.echo(f"     {printable(hit.url)}  ({', '.join(filter(None, facts))})")
    pieces = [
        click.style(printable(piece), bold=True) if found else printable(piece)
        for piece, found in hit.snippet.pieces()
    ]
    click.echo(f"     {''.join(pieces)}\n")


def _summary(found: SearchResults) -> str:
    if not found.total:
        return "no page found"
    if not found.hits:
        return f"{found.total:,} pages found; none after the first {found.offset:,}"
    last = found.offset + len(found.hits)
    more = f"; more with --offset {last}" if last < found.total else ""
    return f"{found.offset + 1} to {last} of {found.total:,} pages found{more}"


BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
SHOWN = 10
"""Parts of the crawl for which a bar is drawn."""


@click.command()
@DIRECTORY
@JSON
@click.option("--number", type=int, metavar="N", help="How many groups (default: as there seem to be).")
@click.option("--rebuild", is_flag=True, help="Make the groups anew; those that go on keep number and name.")
def subtopics(directory: str, as_json: bool, number: int | None, rebuild: bool) -> None:
    """Sort the pages on topic of the crawl in DIRECTORY into groups with names.

    Pages that are new since the last time join the groups that there are.
    """
    found = sort_into_subtopics(directory, number=number, rebuild=rebuild, progress=_subtopics_say_progress)
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


def _subtopics_say_progress(done: int, total: int) -> None:
    """Say on a terminal how many pages were sorted."""
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total} pages", nl=done == total, err=True)
