"""`lagotto search`."""

from __future__ import annotations

import click
import msgspec

from lagotto.cli import printable
from lagotto.searching import Hit, Search, SearchResults
from lagotto.searching.search import NEAR_DUPLICATES, RELEVANCE_WEIGHT


@click.command()
@click.argument("directory")
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@click.option("--rebuild", is_flag=True, help="Make the index anew.")
def search(
    directory: str,
    words: tuple[str, ...],
    n: int,
    offset: int,
    like: str,
    relevance_weight: float,
    near_duplicates: str,
    as_json: bool,
    rebuild: bool,
) -> None:
    """Search the pages of the crawl in DIRECTORY for WORDS.

    A page must have all of them. Phrases stand in quotes; OR joins alternatives, - excludes. Filters are
    host:, language:, subtopic:, relevant:, after: and before:, as in: '"heat pump" -gas host:example.org'.
    """
    if not words and not like:
        raise click.UsageError("There is nothing to look for; write words, or give --like URL.")
    with Search(directory, rebuild=rebuild, progress=_say_progress) as crawl:
        found = crawl.search(
            " ".join(words),
            n=n,
            offset=offset,
            like=like,
            relevance_weight=relevance_weight,
            near_duplicates=near_duplicates,
        )
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
