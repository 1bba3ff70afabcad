"""A folder of files: each page as it was served, and an index of them all."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lagotto.errors import InputError
from lagotto.store.plainly import os_error
from lagotto.store.reader import CrawlReader
from lagotto.store.stories import StoredPage
from lagotto.store.tables import COLUMNS, fields, write_cells

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


def write_folder(reader: CrawlReader, path: Path, with_text: bool, relevant_only: bool) -> int:
    """Write pages below `pages/` and `index.csv` beside; returns how many URLs the index holds."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path} exists and is not an empty directory; name a new one to export to")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        try:
            fresh.chmod(0o755)
            stored = reader.stored_pages(with_text=True, relevant_only=relevant_only)
            with (fresh / "index.csv").open("wb") as index:
                count = write_cells(_written(reader, stored, fresh, with_text), (*COLUMNS, "file"), index)
            fresh.replace(path)
        except BaseException:
            shutil.rmtree(fresh)
            raise
    except OSError as error:
        raise os_error(error, path) from error
    return count


def _written(
    reader: CrawlReader, pages: Iterator[StoredPage], folder: Path, with_text: bool
) -> Iterator[list[object]]:
    """Write each page's file, and give its line of the index."""
    for stored in pages:
        name = _write_page(reader, stored, folder, with_text)
        yield [*fields(stored.row, with_text=False).values(), name]


def _write_page(reader: CrawlReader, stored: StoredPage, folder: Path, with_text: bool) -> str:
    """Write what was served, its text beside it on demand, or its text alone if nothing else is kept."""
    row = stored.row
    text = row.text or ""
    if row.status != 200 or not (stored.place or text):
        return ""
    name = f"pages/{row.seq // _IN_A_FOLDER:04}/{row.seq:07}-{_slug(row.host, 40)}-{_slug(row.title, 50)}"
    name = name.rstrip("-")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if text and (with_text or not stored.place):
        Path(f"{path}.txt").write_text(text, encoding="utf-8")
    if stored.place is None:
        return f"{name}.txt"
    ending = _ENDINGS.get(stored.content_type.partition(";")[0].strip().lower(), ".bin")
    if ending == ".txt" and with_text:
        ending = ".served.txt"
    Path(f"{path}{ending}").write_bytes(reader.body(stored.place).body)
    return f"{name}{ending}"


def _slug(text: str, length: int) -> str:
    """Letters and digits only, so that no name leads out of the folder or means something to a system."""
    return re.sub(r"[^A-Za-z0-9.]+|\.\.+", "-", text)[:length].strip(".-")
