"""`lagotto doctor`."""

from __future__ import annotations

import click

from lagotto.cli import printable
from lagotto.findings import Severity
from lagotto.store import storage_at


@click.command()
@click.argument("directory")
@click.option("--accept", "accepted", is_flag=True, help="Accept a changed but sound database as it is.")
def doctor(directory: str, accepted: bool) -> None:
    """Check the crawl in DIRECTORY for damage: database, WARC files, lock, configuration."""
    storage = storage_at(directory)
    if accepted:
        storage.accept()
    findings = storage.examine()
    for finding in findings:
        click.echo(f"{finding.severity:<8} {printable(finding.sentence)}")
    if any(finding.severity == Severity.ERROR for finding in findings):
        raise click.exceptions.Exit(1)
