"""`lagotto crawl` and `lagotto resume`."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import click
import uvloop

from lagotto import config as configuration
from lagotto.api import Crawl
from lagotto.asking import ask_engines
from lagotto.cli.progress import show_progress
from lagotto.cli.seeds import ENGINE_HELP, say_failures, seed_line
from lagotto.errors import InputError, SeedError
from lagotto.seeds.agree import choose

_TOPIC_OPTIONS = [
    click.option("--phrase", "phrases", multiple=True, help="Word sequence that counts as one term."),
    click.option("--language", help="Language of the topic's words (default: en)."),
    click.option("--example", "examples", multiple=True, help="Page on the topic: a file or a folder."),
    click.option("--counter-example", "counter_examples", multiple=True, help="Page off the topic."),
    click.option("--query-log", help="File of queries, one a line."),
    click.option("--topic", "saved_topic", help="A topic saved with `lagotto topic`."),
    click.option("--network", help="A network trained with `lagotto train`."),
    click.option("--strategy", help="How to choose links; see `lagotto strategies`."),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Strategy option."),
    click.option(
        "--prefer",
        type=click.Choice(["pages", "hosts"]),
        help="Many pages, or pages of many hosts (default: pages); an option of scent.",
    ),
    click.option("--random-seed", type=int, help="Seed of what the strategy draws at random (default: 0)."),
]
_START_OPTIONS = [
    click.option("--seed", "seeds", multiple=True, help="URL to start from; may be repeated."),
    click.option("--seeds-file", type=click.Path(), help="File of URLs to start from, one a line."),
    click.option("--engine", "engines", multiple=True, help=ENGINE_HELP),
    click.option("--agree", type=click.Choice(["any", "all"]), help="Whose URLs to take (default: any)."),
]
_BUDGET_OPTIONS = [
    click.option("--max-pages", type=int, help="Stop after this many pages with status 200."),
    click.option("--max-time", type=float, help="Stop after this many seconds."),
    click.option("--max-bytes", type=int, help="Stop after this many bytes."),
    click.option(
        "--stop", type=click.Choice(["budget", "auto"]), help="auto: also when little is left to find."
    ),
]
_SCOPE_OPTIONS = [
    click.option("--depth", type=int, help="Follow links at most this far from a seed."),
    click.option("--include", multiple=True, help="Only URLs that match this regular expression."),
    click.option("--exclude", multiple=True, help="No URL that matches this regular expression."),
    click.option("--same-site/--any-site", default=None, help="Stay on the seeds' sites."),
    click.option("--host-limit", type=int, help="Pages of one host at most (default: 100,000)."),
    click.option("--hosts-per-site", type=int, help="Hosts of one domain at most (default: 1,000)."),
    click.option(
        "--pattern-limit",
        type=int,
        help="Pages of a host with URLs of one shape at most, such as /calendar?month=# (default: 5,000).",
    ),
]
_POLITENESS_OPTIONS = [
    click.option("--concurrency", type=int, help="Requests at once over all hosts (default: 16)."),
    click.option("--delay", type=float, help="Seconds between requests to one host (default: 1)."),
    click.option("--ip-delay", type=float, help="Seconds between requests to one address (default: off)."),
    click.option("--connections-per-host", type=int, help="Requests at once to one host (default: 1)."),
    click.option(
        "--patience",
        type=float,
        help="Seconds that scent waits for hosts with better links before it asks others (default: a quarter"
        " of --delay with --max-pages, and without --max-time or a higher --concurrency).",
    ),
    click.option("--robots/--no-robots", "obey_robots", default=None, help="Obey robots.txt (default)."),
    click.option("--obey-nofollow/--ignore-nofollow", default=None, help="Leave links marked rel=nofollow."),
    click.option("--sitemaps/--no-sitemaps", default=None, help="Take links from sitemaps as well."),
    click.option("--contact", help="URL that tells site owners who you are."),
]
_REQUEST_OPTIONS = [
    click.option("--header", "headers", multiple=True, help="Extra header, sent to the seeds' origins."),
    click.option("--cookies", type=click.Path(), help="cookies.txt file."),
    click.option("--auth", multiple=True, help="user:password@https://origin, sent to that origin."),
    click.option("--proxy", help="HTTP proxy, such as http://127.0.0.1:3128."),
    click.option(
        "--allow-private", multiple=True, metavar="CIDR", help="Private range that may be fetched from."
    ),
    click.option("--insecure/--verify", default=None, help="Accept invalid TLS certificates."),
    click.option("--max-size", type=int, help="Bytes of a page at most, decompressed (default: 10 MiB)."),
    click.option("--timeout", type=float, help="Seconds a request may take in all (default: 30)."),
    click.option("--retries", type=int, help="Further tries after a temporary failure (default: 2)."),
    click.option("--retry-wait", type=float, help="Seconds before the first of them (default: 5)."),
]
_KEEP_OPTIONS = [
    click.option("--content-seen/--no-content-seen", default=None, help="Drop pages seen before (default)."),
    click.option("--keep-text/--no-keep-text", default=None, help="Keep the text of pages (default)."),
    click.option("--keep-warc/--no-keep-warc", default=None, help="Keep answers as WARC (default)."),
    click.option("--warc-size", type=int, help="Bytes after which a new WARC file begins."),
    click.option("--pages-folder", help="Folder to write each page into as it comes."),
    click.option("--parsers", type=int, help="Parser processes (default: one a core, at most four)."),
]


def _options(*groups: list[Callable[..., Any]]) -> Callable[..., Any]:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


@click.command()
@click.argument("words", nargs=-1)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Crawl directory.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="TOML file of options.")
@click.option("--show-links", is_flag=True, help="Show each link with its label and score as it comes.")
@_options(
    _TOPIC_OPTIONS,
    _START_OPTIONS,
    _BUDGET_OPTIONS,
    _SCOPE_OPTIONS,
    _POLITENESS_OPTIONS,
    _REQUEST_OPTIONS,
    _KEEP_OPTIONS,
)
def crawl(
    words: tuple[str, ...], output: Path, config_file: Path | None, show_links: bool, **given: Any
) -> None:
    """Crawl for the pages on a topic named by WORDS."""
    values = {name: _plain(value) for name, value in given.items() if value not in (None, ())}
    if words:
        values["topic"] = " ".join(words)
    seeds_file = values.pop("seeds_file", None)
    if seeds_file:
        values["seeds"] = [*values.get("seeds", []), *read_seeds(Path(seeds_file))]
    base = configuration.load(config_file) if config_file else None
    options = dict(parse_option(text) for text in values.pop("options", ()))
    if "prefer" in values:
        options["prefer"] = values.pop("prefer")
    if options:
        values["options"] = {**(base.options if base else {}), **options}
    engines, rule = values.pop("engines", []), values.pop("agree", None)
    config = configuration.from_values(values, base)
    config.check()
    if not config.seeds:
        seeds_from_engines(config, engines, rule or "any")
    elif engines or rule:
        raise InputError(
            "search engines are asked where there are no seeds; give seeds or --engine and --agree"
        )
    run(Crawl(config, output, watch_links=show_links))


def seeds_from_engines(config: configuration.Config, engines: list[str], rule: Literal["any", "all"]) -> None:
    """Take the seeds, their order and the topic's search results from search engines."""
    if not config.topic:
        raise SeedError("there is no seed to start from; give --seed URL, or words to search for")
    agreement = asyncio.run(
        ask_engines(config.topic, engines=engines, proxy=config.proxy, allow_private=config.allow_private)
    )
    say_failures(agreement)
    chosen = choose(agreement, rule)
    for seed in chosen:
        click.echo(seed_line(seed))
    config.seeds = [seed.url for seed in chosen]
    config.seed_scores = [seed.score for seed in chosen]
    config.results = agreement.texts


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@_options(_BUDGET_OPTIONS)
def resume(directory: Path, **given: Any) -> None:
    """Go on with the crawl in DIRECTORY, where it stopped; a budget given here replaces its own."""
    values = {name: value for name, value in given.items() if value is not None}
    run(Crawl.resume(directory, **values))


def run(crawl: Crawl) -> None:
    """Run a crawl with progress shown; Ctrl-C stops it cleanly, a second one at once."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # A connection each, to many hosts.
    uvloop.run(_run(crawl))


async def _run(crawl: Crawl) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def interrupt() -> None:
        if crawl.stopping and task is not None:
            task.cancel()
        else:
            click.echo("stopping when what is under way has come in; Ctrl-C again stops at once", err=True)
        crawl.stop("stopped by the user")

    async with crawl:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interrupt)
        try:
            await show_progress(crawl)
        except asyncio.CancelledError:
            click.echo("stopped at once; nothing committed is lost, `lagotto resume` goes on", err=True)


def read_seeds(path: Path) -> list[str]:
    """URLs from a file, one a line; blank lines and lines that begin with # are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the seeds file {path}: {error}") from None
    seeds = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not seeds:
        raise SeedError(f"there is no URL in {path}; write one a line")
    return seeds


def parse_option(text: str) -> tuple[str, Any]:
    """`name=value` with the value read as a number or a truth value where it is one."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError(f"--option '{text}' must be written NAME=VALUE")
    if value.lower() in {"true", "yes", "on"}:
        return name, True
    if value.lower() in {"false", "no", "off"}:
        return name, False
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
