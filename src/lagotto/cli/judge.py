"""`lagotto judge`."""

from __future__ import annotations

import click

from lagotto import calls
from lagotto.cli import printable


@click.command()
@click.argument("directory")
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
