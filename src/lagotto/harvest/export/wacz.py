"""WACZ: answers, index and list of pages in one ZIP file that ReplayWeb.page opens.

Nothing in it is compressed a second time, so that a player can read single records out of it. ReplayWeb.page
cannot read files with ZIP64 sizes in their local header, so a new WARC file is begun before one is so large.
"""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO
from zipfile import ZipFile, ZipInfo

import msgspec

from lagotto.base.errors import LostAnswer
from lagotto.base.protocols import Reader
from lagotto.base.records import WarcPlace
from lagotto.base.views import StoredPage
from lagotto.harvest.export.cdxj import cdxj_line, sorted_lines
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.selection import selected
from lagotto.store.warc.records import new_id, warcinfo
from lagotto.store.warc.writer import MAX_BYTES

VERSION = "1.1.1"
"""Version of the WACZ standard."""
_INDEX = "index.cdx.gz"
_LINES = 300
"""Lines of a compressed block of the index."""
_HEADER = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}


def write_wacz(reader: Reader, stream: BinaryIO, options: ExportOptions) -> int:
    """Write the stored answers of the chosen URLs; returns how many of them are pages."""
    with (
        _Archive(stream) as archive,
        tempfile.TemporaryFile() as lines,
        tempfile.TemporaryFile() as pages,
    ):
        pages.write(_json(_HEADER | {"hasText": options.with_text}))
        with _Warcs(archive) as warcs:
            count, main = _copy_records(reader, options, warcs, lines, pages)
        size = pages.tell()
        lines.seek(0)
        pages.seek(0)
        with archive.member(f"indexes/{_INDEX}") as index:
            blocks = list(_write_blocks(sorted_lines(lines), index))
        with archive.member("indexes/index.idx") as member:
            member.write(b"!meta 0 " + _json({"format": "cdxj-gzip-1.0", "filename": _INDEX}))
            member.writelines(blocks)
        with archive.member("pages/pages.jsonl", size) as member:
            member.writelines(pages)
        archive.describe(main)
    return count


def _copy_records(
    reader: Reader, options: ExportOptions, warcs: _Warcs, lines: BinaryIO, pages: BinaryIO
) -> tuple[int, dict[str, str]]:
    """Copy the records and list them; returns how many pages there are, and the first."""
    count, main = 0, dict[str, str]()
    for stored in selected(reader, options, with_text=options.with_text):
        if stored.place is None:
            continue
        try:
            answer, record = reader.body(stored.place), reader.record(stored.place)
        except LostAnswer:
            continue
        lines.write(cdxj_line(stored, answer, warcs.add(record)))
        if stored.is_page:
            count += 1
            pages.write(_json(_page(stored)))
            main = main or {"mainPageUrl": stored.row.url, "mainPageDate": stored.row.fetched_at}
    return count, main


def _page(stored: StoredPage) -> dict[str, object]:
    row = stored.row
    page = {"id": str(row.seq), "url": row.url, "ts": row.fetched_at, "title": row.title}
    return page | ({"text": row.text} if row.text else {}) | {"relevance": row.relevance}


def _write_blocks(lines: Iterable[bytes], index: _Member) -> Iterator[bytes]:
    """Write the index in compressed blocks, and give the line that says where each lies."""
    offset, rest = 0, iter(lines)
    while block := list(islice(rest, _LINES)):
        packed = gzip.compress(b"".join(block), mtime=0)
        place = {"offset": offset, "length": len(packed), "digest": _sha256(packed), "filename": _INDEX}
        yield block[0].partition(b"{")[0] + _json(place)
        offset += index.write(packed)
    if not offset:
        index.write(gzip.compress(b"", mtime=0))


class _Member:
    """A file in the archive, whose checksum is taken as it is written."""

    def __init__(self, stream: BinaryIO) -> None:
        self.size = 0
        self.hash = hashlib.sha256()
        self._stream = stream

    def write(self, content: bytes) -> int:
        self._stream.write(content)
        self.hash.update(content)
        self.size += len(content)
        return len(content)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)


class _Archive:
    """The ZIP file, and the list of what is in it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._zip = ZipFile(stream, "w")
        self._now = datetime.now(UTC)
        self._resources: list[dict[str, object]] = []

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        # After an error the file is thrown away, and closing it may fail again.
        with nullcontext() if kind is None else suppress(OSError, ValueError):
            self._zip.close()

    @contextmanager
    def member(self, path: str, size: int = 0) -> Iterator[_Member]:
        """A new file in the archive, only one at a time; its size is needed if it may be over 2 GB."""
        info = ZipInfo(path, self._now.timetuple()[:6])
        info.file_size = size
        with self._zip.open(info, "w") as stream:
            member = _Member(stream)  # type: ignore[arg-type]
            yield member
        name = path.rpartition("/")[2].lower()
        hash = f"sha256:{member.hash.hexdigest()}"
        self._resources.append({"name": name, "path": path, "hash": hash, "bytes": member.size})

    def describe(self, main: dict[str, str]) -> None:
        """Add the description of the whole."""
        package = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": "Crawl of Lagotto",
            "software": "Lagotto",
            "created": self._now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            **main,
            "resources": self._resources,
        }
        content = msgspec.json.format(msgspec.json.encode(package), indent=2)
        with self.member("datapackage.json") as member:
            member.write(content)
        with self.member("datapackage-digest.json") as member:
            member.write(_json({"path": "datapackage.json", "hash": _sha256(content)}))


class _Warcs:
    """The WARC files of the archive; a new one is begun when one has reached `MAX_BYTES`."""

    def __init__(self, archive: _Archive) -> None:
        self._archive = archive
        self._open = ExitStack()
        self._number = 0
        self._begin()

    def __enter__(self) -> _Warcs:
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    def add(self, record: bytes) -> WarcPlace:
        """Append a record."""
        if self._warc.size >= MAX_BYTES:
            self._open.close()
            self._begin()
        return WarcPlace(self._name, self._warc.size, self._warc.write(record))

    def _begin(self) -> None:
        self._name = f"data-{self._number:05}.warc.gz"
        self._number += 1
        self._warc = self._open.enter_context(self._archive.member(f"archive/{self._name}"))
        info = [("software", "Lagotto"), ("format", "WARC File Format 1.1")]
        self._warc.write(warcinfo(new_id(), self._name, info))


def _json(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _sha256(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
