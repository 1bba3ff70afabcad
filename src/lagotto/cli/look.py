"""`lagotto status` and `lagotto doctor`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from lagotto import calls
from lagotto.cli import printable
from lagotto.cli.progress import outlook_line
from lagotto.store import CrawlReader
from lagotto.store.doctor import Severity, accept, examine
from lagotto.store.stories import Status


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@click.option("--next", "upcoming", type=int, default=5, show_default=True, help="How many links to show.")
@click.option(
    "--outlook", "with_outlook", is_flag=True, help="Also what the strategy makes of it; takes longer."
)
def status(directory: Path, as_json: bool, upcoming: int, with_outlook: bool) -> None:
    """Say how the crawl in DIRECTORY stands, also while it runs."""
    with CrawlReader.open(directory) as reader:
        figures = reader.status()
        outlook = calls.outlook(directory) if with_outlook else {}
        if as_json:
            more = {"outlook": outlook} if with_outlook else {}
            click.echo(msgspec.json.encode(msgspec.structs.asdict(figures) | more))
            return
        for name, value in _lines(figures):
            click.echo(f"{name:<14} {value}")
        if with_outlook:
            said = outlook_line(outlook) or "this strategy has none of its own"
            click.echo(f"{'outlook':<14} {said}")
        for link in reader.best_queued(upcoming):
            click.echo(f"next           {link.score:.3f}  {printable(link.url)}")


def _lines(figures: Status) -> list[tuple[str, str]]:
    reasons = ", ".join(f"{reason} {count}" for reason, count in figures.reasons.items())
    return [
        ("pages", f"{figures.pages} with status 200, {figures.concluded} URLs concluded"),
        ("relevant", f"{figures.relevant} (harvest ratio {figures.harvest_ratio:.2f})"),
        ("frontier", f"{figures.queued} queued ({figures.deferred} to be retried), {figures.held} held"),
        ("hosts", str(figures.hosts)),
        ("bytes", f"{figures.bytes:,}"),
        ("reasons", reasons or "none"),
    ]


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--accept", "accepted", is_flag=True, help="Take a changed but sound database as it is.")
def doctor(directory: Path, accepted: bool) -> None:
    """Check the crawl in DIRECTORY for damage: database, WARC files, lock, configuration."""
    if accepted:
        accept(directory)
    findings = examine(directory)
    for finding in findings:
        click.echo(f"{finding.severity:<8} {printable(finding.sentence)}")
    if any(finding.severity == Severity.ERROR for finding in findings):
        raise click.exceptions.Exit(1)
