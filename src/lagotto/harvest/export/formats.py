"""All formats by name, and writing a crawl in one of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError, UnknownName
from lagotto.base.protocols import Reader
from lagotto.harvest.export.appearing import appearing, appearing_folder
from lagotto.harvest.export.cdxj import write_cdxj
from lagotto.harvest.export.dataset import write_dataset
from lagotto.harvest.export.failures import failure_table
from lagotto.harvest.export.folder import write_folder, write_markdown
from lagotto.harvest.export.frontier import frontier_table
from lagotto.harvest.export.graph import edge_table, write_graphml
from lagotto.harvest.export.options import TRAINING, ExportOptions, made_options, spelled
from lagotto.harvest.export.pages import page_table
from lagotto.harvest.export.tables import Table, TableWriter, write_csv, write_jsonl, write_parquet
from lagotto.harvest.export.wacz import write_wacz

_WHICH = frozenset(
    {"relevant_only", "min_relevance", "top", "subtopic", "sort", "near_duplicates", "respect", "numbers"}
)
_CONTENTS = frozenset({"with_text", "html", "markdown", "facts"})
_FOLDER = ("index.csv", "pages")
_DATASET = ("README.md", "data")

TABLE_WRITERS: dict[str, TableWriter] = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
"""Ending of a file -> what writes a table to it."""


class Format(Struct, frozen=True, kw_only=True):
    """What writes a format: a table, a file of its own kind, or a folder."""

    takes: frozenset[str]
    """Names of the options that it knows."""
    table: Callable[[Reader, ExportOptions], Table] | None = None
    kind: str = ""
    """Key of `TABLE_WRITERS`; empty to take the ending of the path, or else CSV."""
    file: Callable[[Reader, BinaryIO, ExportOptions], int] | None = None
    folder: Callable[[Reader, Path, ExportOptions], int] | None = None
    holds: tuple[str, ...] = ()
    """What lies in such a folder."""
    binary: bool = False
    """Whether it cannot be shown on a terminal, and so needs a path."""
    training: bool = False
    """Whether models are trained on it, so that text and data mining must be allowed."""

    def to_stream(self, reader: Reader, stream: BinaryIO, options: ExportOptions, ending: str = "") -> int:
        """Write to a stream; returns how many rows it holds."""
        if self.table is not None:
            kind = self.kind or (ending if ending in TABLE_WRITERS else "csv")
            return TABLE_WRITERS[kind](self.table(reader, options), stream)
        assert self.file is not None
        return self.file(reader, stream, options)


FORMATS: dict[str, Format] = {
    "jsonl": Format(table=page_table, kind="jsonl", takes=_WHICH | _CONTENTS | {"chunks"}),
    "csv": Format(table=page_table, kind="csv", takes=_WHICH | _CONTENTS),
    "parquet": Format(table=page_table, kind="parquet", takes=_WHICH | _CONTENTS | {"chunks"}, binary=True),
    "folder": Format(folder=write_folder, takes=_WHICH | {"with_text"}, holds=_FOLDER),
    "markdown": Format(folder=write_markdown, takes=_WHICH, holds=_FOLDER),
    "dataset": Format(
        folder=write_dataset, takes=_WHICH | {"html", "markdown", "chunks"}, holds=_DATASET, training=True
    ),
    "cdxj": Format(file=write_cdxj, takes=_WHICH - {"sort"}),
    "wacz": Format(file=write_wacz, takes=_WHICH | {"with_text"}, binary=True),
    "graphml": Format(file=write_graphml, takes=_WHICH | {"nodes"}),
    "edges": Format(table=edge_table, takes=_WHICH | {"nodes"}),
    "frontier": Format(table=frontier_table, takes=frozenset({"top"})),
    "failures": Format(table=failure_table, takes=frozenset()),
}
"""Name -> format; further ones are added here."""


def export(
    reader: Reader,
    format: str,
    path: Path,
    *,
    force: bool = False,
    topic: Callable[[], str] = str,
    **options: Any,
) -> int:
    """Write the crawl in a format to a path; returns how many rows it holds.

    It appears under its name only when it is whole. `options` are those of `ExportOptions`, `topic` tells
    what the crawl looked for.
    """
    found, chosen = checked(format, options)
    if found.training:
        chosen = msgspec.structs.replace(chosen, topic=topic())
    if found.folder is not None:
        with appearing_folder(path, force=force, holds=found.holds) as folder:
            return found.folder(reader, folder, chosen)
    with appearing(path, force=force) as stream:
        return found.to_stream(reader, stream, chosen, path.suffix.lower().removeprefix("."))


def export_rows(reader: Reader, format: str, stream: BinaryIO, **options: Any) -> int:
    """Write the crawl to a stream; returns how many rows it holds."""
    found, chosen = checked(format, options)
    if found.folder is not None or found.binary:
        raise InputError(f"the format {format} needs a path to write to; name one with -o")
    return found.to_stream(reader, stream, chosen)


def checked(format: str, values: dict[str, Any]) -> tuple[Format, ExportOptions]:
    """The format of this name, and options that make sense for it."""
    if format not in FORMATS:
        raise UnknownName(f"there is no format '{format}'; choose one of {', '.join(FORMATS)}")
    found, options = FORMATS[format], made_options(values)
    for name in options.given():
        if name not in found.takes:
            raise InputError(f"the format {format} takes no {spelled(name)}; leave it out")
    if options.chunks is not None and (options.html or options.with_text or options.facts):
        raise InputError("chunks have the text of the page only; leave --html, --with-text and --facts out")
    if not options.respect and (found.training or options.chunks is not None):
        options = msgspec.structs.replace(options, respect=TRAINING)
    return found, options
