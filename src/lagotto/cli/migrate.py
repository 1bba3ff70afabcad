"""`lagotto migrate`."""

from __future__ import annotations

import click

from lagotto.cli import printable
from lagotto.store import storage_at


@click.command()
@click.argument("directory")
def migrate(directory: str) -> None:
    """Bring the crawl in DIRECTORY from an older format up to date; a copy of its database is kept."""
    click.echo(printable(storage_at(directory).migrate()))
