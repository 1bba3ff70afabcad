"""Answers as they came, in WARC files.

Records are appended in the order of the commits: a page's records leave the process before the
transaction that names their place. What lies beyond the last committed place is cut off when the
crawl goes on, so a record is there exactly if its page is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from lagotto.errors import DamagedStore
from lagotto.records import Fetched, WarcPlace
from lagotto.store import crash
from lagotto.store.plainly import os_error
from lagotto.store.warc_reading import read_records
from lagotto.store.warc_records import exchange, new_id, warcinfo

FOLDER = "warc"
MAX_BYTES = 1_000_000_000
_NAME = re.compile(r"lagotto-(\d{5,})\.warc\.gz")


class WarcWriter:
    """Appends answers; begins a new file when one has reached `max_bytes`.

    `committed` says where the last committed record of each file ends (`SqliteStore.warc_ends`).
    """

    def __init__(
        self,
        folder: Path,
        committed: Mapping[str, int],
        *,
        max_bytes: int = MAX_BYTES,
        info: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self.info = {"software": "Lagotto", "format": "WARC File Format 1.1", **(info or {})}
        self.notes: list[str] = []
        """What was found on opening that a person should know, as sentences."""
        self._file: BinaryIO | None = None
        self._name = ""
        self._end = 0
        self._warcinfo_id = ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._number = self._cut_back(committed) + 1
        except OSError as error:
            raise os_error(error, folder) from error

    def append(self, fetched: Fetched) -> WarcPlace:
        """Write request and response; when this returns they have left the process."""
        if self._end >= self.max_bytes:
            self.close()
        if self._file is None:
            self._begin()
        head = b"" if self._end else warcinfo(self._warcinfo_id, self._name, self.info.items())
        request, response = exchange(fetched, self._warcinfo_id)
        place = WarcPlace(self._name, self._end + len(head) + len(request), len(response))
        self._write(head + request + response)
        crash.point("warc.written")
        return place

    def close(self) -> None:
        """Close the current file; the next answer goes into a new one."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
            self._end = 0

    def _begin(self) -> None:
        """Start the next file."""
        self._name = f"lagotto-{self._number:05}.warc.gz"
        path = self.folder / self._name
        try:
            self._file = path.open("xb", buffering=0)
        except OSError as error:
            raise os_error(error, path) from error
        self._number += 1
        self._warcinfo_id = new_id()
        crash.point("warc.rotated")

    def _write(self, records: bytes) -> None:
        """Write all, or leave the file as it was."""
        assert self._file is not None
        crash.torn_write("warc.torn", self._file, records)
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
        """Remove what no commit names; returns the number of the last file that was ever begun."""
        names = {path.name for path in self.folder.iterdir() if _NAME.fullmatch(path.name)}
        for name in sorted(names - committed.keys()):
            (self.folder / name).unlink()
        for name, end in committed.items():
            path = self.folder / name
            size = path.stat().st_size if name in names else 0
            if size > end:
                os.truncate(path, end)
            elif size < end:
                self.notes.append(f"{path} has lost its last {end - size} bytes; the pages are kept as text")
                if size:
                    os.truncate(path, whole_records(path))
        return max((int(_NAME.sub(r"\1", name)) for name in committed), default=-1)


def whole_records(path: Path) -> int:
    """Where the last record that is whole ends."""
    end = 0
    with suppress(DamagedStore):
        for record in read_records(path):
            end = record.finish
    return end
