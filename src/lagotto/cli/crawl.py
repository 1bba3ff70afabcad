"""`lagotto crawl` and `lagotto resume`."""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
from contextlib import ExitStack
from pathlib import Path
from shlex import quote
from typing import Any, Literal

import click
import msgspec
import uvloop

from lagotto import __version__
from lagotto.api import steer
from lagotto.base.errors import DiskFull, InputError, LagottoError, SeedError
from lagotto.base.text.tokens import looks_binary
from lagotto.cli import printable
from lagotto.cli.cluster import CLUSTER, refuse_on_cluster, run_on_cluster
from lagotto.cli.logs import log_to
from lagotto.cli.options import config_options, with_options
from lagotto.cli.progress import Loudness, opening_line, show_progress
from lagotto.cli.seeds import ENGINE_HELP, say_failures, seed_line
from lagotto.cli.serve import ServerBeside
from lagotto.cli.teach import Asking
from lagotto.crawling import config as configuration
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

ENDED_EARLY = 3
"""Exit code of a crawl that ended after a handful of pages because nothing was left."""
_log = logging.getLogger(__name__)
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
    click.option("--agree", type=click.Choice(["any", "all"]), help="Whose URLs to take (default: any)."),
    click.option("--engine-results", type=click.IntRange(1), help="Results of each engine (default: 10)."),
]


@click.command()
@click.argument("words", nargs=-1)
@click.option(
    "-o", "--output", metavar="PATH", help="Crawl directory; with --store, folder for WARC files and log."
)
@click.option(
    "--store", metavar="URL", help="Database that keeps the crawl: postgresql://user@host/database."
)
@click.option("--crawl", "name", default="", metavar="NAME", help="Name of the crawl in the database.")
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="TOML file of options.")
@click.option("--show-links", is_flag=True, help="Show each link with its label and score as it comes.")
@with_options(
    *LOUDNESS,
    *_MONITOR,
    _SERVE,
    CLUSTER,
    *config_options("Topic", "Strategy"),
    _PREFER,
    *config_options("Start"),
    *_START_OPTIONS,
    *config_options("Budget", "Scope", "Politeness", "Requests", "Verdicts", "Teachers", "What is kept"),
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
    **given: Any,
) -> None:
    """Crawl for the pages on a topic named by WORDS."""
    location = _location(output, store, name)
    values = _given(given)
    monitor = _monitor(values)
    if words:
        values["topic"] = words_typed(words)
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
        running = ClusterRun(location, cluster, config)
        code = run_on_cluster(running, quiet=loudness == "quiet", serve=serve)
        click.get_current_context().exit(code)
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
@click.argument("directory")
@with_options(
    *LOUDNESS,
    *_MONITOR,
    _SERVE,
    CLUSTER,
    click.option("--seed", "seeds", multiple=True, metavar="URL", help="Further URL to start from."),
    click.option("--words", help='Words with weights: solar=2 wind "heat pump"=0.5 -nuclear (removed).'),
    click.option(
        "--refill-seeds", is_flag=True, help="Ask search engines for seeds when nothing is left to fetch."
    ),
    click.option("--engine", "engines", multiple=True, help=ENGINE_HELP),
    click.option("--engine-results", type=click.IntRange(1), default=10, help="Results of each engine."),
    *config_options("Budget", "Scope", "Politeness", "Requests", "What is kept", defaults=False),
)
def resume(
    directory: str,
    loudness: Loudness | None,
    serve: bool,
    cluster: str | None,
    refill_seeds: bool,
    engines: tuple[str, ...],
    engine_results: int,
    **given: Any,
) -> None:
    """Go on with the crawl in DIRECTORY, where it stopped.

    Options given here are kept as commands and replace those that the crawl had; seeds and patterns are
    added to them.
    """
    changes = [_given(given)]
    monitor = _monitor(changes[0])
    if cluster:
        refuse_on_cluster({**_asked_of(monitor), "--refill-seeds": refill_seeds, "--engine": bool(engines)})
        if changes[0]:
            steer(directory, **changes[0])
        running = ClusterRun(directory, cluster)
        code = run_on_cluster(running, quiet=loudness == "quiet", serve=serve)
        click.get_current_context().exit(code)
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


def _say_refill(refill: Refill) -> None:
    """What was asked for, and what came of it."""
    for engine, why in refill.failed.items():
        click.echo(printable(f"left out: {engine}: {why}"), err=True)
    click.echo(printable(f"searched for: {refill.query}; {len(refill.new)} new seeds"), err=True)


def run(crawl: Crawl, loudness: Loudness | None = None, *, serve: bool = False) -> int:
    """Run a crawl with progress shown and logged; Ctrl-C stops it cleanly, a second one at once.

    `serve` starts a server beside it, which stays until another Ctrl-C. Returns the exit code: 0, or
    `ENDED_EARLY`.
    """
    asking = Asking() if crawl.config.ask else None
    if asking is not None:
        crawl.answer = asking.answer
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # A connection each, to many hosts.
    running = _Run(crawl, loudness, asking, serve=serve)
    try:
        uvloop.run(running.to_the_end())
        if running.server is not None and not crawl.stopping:
            running.server.stay()
    except DiskFull as error:
        raise DiskFull(f"{error} with `lagotto resume {quote(crawl.location)}`") from None
    finally:
        if running.server is not None:
            running.server.end()
        if crawl.stopping:  # All is closed: another Ctrl-C has nothing left to stop.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    return ENDED_EARLY if crawl.ended_early else 0


class _Run:
    """A crawl that the user may interrupt, any number of times."""

    def __init__(
        self, crawl: Crawl, loudness: Loudness | None, asking: Asking | None, *, serve: bool
    ) -> None:
        self._crawl = crawl
        self._loudness = loudness
        self._asking = asking
        self._serve = serve
        self.server: ServerBeside | None = None
        self._showing: asyncio.Task[None] | None = None

    async def to_the_end(self) -> None:
        """Open the crawl, run it and close it; only running it can be cut short."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupt)
        with ExitStack() as logged:  # Until the crawl is closed: the webhook is told after that.
            logged.callback(self._say_untold)
            async with self._crawl:
                if self._serve:
                    self.server = await asyncio.to_thread(ServerBeside, self._crawl.location)
                    click.echo(self.server.said, err=self._loudness == "quiet")
                folder = self._crawl.storage.folder
                if folder is not None:
                    logged.enter_context(log_to(folder, verbose=self._loudness == "verbose"))
                if self._crawl.metrics_url:
                    click.echo(f"metrics: {self._crawl.metrics_url}", err=self._loudness == "quiet")
                await self._show()

    def _say_untold(self) -> None:
        """Say why the webhook was not told, unless the log on the terminal has said so."""
        logged = self._loudness == "verbose" and self._crawl.storage.folder is not None
        if self._crawl.untold and not logged:
            click.echo(printable(f"the webhook was not told of the end: {self._crawl.untold}"), err=True)

    async def _show(self) -> None:
        _log.info("lagotto %s: %s", __version__, opening_line(self._crawl))
        if self._crawl.notice:
            _log.warning("%s", self._crawl.notice)
        self._showing = asyncio.create_task(show_progress(self._crawl, self._loudness, self._asking))
        try:
            await self._showing
        except asyncio.CancelledError:
            _log.warning("stopped at once")
            click.echo("stopped at once; nothing committed is lost, `lagotto resume` goes on", err=True)
        except LagottoError as error:
            _log.error("%s", error)
            raise
        except Exception:
            _log.exception("ended by a defect of Lagotto")
            raise

    def _interrupt(self) -> None:
        if not self._crawl.stopping:
            click.echo("stopping when what is under way has come in; Ctrl-C again stops at once", err=True)
            self._crawl.stop("stopped by the user")
        elif self._showing is not None:
            self._showing.cancel()


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


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the user gave on the command line."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
