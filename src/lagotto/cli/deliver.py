"""`lagotto export`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import click

from lagotto.base.facts import Use
from lagotto.cli import counted, printable
from lagotto.cli.options import DIRECTORY
from lagotto.crawling.steering.effect import effect_at
from lagotto.harvest.export import FORMATS, export_rows
from lagotto.harvest.export import export as write_export
from lagotto.harvest.export.formats import DEFAULT, checked, format_for
from lagotto.harvest.export.options import (
    NEAR_DUPLICATES,
    NODES,
    SORTS,
    TRAINING,
    left_out_sentence,
    lost_sentence,
    with_subtopic,
)
from lagotto.harvest.report import report as write_report
from lagotto.store import storage_at


class _Terminal(io.BytesIO):
    """Shows rows on a terminal, with control characters made harmless."""

    def write(self, rows: Any) -> int:
        text = bytes(rows).decode("utf-8", "replace")
        return sys.stdout.write("\n".join(map(printable, text.split("\n"))))


@click.command()
@DIRECTORY
@click.option(
    "--format",
    "format_",
    default="",
    help=f"One of {', '.join(FORMATS)}. Default: what the ending of the output says, or else {DEFAULT}.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File or folder; - for stdout, the default."
)
@click.option("--force", is_flag=True, help="Replace a file or an exported folder that exists.")
@click.option("--relevant-only", is_flag=True, help="Only pages judged to be on topic.")
@click.option("--min-relevance", type=float, metavar="X", help="Only pages of at least this relevance.")
@click.option("--top", type=int, metavar="N", help="Only the N pages with the highest relevance.")
@click.option("--numbers", metavar="N,N,...", help="Only the pages with these numbers.")
@click.option("--subtopic", metavar="NAME", help="Only pages of this subtopic, by its name or number.")
@click.option("--sort", default="fetch", show_default=True, help=f"Order of the pages: {', '.join(SORTS)}.")
@click.option(
    "--near-duplicates",
    default="keep",
    show_default=True,
    help=f"What to do with pages whose text an earlier page has: {' or '.join(NEAR_DUPLICATES)}.",
)
@click.option(
    "--respect",
    default="",
    metavar="USES",
    help=f"Leave out pages that opt out of these uses: {', '.join(Use)}, divided by commas, or all or none."
    f" Default: {TRAINING} with --chunks and for datasets, else none.",
)
@click.option("--with-text", "--text", is_flag=True, help="With the text of each page.")
@click.option("--html", is_flag=True, help="With the HTML of each page.")
@click.option("--markdown", is_flag=True, help="With the main content of each page as Markdown.")
@click.option("--facts", is_flag=True, help="With all that each page says of itself, as JSON.")
@click.option("--chunks", type=int, metavar="N", help="Rows are chunks of at most N words, for retrieval.")
@click.option(
    "--nodes", default="pages", show_default=True, help=f"Nodes of the link graph: {' or '.join(NODES)}."
)
def export(directory: str, format_: str, output: Path | None, force: bool, **options: Any) -> None:
    """Write the crawl in DIRECTORY in another format."""
    storage = storage_at(directory)

    def topic() -> str:
        return effect_at(storage).config.in_words()

    with storage.reader() as reader:
        options = with_subtopic(storage, reader, options)
        if output is None or str(output) == "-":
            stream = _Terminal() if sys.stdout.isatty() else sys.stdout.buffer
            export_rows(reader, format_, stream, **options)
        else:
            count = write_export(reader, format_, output, force=force, topic=topic, **options)
            click.echo(f"{counted(count, format_for(format_, output)[1].counts)} in {output}")
        left_out = left_out_sentence(reader, checked(format_, options, output)[1].respect)
        lost = lost_sentence(reader)
    for sentence in filter(None, (left_out, lost)):
        click.echo(printable(sentence), err=True)


@click.command()
@DIRECTORY
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
