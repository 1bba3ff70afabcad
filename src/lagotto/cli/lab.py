"""`lagotto lab`: frozen webs and what can be done with them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from lagotto.base.errors import InputError
from lagotto.cli import progress_bar
from lagotto.lab.demo import DemoWeb
from lagotto.lab.experiments.draws import Seeding
from lagotto.lab.experiments.experiment import compare as compare_strategies
from lagotto.lab.experiments.request import Protocol, Request
from lagotto.lab.report import headline, unlabelled_note, write_report
from lagotto.lab.serving.server import WebServer
from lagotto.lab.serving.server import serve as serve_web
from lagotto.lab.webs.importing import import_web, needs_import
from lagotto.lab.webs.web import FrozenWeb, Web

Number = TypeVar("Number", int, float)
DEMO = Path("demo")
"""Name of the demo web."""


@click.group()
def lab() -> None:
    """Freeze webs, serve them, and compare strategies on them."""


@lab.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Frozen web to write.")
def import_command(sources: tuple[Path, ...], output: Path) -> None:
    """Freeze SOURCES into one file: JSONL (also .gz, .zst), WARC, WACZ, or crawl directories."""
    freeze(sources, output)


@lab.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Frozen web to write.")
def record(directory: Path, output: Path) -> None:
    """Freeze what the crawl in DIRECTORY fetched, so that it can be crawled again."""
    freeze((directory,), output)


def freeze(sources: tuple[Path, ...], output: Path, shown: Path | None = None) -> None:
    """Import with progress, and say what was taken in; `shown` is the name to say instead of `output`."""
    columns = (TextColumn("{task.completed:>4.0%}"), BarColumn(), TextColumn("{task.fields[pages]} pages"))
    with progress_bar(*columns) as bar:
        task = bar.add_task("import", total=1.0, pages=0)
        done = import_web(
            sources, output, lambda pages, share: bar.update(task, completed=share, pages=pages)
        )
    click.echo(f"{done.pages} pages in {shown or output}")
    for reason, count in sorted(done.left_out.items()):
        click.echo(f"left out: {count} {reason}")


@lab.command()
@click.argument("web", type=click.Path(path_type=Path))
@click.option("--port", type=int, default=8100, show_default=True, help="Port on loopback; 0 for any.")
@click.option("--latency", type=float, default=0.0, help="Seconds before each answer.")
@click.option("--error-rate", type=float, default=0.0, help="Share of requests answered with 503.")
@click.option("--random-seed", type=int, default=0, help="Which requests those are.")
@click.option("--robots", type=click.Path(path_type=Path), help="robots.txt to serve for every host.")
@click.option("--gzip/--no-gzip", default=True, help="Compress answers (default).")
@click.option("--log", type=click.Path(path_type=Path), help="File to log every request to.")
def serve(
    web: Path, port: int, random_seed: int, robots: Path | None, log: Path | None, **options: Any
) -> None:
    """Serve WEB over HTTP on loopback, as a proxy and by Host header, until Ctrl-C.

    WEB is a frozen web, a folder or file that one is made of, or the word demo for the small web of the demo.
    """

    def ready(server: WebServer) -> None:
        click.echo(f"{web} is served at {server.proxy}; use it as a proxy: --proxy {server.proxy}")

    with ExitStack() as stack:
        serve_web(
            _web_to_serve(web, stack),
            port,
            seed=random_seed,
            robots=_read(robots) if robots else None,
            log_path=log,
            ready=ready,
            **options,
        )


def _web_to_serve(web: Path, stack: ExitStack) -> Web:
    """The web behind a path; pages that are not frozen yet are frozen into a temporary file."""
    if web == DEMO and not web.exists():
        return DemoWeb()
    if not needs_import(web):
        return stack.enter_context(FrozenWeb.open(web))
    frozen = Path(stack.enter_context(TemporaryDirectory())) / "web"
    freeze((web,), frozen, shown=web)
    return stack.enter_context(FrozenWeb.open(frozen))


PROTOCOLS = {
    "words": (Protocol.WORDS,),
    "examples": (Protocol.EXAMPLES,),
    "both": (Protocol.WORDS, Protocol.EXAMPLES),
    "log": (Protocol.LOG,),
    "all": (Protocol.WORDS, Protocol.EXAMPLES, Protocol.LOG),
}


@lab.command()
@click.argument("web", type=click.Path(path_type=Path))
@click.option(
    "--labels",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="CSV file: url, topic; may be given several times.",
)
@click.option(
    "--topics",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="JSON file: topic -> words, seeds; may be given several times.",
)
@click.option(
    "--absent", type=click.Path(path_type=Path), help="JSON file of topics that the web does not have."
)
@click.option(
    "--strategies", default="", help="Names, comma between them, options after colons; all if none is named."
)
@click.option("--budget", type=int, default=500, show_default=True, help="Pages a crawl may fetch.")
@click.option("--draws", type=int, default=1, show_default=True, help="Draws of seeds for each topic.")
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    default="words",
    show_default=True,
    help="What strategies are given: words and seeds; example pages as well; one after the other (both); "
    "a query log and search results (log); all three.",
)
@click.option("--logs", type=click.Path(path_type=Path), help="JSON file of query logs and search results.")
@click.option(
    "--examples", type=int, default=50, show_default=True, help="Pages on topic, and as many off it, to give."
)
@click.option(
    "--seeds",
    type=click.Choice([seeding.value for seeding in Seeding]),
    default="given",
    show_default=True,
    help="Start as the topics say, and from relevant pages in further draws; or always drawn, or off topic.",
)
@click.option(
    "--marks",
    default="",
    help="Numbers of pages, comma between them, that a simulated teacher is asked about in further runs.",
)
@click.option("--right", default="1", show_default=True, help="Shares of its answers that are right.")
@click.option(
    "--encoder",
    default="none",
    show_default=True,
    help="Sentence encoder that judges all pages a second time: a folder with a model, auto, or none.",
)
@click.option(
    "--encode",
    type=click.Choice(["end", "always"]),
    default="end",
    show_default=True,
    help="Whether strategies that can read with the encoder while they crawl run a second time with it.",
)
@click.option("--baseline", default="", help="Whom to measure against; the best other unless given.")
@click.option("--random-seed", type=int, default=0, help="Which pages are drawn.")
@click.option("--jobs", type=int, default=0, help="Processes to use; one a core unless given.")
@click.option(
    "--runs",
    type=click.Path(path_type=Path),
    help="Folder in which finished runs are kept; comparisons may share one. In the report's unless given.",
)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the report.")
def compare(
    strategies: str, protocol: str, seeds: str, marks: str, right: str, encode: str, **options: Any
) -> None:
    """Compare strategies on a frozen WEB (or the folder or file one is made of), judged by labels.

    Finished runs are kept: the same command goes on where it was stopped.
    """
    request = Request(
        strategies=tuple(strategies.split(",")),
        protocols=PROTOCOLS[protocol],
        seeding=Seeding(seeds),
        marks=_numbers("--marks", marks, int),
        right=_numbers("--right", right, float),
        encode=encode == "always",
        **options,
    )
    with Stages() as stages:
        comparison = compare_strategies(request, stages.show)
    if unknown := comparison.facts.unknown_labels:
        click.echo(f"{unknown} labels name URLs that the web does not hold; they count for nothing")
    if comparison.facts.unlabelled:
        click.echo(unlabelled_note(comparison.facts.unlabelled))
    for name in comparison.protocols:
        click.echo(headline(comparison, name))
    click.echo(f"report: {write_report(comparison, request.output)}")


class Stages:
    """Progress of work in stages: a bar each on a terminal, now and then a line elsewhere."""

    LINE_EVERY = 5.0
    """Seconds between two lines of one stage."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bars: Progress | None = None
        if console.is_terminal:
            columns = (
                TextColumn("{task.description:<16}"),
                BarColumn(),
                TextColumn("{task.completed:,}/{task.total:,}"),
            )
            self._bars = Progress(*columns, console=console)
        self._tasks: dict[str, TaskID] = {}
        self._said: dict[str, float] = {}

    def __enter__(self) -> Stages:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def show(self, stage: str, done: int, total: int) -> None:
        """Show which share of a stage is done."""
        if self._bars is not None:
            if stage not in self._tasks:
                self._tasks[stage] = self._bars.add_task(stage, total=total)
            self._bars.update(self._tasks[stage], completed=done, total=total)
        elif done == total or time.monotonic() - self._said.get(stage, 0.0) >= self.LINE_EVERY:
            self._said[stage] = time.monotonic()
            click.echo(f"{stage}: {done:,} of {total:,}", err=True)


def _numbers(option: str, text: str, read: Callable[[str], Number]) -> tuple[Number, ...]:
    """Numbers with a comma between them, each once."""
    try:
        return tuple(dict.fromkeys(read(part) for part in text.split(",") if part.strip()))
    except ValueError:
        raise InputError(f"{option} {text} is no list of numbers; write it like {option} 1,2") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
