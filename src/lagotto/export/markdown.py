"""A folder of Markdown files, one a page, each with YAML front matter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lagotto.export.contents import markdown_of
from lagotto.export.folder import file_name
from lagotto.export.options import ExportOptions
from lagotto.export.pages import COLUMNS, row_values
from lagotto.export.selection import selected
from lagotto.export.tables import TEXT, Table, write_csv
from lagotto.protocols import Reader
from lagotto.views import StoredPage

_ORDER = (
    "url title description author published modified license opt_outs fetched_at relevance relevant language"
    " host depth parent link_score fingerprint final_url canonical"
)
_FIELDS = _ORDER.split()
_unprintable = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").sub
"""Characters that YAML does not take as they are, beyond those that JSON escapes."""


def write_markdown(reader: Reader, folder: Path, options: ExportOptions) -> int:
    """Write pages below `pages/` and `index.csv` beside; returns how many pages there are."""
    with (folder / "index.csv").open("wb") as index:
        return write_csv(Table({**COLUMNS, "file": TEXT}, _written(reader, folder, options)), index)


def _written(reader: Reader, folder: Path, options: ExportOptions) -> Iterator[list[object]]:
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
