"""`lagotto feedback`."""

from __future__ import annotations

import click

from lagotto import calls
from lagotto.cli.steer import say

_MARKS: dict[str, bool | None] = {"on": True, "off": False, "unmark": None}


@click.command()
@click.argument("directory")
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
