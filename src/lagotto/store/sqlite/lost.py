"""Pages whose answer is lost: a power cut took it, or somebody the file that it was in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lagotto.base.errors import LostAnswer
from lagotto.base.records import WarcPlace
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sqlite import database
from lagotto.store.warc.reading import read_response
from lagotto.store.warc.writer import FOLDER

_WHOLE_IN_A_ROW = 100
"""Newest answers that must be whole, one after the other, for those before to be taken for whole too."""
_OUTSIDE = "SELECT page FROM pages WHERE warc = ? AND warc_offset + warc_length > ? ORDER BY page"
_NEWEST = "SELECT page, warc, warc_offset, warc_length FROM pages WHERE warc IS NOT NULL ORDER BY page DESC"


def lost_pages(directory: Path) -> list[int]:
    """Numbers of the pages whose answer is no more there, in order.

    A power cut costs what was written last, so of what lies in the files only the newest is read.
    """
    path = directory / database.FILE
    if not path.exists():
        return []
    with disk_errors_explained(path), closing(database.connect_to_read(path)) as db:
        files = [name for (name,) in db.execute("SELECT file FROM warcs")]
        folder = directory / FOLDER
        lost = {page for name in files for (page,) in db.execute(_OUTSIDE, (name, _size(folder / name)))}
        lost.update(_unreadable(folder, db.execute(_NEWEST), lost))
    return sorted(lost)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _unreadable(folder: Path, newest: Iterator[tuple[int, str, int, int]], known: set[int]) -> Iterator[int]:
    """Pages whose answer lies where it should and cannot be read, from the newest on."""
    whole = 0
    for page, file, offset, length in newest:
        if page in known:
            continue
        try:
            read_response(folder, WarcPlace(file, offset, length))
            whole += 1
        except LostAnswer:
            whole = 0
            yield page
        if whole == _WHOLE_IN_A_ROW:
            return
