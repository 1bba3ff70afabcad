"""A folder of files: each page as it was served, and an index of them all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lagotto.base.errors import LostAnswer
from lagotto.base.protocols import Reader
from lagotto.base.views import StoredPage
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.pages import COLUMNS, row_values
from lagotto.harvest.export.selection import selected
from lagotto.harvest.export.tables import TEXT, Table, write_csv
from lagotto.parse.stored import markdown_of, text_of

_ENDINGS = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/plain": ".txt",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "application/json": ".json",
    "application/pdf": ".pdf",
}
_IN_A_FOLDER = 1000


def write_folder(reader: Reader, folder: Path, options: ExportOptions) -> int:
    """Write pages below `pages/` and `index.csv` beside; returns how many pages there are.

    The index has a line for URLs without a page too.
    """
    count = 0

    def lines() -> Iterator[list[object]]:
        nonlocal count
        for stored in selected(reader, options, with_text=True):
            name = _write_page(reader, stored, folder, options.with_text)
            count += bool(name)
            yield [*row_values(stored.row), name]

    _write_index(folder, lines())
    return count


def _write_index(folder: Path, lines: Iterator[list[object]]) -> int:
    """Write `index.csv`; returns how many lines it has."""
    with (folder / "index.csv").open("wb") as index:
        return write_csv(Table({**COLUMNS, "file": TEXT}, lines), index)


def file_name(stored: StoredPage) -> str:
    """A readable and safe name below `pages/`, without its ending."""
    row = stored.row
    name = f"pages/{row.seq // _IN_A_FOLDER:04}/{row.seq:07}-{_slug(row.host, 40)}-{_slug(row.title, 50)}"
    return name.rstrip("-")


def _write_page(reader: Reader, stored: StoredPage, folder: Path, with_text: bool) -> str:
    """Write what was served, its text beside it on demand, or its text alone if nothing else is kept."""
    body = _body(reader, stored)
    if stored.row.status != 200 or (body is None and not stored.row.text):
        return ""
    text = (text_of(reader, stored) if with_text else stored.row.text) or ""
    name = file_name(stored)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if text and (with_text or body is None):
        Path(f"{path}.txt").write_text(text, encoding="utf-8")
    if body is None:
        return f"{name}.txt"
    ending = _ENDINGS.get(stored.content_type.partition(";")[0].strip().lower(), ".bin")
    if ending == ".txt" and with_text:
        ending = ".served.txt"
    Path(f"{path}{ending}").write_bytes(body)
    return f"{name}{ending}"


def _body(reader: Reader, stored: StoredPage) -> bytes | None:
    """What was served; None if it was not kept, or is lost."""
    if stored.place is None or stored.row.status != 200:
        return None
    try:
        return reader.body(stored.place).body
    except LostAnswer:
        return None


def _slug(text: str, length: int) -> str:
    """Letters and digits only, so that no name leads out of the folder or means something to a system."""
    return re.sub(r"[^A-Za-z0-9.]+|\.\.+", "-", text)[:length].strip(".-")


_ORDER = (
    "url title description author published modified license opt_outs fetched_at relevance relevant language"
    " host depth parent link_score fingerprint final_url canonical"
)
_FIELDS = _ORDER.split()
_unprintable = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").sub
"""Characters that YAML does not take as they are, beyond those that JSON escapes."""


def write_markdown(reader: Reader, folder: Path, options: ExportOptions) -> int:
    """Write pages below `pages/` and `index.csv` beside; returns how many pages there are."""
    return _write_index(folder, _markdown_written(reader, folder, options))


def _markdown_written(reader: Reader, folder: Path, options: ExportOptions) -> Iterator[list[object]]:
    """Write the file of each page and return its line of the index."""
    for stored in selected(reader, options, with_text=True):
        body = markdown_of(reader, stored)
        if body is not None:
            name = f"{file_name(stored)}.md"
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(f"{front_matter(stored)}\n{body}\n".encode("utf-8", "replace"))
            yield [*row_values(stored.row), name]


def front_matter(stored: StoredPage) -> str:
    """What is known of the page, as YAML between two lines of dashes."""
    named = dict(zip(COLUMNS, row_values(stored.row), strict=True))
    named["final_url"] = named["final_url"] if named["final_url"] != named["url"] else ""
    known = [(name, named[name]) for name in _FIELDS if named[name] not in (None, "")]
    if stored.near_duplicate_of:
        known.append(("near_duplicate_of", stored.near_duplicate_of))
    return "".join(["---\n", *(f"{name}: {yaml_scalar(value)}\n" for name, value in known), "---\n"])


def yaml_scalar(value: object) -> str:
    """A value in YAML: text always in quotes, so that no title is read as anything else.

    >>> yaml_scalar("yes: no"), yaml_scalar(True), yaml_scalar(0.5)
    ('"yes: no"', 'true', '0.5')
    """
    text = json.dumps(value, ensure_ascii=False)
    return _unprintable(lambda match: f"\\u{ord(match[0]):04x}", text)
