"""`lagotto report`."""

from __future__ import annotations

from pathlib import Path

import click

from lagotto.reporting import report as write_report


@click.command()
@click.argument("directory")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="report.html",
    show_default=True,
    help="File.",
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def report(directory: str, output: Path, force: bool) -> None:
    """Write what the crawl in DIRECTORY was asked and what it found to one HTML page."""
    write_report(directory, output, force=force)
    click.echo(f"the report is in {output}")
