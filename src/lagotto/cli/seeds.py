"""`lagotto seeds`."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import click
import msgspec

from lagotto.cli import printable
from lagotto.cli.options import JSON
from lagotto.crawling.seeds.agree import Agreement, Seed, choose
from lagotto.crawling.seeds.named import DEFAULT_ENGINES, ask_engines
from lagotto.focus.topic import words_typed

ENGINE_HELP = (
    "Engine to ask, such as brave, searxng:https://host#bing, or file:results.json; may be repeated "
    f"(default: {', '.join(DEFAULT_ENGINES)})."
)

AGREE = click.option(
    "--agree",
    type=click.Choice(["any", "all"]),
    help="Take the URLs that any engine names, or only those that all name (default: any).",
)


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--engine", "engines", multiple=True, help=ENGINE_HELP)
@AGREE
@click.option(
    "--limit", type=click.IntRange(1), default=10, show_default=True, help="Results of each engine."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 3600, min_open=True),
    default=15.0,
    show_default=True,
    help="Seconds an engine may take.",
)
@click.option("--proxy", default="", help="HTTP proxy.")
@click.option("--allow-private", multiple=True, metavar="CIDR", help="Private range an engine may be in.")
@JSON
def seeds(words: tuple[str, ...], agree: Literal["any", "all"] | None, as_json: bool, **options: Any) -> None:
    """Ask search engines for WORDS and show the URLs they agree on, best first."""
    agreement = asyncio.run(ask_engines(words_typed(words), **options))
    say_failures(agreement)
    chosen = choose(agreement, agree or "any")
    if as_json:
        click.echo(
            msgspec.json.encode({"query": agreement.query, "seeds": chosen, "failed": agreement.failed})
        )
        return
    for seed in chosen:
        click.echo(seed_line(seed))


def seed_line(seed: Seed) -> str:
    """A seed with its priority and which engine named it at which rank."""
    named = ", ".join(f"{placing.engine} {placing.rank}" for placing in seed.placings)
    return printable(f"{seed.priority}  {seed.url}  ({named})")


def say_failures(agreement: Agreement) -> None:
    """Name the engines that failed, and why."""
    for failure in agreement.failed:
        click.echo(printable(f"left out: {failure.engine}: {failure.why}"), err=True)
