"""`lagotto feedback`."""

from __future__ import annotations

from pathlib import Path

import click

from lagotto import calls


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("url")
@click.option("--on/--off", "on", required=True, default=None, help="Whether the page is on topic.")
def feedback(directory: Path, url: str, on: bool) -> None:
    """Say of the page at URL whether it is on topic; the crawl in DIRECTORY learns from it, if it can.

    Only scent does, and only where texts are kept; else a second line says that nothing is learned. The mark
    is kept in any case, and a later one on the same page replaces it.
    """
    in_vain = calls.feedback(directory, url, on=on)
    click.echo(f"{url} is marked as {'on' if on else 'off'} topic")
    if in_vain:
        click.echo(in_vain)
