"""Answers as they were received, in WARC files.

Records are appended in the order of the commits: a page's records are written before the transaction
that names their place. What follows the last committed record is cut off when the crawl is resumed, so a
record exists exactly if its page is committed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from lagotto.base.errors import CrawlDirectoryError, DamagedStore
from lagotto.base.records import Fetched, WarcPlace
from lagotto.store import crash_points
from lagotto.store.disk_errors import os_error
from lagotto.store.durable import make_folder, sync, sync_path
from lagotto.store.warc.reading import read_records
from lagotto.store.warc.records import Original, exchange, new_id, warcinfo

FOLDER = "warc"
MAX_BYTES = 1_000_000_000


class WarcWriter:
    """Appends answers; begins a new file when one has reached `max_bytes`.

    `committed` says where the last committed record of each file ends (`Store.warc_ends`). Several workers
    may share a folder if each has a prefix of its own: files of other prefixes are not touched.
    """

    def __init__(
        self,
        folder: Path,
        committed: Mapping[str, int],
        *,
        prefix: str = "lagotto",
        max_bytes: int = MAX_BYTES,
        info: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.prefix = prefix
        self.max_bytes = max_bytes
        self.info = {"software": "Lagotto", "format": "WARC File Format 1.1", **(info or {})}
        self.finished: list[Path] = []
        """Files that will not grow any more, since the list was last emptied."""
        self._file: BinaryIO | None = None
        self._name = ""
        self._end = 0
        self._committed_end = 0
        self._warcinfo_id = ""
        try:
            make_folder(folder)
            self._number = self._cut_back(committed) + 1
        except OSError as error:
            raise os_error(error, folder) from error

    def append(self, fetched: Fetched, original: Original | None = None) -> WarcPlace:
        """Write request and response; they survive the end of the process from now on.

        With an original, which has the same body, a revisit record is written in place of the response.
        """
        if self._end >= self.max_bytes:
            self.close()
        if self._file is None:
            self._begin()
        head = b"" if self._end else warcinfo(self._warcinfo_id, self._name, self.info.items())
        request, response = exchange(fetched, self._warcinfo_id, original)
        place = WarcPlace(self._name, self._end + len(head) + len(request), len(response))
        self._write(head + request + response)
        crash_points.point("warc.written")
        return place

    def committed(self) -> None:
        """What was written so far is committed."""
        self._committed_end = self._end

    def cut_back(self) -> None:
        """Remove what was written since the last commit, because its commit was refused."""
        if self._file is not None and self._end > self._committed_end:
            self._file.truncate(self._committed_end)
            self._file.seek(self._committed_end)
            self._end = self._committed_end

    def close(self) -> None:
        """Close the current file; the next answer goes into a new one."""
        if self._file is not None:
            sync(self._file.fileno())
            self._file.close()
            self._file = None
            self.finished.append(self.folder / self._name)
            self._end = self._committed_end = 0

    def _begin(self) -> None:
        """Start the next file."""
        self._name = f"{self.prefix}-{self._number:05}.warc.gz"
        path = self.folder / self._name
        try:
            self._file = path.open("xb", buffering=0)
            sync_path(self.folder)
        except OSError as error:
            raise os_error(error, path) from error
        self._number += 1
        self._warcinfo_id = new_id()
        crash_points.point("warc.rotated")

    def _write(self, records: bytes) -> None:
        """Write all, or leave the file as it was."""
        assert self._file is not None
        crash_points.torn_write("warc.torn", self._file, records)
        try:
            rest = memoryview(records)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._file.truncate(self._end)
            self._file.seek(self._end)
            raise os_error(error, self.folder / self._name) from error
        self._end += len(records)

    def _cut_back(self, committed: Mapping[str, int]) -> int:
        """Remove what no commit names; returns the number of the last file."""
        numbered = re.compile(re.escape(self.prefix) + r"-(\d{5,})\.warc\.gz")
        names = {path.name for path in self.folder.iterdir() if numbered.fullmatch(path.name)}
        for name in sorted(names - committed.keys()):
            (self.folder / name).unlink()
        for name, end in committed.items():
            path = self.folder / name
            if path.is_symlink():
                raise CrawlDirectoryError(
                    f"{path} is a symbolic link, which is not written through; put the file in its place"
                )
            size = path.stat().st_size if name in names else 0
            if size > end:
                os.truncate(path, end)
            elif size and (size < end or _ends_with_zeros(path, end)):
                os.truncate(path, whole_records(path))
        sync_newest(self.folder)
        found = filter(None, map(numbered.fullmatch, committed))
        return max((int(match[1]) for match in found), default=-1)


def sync_newest(folder: Path) -> None:
    """Have all answers on the disk that were written so far; older files were synced when closed."""
    newest = max(folder.glob("*.warc.gz"), default=None)
    if newest is not None:
        sync_path(newest)


def _ends_with_zeros(path: Path, end: int) -> bool:
    """Whether a power cut has left no more than the length of the last record, which ends with its size."""
    with path.open("rb") as stream:
        stream.seek(max(0, end - 4))
        return end > 0 and not any(stream.read(4))


def whole_records(path: Path) -> int:
    """Where the last complete record ends."""
    end = 0
    with suppress(DamagedStore):
        for record in read_records(path):
            end = record.finish
    return end
