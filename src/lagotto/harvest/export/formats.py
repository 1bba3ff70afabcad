"""All formats, each declared once with all that is known of it, and writing a crawl in one of them."""

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
from lagotto.harvest.export.folder import write_folder, write_markdown
from lagotto.harvest.export.graph import edge_table, write_graphml
from lagotto.harvest.export.options import TRAINING, ExportOptions, made_options, spelled
from lagotto.harvest.export.pages import page_table
from lagotto.harvest.export.tables import Table, TableWriter, write_csv, write_jsonl, write_parquet
from lagotto.harvest.export.unfetched import failure_table, frontier_table
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
"""Format of a table -> what writes it."""
DEFAULT = "jsonl"
"""Format of an export whose user names neither a format nor a path whose ending says one."""


class Format(Struct, frozen=True, kw_only=True):
    """All that is known of a format; command line, API, agents and dashboard read it here."""

    label: str
    """Its name for people."""
    about: str
    """What it is, in a few words."""
    takes: frozenset[str]
    """Names of the options that it knows."""
    ending: str = ""
    """Ending of its file, without the dot; empty for a folder."""
    aliases: tuple[str, ...] = ()
    """Other names of the format, which files may end with too."""
    table_endings: tuple[str, ...] = ()
    """Other tables that it can be written as, by the ending of the path."""
    media_type: str = "application/zip"
    """Type of its file; a folder is downloaded as a ZIP file."""
    counts: str = "row"
    """What the number of an export counts."""
    binary: bool = False
    """Whether it cannot be shown on a terminal, and so needs a path."""
    training: bool = False
    """Whether models are trained on it, so that text and data mining must be allowed."""

    table: Callable[[Reader, ExportOptions], Table] | None = None
    file: Callable[[Reader, BinaryIO, ExportOptions], int] | None = None
    folder: Callable[[Reader, Path, ExportOptions], int] | None = None
    """What writes it: just one of `table`, `file` and `folder`."""
    holds: tuple[str, ...] = ()
    """What lies in its folder."""

    def __post_init__(self) -> None:
        if [self.table, self.file, self.folder].count(None) != 2:
            raise TypeError(f"the format {self.label} needs one of table, file and folder")
        if (self.folder is None) == (not self.ending):
            raise TypeError(f"the format {self.label} needs an ending, or is a folder, which has none")

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings that a path of this format may have; a folder may have any that is no other format's."""
        return (*([self.ending] if self.ending else []), *self.aliases, *self.table_endings)

    @property
    def suffix(self) -> str:
        """What a path of this format ends with: a dot and the ending; nothing for a folder."""
        return f".{self.ending}" if self.ending else ""

    def to_stream(self, reader: Reader, stream: BinaryIO, options: ExportOptions, ending: str = "") -> int:
        """Write to a stream; returns how many rows it holds."""
        if self.table is not None:
            kind = ending if ending in self.table_endings else self.ending
            return TABLE_WRITERS[kind](self.table(reader, options), stream)
        assert self.file is not None
        return self.file(reader, stream, options)


_CSV, _JSONL, _PARQUET = "text/csv", "application/x-ndjson", "application/vnd.apache.parquet"

FORMATS: dict[str, Format] = {
    "jsonl": Format(
        label="JSON lines",
        about="one object a page, or a chunk of a page",
        ending="jsonl",
        aliases=("json", "ndjson"),
        media_type=_JSONL,
        table=page_table,
        takes=_WHICH | _CONTENTS | {"chunks"},
    ),
    "csv": Format(
        label="CSV",
        about="a table for spreadsheets",
        ending="csv",
        media_type=_CSV,
        table=page_table,
        takes=_WHICH | _CONTENTS,
    ),
    "parquet": Format(
        label="Parquet",
        about="a table for pandas, DuckDB and others",
        ending="parquet",
        media_type=_PARQUET,
        table=page_table,
        takes=_WHICH | _CONTENTS | {"chunks"},
        binary=True,
    ),
    "folder": Format(
        label="Folder",
        about="the pages as they were served",
        counts="page",
        folder=write_folder,
        takes=_WHICH | {"with_text"},
        holds=_FOLDER,
    ),
    "markdown": Format(
        label="Markdown",
        about="one file a page, for reading and for language models",
        aliases=("md",),
        counts="page",
        folder=write_markdown,
        takes=_WHICH,
        holds=_FOLDER,
    ),
    "dataset": Format(
        label="Dataset",
        about="Parquet with a card, for the datasets library and for training",
        folder=write_dataset,
        takes=_WHICH | {"html", "markdown", "chunks"},
        holds=_DATASET,
        training=True,
    ),
    "cdxj": Format(
        label="CDXJ",
        about="an index of the crawl's own WARC files",
        ending="cdxj",
        media_type="text/x-cdxj",
        file=write_cdxj,
        takes=_WHICH - {"sort"},
    ),
    "wacz": Format(
        label="WACZ",
        about="a web archive that can be replayed",
        ending="wacz",
        media_type="application/wacz",
        counts="page",
        file=write_wacz,
        takes=_WHICH | {"with_text"},
        binary=True,
    ),
    "graphml": Format(
        label="GraphML",
        about="pages or hosts as a graph, for Gephi",
        ending="graphml",
        media_type="application/graphml+xml",
        counts="node",
        file=write_graphml,
        takes=_WHICH | {"nodes"},
    ),
    "edges": Format(
        label="Links",
        about="the links between pages or hosts as a table",
        ending="csv",
        table_endings=("jsonl", "parquet"),
        media_type=_CSV,
        table=edge_table,
        takes=_WHICH | {"nodes"},
    ),
    "frontier": Format(
        label="Frontier",
        about="links that are known and not fetched, as a table",
        ending="csv",
        table_endings=("jsonl", "parquet"),
        media_type=_CSV,
        table=frontier_table,
        takes=frozenset({"top"}),
    ),
    "failures": Format(
        label="Failures",
        about="URLs that brought no page, with their reasons, as a table",
        ending="csv",
        table_endings=("jsonl", "parquet"),
        media_type=_CSV,
        table=failure_table,
        takes=frozenset(),
    ),
}
"""Name -> format; further ones are added here, and appear everywhere."""


def format_for(name: str, path: Path | None = None) -> tuple[str, Format]:
    """The format of a name, or of the ending of a path if there is no name; they must not differ.

    >>> format_for("md")[0], format_for("", Path("birds.parquet"))[0], format_for("")[0]
    ('markdown', 'parquet', 'jsonl')
    """
    ending = path.suffix.lower().removeprefix(".") if path is not None else ""
    by_ending = next((each for each, format in FORMATS.items() if ending and _ends(format, ending)), "")
    if not name:
        found = by_ending or DEFAULT
        return found, FORMATS[found]
    found = next((each for each, format in FORMATS.items() if name == each or name in format.aliases), "")
    if not found:
        raise UnknownName(f"there is no format '{name}'; choose one of {', '.join(FORMATS)}")
    if by_ending and by_ending != found and ending not in FORMATS[found].endings:
        raise InputError(
            f"{path} ends like the format {by_ending}, but --format says {found}; "
            "name another path, or leave out --format"
        )
    return found, FORMATS[found]


def _ends(format: Format, ending: str) -> bool:
    """Whether a path that ends so is meant to have this format; the first such format is taken."""
    return ending in (format.ending, *format.aliases)


def export(
    reader: Reader,
    format: str,
    path: Path,
    *,
    force: bool = False,
    topic: Callable[[], str] = str,
    **options: Any,
) -> int:
    """Write the crawl to a path; returns how many rows it holds, or whatever the format counts.

    Without a format the ending of the path says which. The export appears under its name only when it is
    whole. `options` are those of `ExportOptions`, `topic` tells what the crawl looked for.
    """
    found, chosen = checked(format, options, path)
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


def checked(format: str, values: dict[str, Any], path: Path | None = None) -> tuple[Format, ExportOptions]:
    """The format of this name or path, and options that make sense for it."""
    name, found = format_for(format, path)
    options = made_options(values)
    for given in options.given():
        if given not in found.takes:
            raise InputError(f"the format {name} takes no {spelled(given)}; leave it out")
    if options.chunks is not None and (options.html or options.with_text or options.facts):
        raise InputError("chunks have the text of the page only; leave --html, --with-text and --facts out")
    if not options.respect and (found.training or options.chunks is not None):
        options = msgspec.structs.replace(options, respect=TRAINING)
    return found, options
