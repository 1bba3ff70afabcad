"""`lagotto lab`: frozen webs and what can be done with them."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from lagotto.errors import InputError
from lagotto.lab.importing import import_web
from lagotto.lab.serve import WebServer
from lagotto.lab.serve import serve as serve_web
from lagotto.lab.web import FrozenWeb


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


def freeze(sources: tuple[Path, ...], output: Path) -> None:
    """Import with progress shown, and say what was taken in."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.completed:>4.0%}"), BarColumn(), TextColumn("{task.fields[pages]} pages"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("import", total=1.0, pages=0)
        done = import_web(
            sources, output, lambda pages, share: bar.update(task, completed=share, pages=pages)
        )
    click.echo(f"{done.pages} pages in {output}")
    for reason, count in sorted(done.left_out.items()):
        click.echo(f"left out: {count} {reason}")


@lab.command()
@click.argument("web", type=click.Path(path_type=Path))
@click.option("--port", type=int, default=8100, show_default=True, help="Port on loopback; 0 for any.")
@click.option("--latency", type=float, default=0.0, help="Seconds before each answer.")
@click.option("--error-rate", type=float, default=0.0, help="Share of URLs that answer 503.")
@click.option("--random-seed", type=int, default=0, help="Which URLs those are.")
@click.option("--robots", type=click.Path(path_type=Path), help="robots.txt to serve for every host.")
@click.option("--gzip/--no-gzip", default=True, help="Compress answers (default).")
@click.option("--log", type=click.Path(path_type=Path), help="File to log every request to.")
def serve(
    web: Path,
    port: int,
    latency: float,
    error_rate: float,
    random_seed: int,
    robots: Path | None,
    gzip: bool,
    log: Path | None,
) -> None:
    """Serve the frozen WEB over HTTP on loopback, as a proxy and by Host header, until Ctrl-C."""

    def ready(server: WebServer) -> None:
        click.echo(f"{web} is served at {server.proxy}; use it as a proxy: --proxy {server.proxy}")

    with FrozenWeb.open(web) as frozen:
        serve_web(
            frozen,
            port,
            latency=latency,
            error_rate=error_rate,
            seed=random_seed,
            robots=_read(robots) if robots else None,
            gzip=gzip,
            log_path=log,
            ready=ready,
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
