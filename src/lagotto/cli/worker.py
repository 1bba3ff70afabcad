"""`lagotto worker`."""

from __future__ import annotations

import click

from lagotto.base.errors import InputError
from lagotto.cli.crawl import LOUDNESS, run
from lagotto.cli.options import with_options
from lagotto.cli.progress import Loudness
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at, with_crawl


@click.command()
@click.option(
    "--store", required=True, metavar="URL", help="Database of the crawl: postgresql://user@host/database."
)
@click.option("--crawl", "name", default="", metavar="NAME", help="Name of the crawl in the database.")
@with_options(*LOUDNESS)
def worker(store: str, name: str, loudness: Loudness | None) -> None:
    """Work on a crawl that is shared by many workers.

    Start any number, on any machine. They divide the hosts among themselves, share one budget, and end when
    it is used or nothing is left. Ctrl-C ends this worker alone; `lagotto stop` ends all.
    """
    location = with_crawl(store, name)
    if not storage_at(location).shared:
        raise InputError(f"{store} cannot be shared by workers; name a database, as in postgresql://host/db")
    click.get_current_context().exit(run(Crawl.resume(location), loudness))
