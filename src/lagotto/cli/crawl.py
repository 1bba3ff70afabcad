"""`lagotto crawl`, `lagotto resume` and `lagotto worker`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from lagotto.api import steer
from lagotto.base.errors import InputError, SeedError
from lagotto.base.options import Change
from lagotto.base.text.tokens import looks_binary
from lagotto.cli import printable
from lagotto.cli.cluster import CLUSTER, refuse_on_cluster, run_on_cluster
from lagotto.cli.options import DIRECTORY, WORDS, change_options, config_options, given, with_options
from lagotto.cli.progress import Loudness
from lagotto.cli.running import run
from lagotto.cli.seeds import AGREE, ENGINE_HELP, say_failures, seed_line
from lagotto.crawling import config as configuration
from lagotto.crawling.cluster.processes import LOCATION
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.crawling.inputs import make_topic
from lagotto.crawling.monitoring import Monitor
from lagotto.crawling.monitoring.monitor import STDOUT
from lagotto.crawling.refill import Refill, run_and_refill, shares
from lagotto.crawling.seeds.agree import choose
from lagotto.crawling.seeds.named import ask_engines, search_query
from lagotto.crawling.session import Crawl
from lagotto.focus.topic import words_typed
from lagotto.store import storage_at, with_crawl

LOUDNESS = [
    click.option("--quiet", "loudness", flag_value="quiet", help="Show warnings and errors only."),
    click.option(
        "--verbose", "loudness", flag_value="verbose", help="Show each event; the log has them too."
    ),
]
_MONITOR = [
    click.option("--metrics", type=int, metavar="PORT", help="Serve metrics for Prometheus on 127.0.0.1."),
    click.option("--events", metavar="PATH", help="Write events as JSON lines; - is standard output."),
    click.option("--webhook", metavar="URL", help="Tell this URL when the crawl has ended."),
]
_STORE = click.option(
    "--store", metavar="URL", help="Database that keeps the crawl: postgresql://user@host/database."
)
_NAME = click.option("--crawl", "name", default="", metavar="NAME", help="Name of the crawl in the database.")
_SERVE = click.option(
    "--serve", is_flag=True, help="Show the crawl in the browser; the address and its token are printed."
)
_PREFER = click.option(
    "--prefer",
    type=click.Choice(["pages", "hosts"]),
    help="Many pages, or pages of many hosts (default: pages); an option of scent.",
)
_START_OPTIONS = [
    click.option("--seeds-file", type=click.Path(), help="File of URLs to start from, one a line."),
    click.option("--engine", "engines", multiple=True, help=ENGINE_HELP),
    AGREE,
    click.option("--engine-results", type=click.IntRange(1), help="Results of each engine (default: 10)."),
]


@click.command()
@click.argument("words", nargs=-1)
@click.option(
    "-o", "--output", metavar="PATH", help="Crawl directory; with --store, folder for WARC files and log."
)
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="TOML file of options.")
@click.option("--show-links", is_flag=True, help="Show each link with its label and score as it comes.")
@with_options(
    _STORE,
    _NAME,
    *LOUDNESS,
    *_MONITOR,
    _SERVE,
    CLUSTER,
    *config_options({"Start": _START_OPTIONS, "Strategy": [_PREFER]}),
)
def crawl(
    words: tuple[str, ...],
    output: str | None,
    store: str | None,
    name: str,
    config_file: Path | None,
    show_links: bool,
    loudness: Loudness | None,
    serve: bool,
    cluster: str | None,
    **options: Any,
) -> None:
    """Crawl for the pages on a topic named by WORDS."""
    location = _location(output, store, name)
    values = given(options)
    monitor = _monitor(values)
    if words:
        values["topic"] = words_typed(words)
    seeds_file = values.pop("seeds_file", None)
    if seeds_file:
        values["seeds"] = [*values.get("seeds", []), *read_seeds(Path(seeds_file))]
    base = configuration.load(config_file) if config_file else None
    chosen = dict(parse_option(text) for text in values.pop("options", ()))
    if "prefer" in values:
        chosen["prefer"] = values.pop("prefer")
    if chosen:
        values["options"] = {**(base.options if base else {}), **chosen}
    engines, rule = values.pop("engines", []), values.pop("agree", None)
    limit = values.pop("engine_results", None)
    config = configuration.from_values(values, base)
    config.check()
    if not config.seeds:
        seeds_from_engines(config, engines, rule or "any", limit or 10)
    elif engines or rule or limit:
        raise InputError(
            "search engines are asked where there are no seeds; give seeds or --engine and --agree"
        )
    if cluster:
        refuse_on_cluster({**_asked_of(monitor), "--show-links": show_links, "--ask": bool(config.ask)})
        run_on_cluster(ClusterRun(location, cluster, config), quiet=loudness == "quiet", serve=serve)
        return
    crawl = Crawl(config, location, watch_links=show_links, monitor=monitor)
    click.get_current_context().exit(run(crawl, _quiet_for(monitor, loudness), serve=serve))


def _location(output: str | None, store: str | None, name: str) -> str:
    """Where the crawl is to be kept."""
    if store is not None:
        return with_crawl(store, name, output or "")
    if output is None:
        raise InputError("say where to keep the crawl: -o DIRECTORY, or --store URL")
    if name:
        raise InputError("--crawl names a crawl in a database; give --store URL as well")
    return output


def seeds_from_engines(
    config: configuration.Config, engines: list[str], rule: Literal["any", "all"], limit: int
) -> None:
    """Take the seeds, their order and the topic's search results from search engines."""
    if not (config.topic or config.query_log or config.saved_topic or config.examples):
        raise SeedError("there is no seed to start from; give --seed URL, or words to search for")
    query = search_query(make_topic(config))
    click.echo(printable(f"searching for: {query}"), err=True)
    proxy = configuration.with_secrets(config)[0].proxy
    agreement = asyncio.run(
        ask_engines(query, engines=engines, limit=limit, proxy=proxy, allow_private=config.allow_private)
    )
    say_failures(agreement)
    chosen = choose(agreement, rule)
    for seed in chosen:
        click.echo(seed_line(seed))
    config.seeds = [seed.url for seed in chosen]
    config.seed_scores = [seed.score for seed in chosen]
    config.results = agreement.texts


@click.command()
@DIRECTORY
@with_options(
    *LOUDNESS,
    *_MONITOR,
    _SERVE,
    CLUSTER,
    WORDS,
    click.option(
        "--refill-seeds", is_flag=True, help="Ask search engines for seeds when nothing is left to fetch."
    ),
    click.option("--engine", "engines", multiple=True, help=ENGINE_HELP),
    click.option("--engine-results", type=click.IntRange(1), default=10, help="Results of each engine."),
    *change_options(lambda option: option.change != Change.NEVER),
)
def resume(
    directory: str,
    loudness: Loudness | None,
    serve: bool,
    cluster: str | None,
    refill_seeds: bool,
    engines: tuple[str, ...],
    engine_results: int,
    **options: Any,
) -> None:
    """Go on with the crawl in DIRECTORY, where it stopped.

    Options given here are kept as commands and replace those that the crawl had; seeds and patterns are
    added to them.
    """
    changes = [given(options)]
    monitor = _monitor(changes[0])
    if cluster:
        asked = {"--refill-seeds": refill_seeds, "--engine": bool(engines), "--ask": "ask" in changes[0]}
        refuse_on_cluster({**_asked_of(monitor), **asked})
        if changes[0]:
            steer(directory, **changes[0])
        run_on_cluster(ClusterRun(directory, cluster), quiet=loudness == "quiet", serve=serve)
        return
    codes = []

    def go_on() -> str:
        crawl = Crawl.resume(directory, monitor=monitor, **(changes.pop() if changes else {}))
        codes.append(run(crawl, _quiet_for(monitor, loudness), serve=serve))
        return crawl.why

    if refill_seeds:
        refills = run_and_refill(go_on, directory, engines, limit=engine_results, tell=_say_refill)
        with storage_at(directory).reader() as reader:
            for share in shares(reader, refills):
                click.echo(printable(share.sentence()))
    elif engines:
        raise InputError("search engines are asked with --refill-seeds; give it, or leave --engine out")
    else:
        go_on()
    click.get_current_context().exit(codes[-1])


@click.command()
@with_options(
    click.option(
        "--store",
        envvar=LOCATION,
        metavar="URL",
        help=f"Database that keeps the crawl, or the directory of one (default: ${LOCATION}).",
    ),
    _NAME,
    *LOUDNESS,
)
def worker(store: str | None, name: str, loudness: Loudness | None) -> None:
    """Work on a crawl that is shared by many workers.

    Start any number, on any machine. They divide the hosts among themselves, share one budget, and end when
    it is used or nothing is left. Ctrl-C ends this worker alone; `lagotto stop` ends all.
    """
    if store is None:
        raise InputError(f"say in which database the crawl is: --store URL, or the variable {LOCATION}")
    location = with_crawl(store, name) if name or "://" in store else store
    if not storage_at(location).shared:
        raise InputError(f"{store} cannot be shared by workers; name a database, as in postgresql://host/db")
    log = f"worker-{os.getpid()}.log"
    click.get_current_context().exit(run(Crawl.resume(location), loudness, log=log))


def _say_refill(refill: Refill) -> None:
    """What was asked for, and what came of it."""
    for engine, why in refill.failed.items():
        click.echo(printable(f"left out: {engine}: {why}"), err=True)
    click.echo(printable(f"searched for: {refill.query}; {len(refill.new)} new seeds"), err=True)


def read_seeds(path: Path) -> list[str]:
    """URLs from a file, one a line; blank lines and lines that begin with # are left out."""
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"cannot read the seeds file {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        content, lines = b"\0", []
    if looks_binary(content):
        raise InputError(f"the seeds file {path} is not a UTF-8 text file; write one URL a line")
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


def _monitor(given: dict[str, Any]) -> Monitor:
    """What to tell of the crawl while it runs, taken out of what was given."""
    return Monitor(**{name: given.pop(name) for name in Monitor.__struct_fields__ if name in given})


def _asked_of(monitor: Monitor) -> dict[str, bool]:
    """Option -> whether it is given."""
    return {f"--{name}": value not in (None, "") for name, value in msgspec.structs.asdict(monitor).items()}


def _quiet_for(monitor: Monitor, loudness: Loudness | None) -> Loudness | None:
    """Nothing but events is shown where events are."""
    return loudness or ("quiet" if monitor.events == STDOUT else None)
