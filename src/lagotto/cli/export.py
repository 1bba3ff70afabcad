"""`lagotto export`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import click

from lagotto.cli import printable
from lagotto.errors import InputError
from lagotto.store import FORMATS, CrawlReader
from lagotto.store import export as write_export
from lagotto.store.export import ROW_FORMATS, export_rows


class _Terminal(io.BytesIO):
    """Shows rows on a terminal, which they must not drive; a file or a pipe gets them as they are."""

    def write(self, rows: Any) -> int:
        text = bytes(rows).decode("utf-8", "replace")
        return sys.stdout.write("\n".join(map(printable, text.split("\n"))))


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--format", "format_", default="jsonl", show_default=True, help=f"One of {', '.join(FORMATS)}.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder (default: stdout).")
@click.option("--relevant-only", is_flag=True, help="Only pages judged to be on topic.")
@click.option("--with-text", is_flag=True, help="With the text of each page.")
def export(directory: Path, format_: str, output: Path | None, relevant_only: bool, with_text: bool) -> None:
    """Write the pages of the crawl in DIRECTORY, in fetch order."""
    with CrawlReader.open(directory) as reader:
        if output is None and format_ in FORMATS:
            if format_ not in ROW_FORMATS:
                raise InputError(f"the format {format_} needs a place to go; name it with -o PATH")
            stream = _Terminal() if sys.stdout.isatty() else sys.stdout.buffer
            export_rows(reader, format_, stream, with_text=with_text, relevant_only=relevant_only)
            return
        count = write_export(
            reader, format_, output or Path(), with_text=with_text, relevant_only=relevant_only
        )
    click.echo(f"{count} rows in {output}")
