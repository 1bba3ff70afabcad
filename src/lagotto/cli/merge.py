"""`lagotto merge`."""

from __future__ import annotations

import click

from lagotto import calls
from lagotto.cli import printable


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", metavar="PATH", required=True, help="Directory of the new crawl.")
def merge(first: str, second: str, output: str) -> None:
    """Make one crawl of the crawls in FIRST and SECOND, and judge its pages again.

    Topic, strategy and options are those of FIRST. Where both have a URL, the newer page is taken.
    """
    merged = calls.merge(first, second, output)
    found = f"{merged.pages} URLs concluded ({merged.both} of them in both), {merged.queued} queued"
    click.echo(
        printable(f"{merged.directory}: {found}, {merged.marks} marks; go on with `lagotto resume {output}`")
    )
