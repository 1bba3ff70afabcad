"""Where one worker of a shared crawl keeps answers: files of its own, sealed when they are finished."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lagotto.base.errors import CrawlDirectoryError, InputError
from lagotto.base.records import WarcPlace
from lagotto.store.warc.writer import FOLDER, WarcWriter


class ObjectStore:
    """The folder of a crawl's WARC files at a URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise InputError(
                f"WARC files at {url} need fsspec; install it with `pip install fsspec`, and what the "
                "place needs beside it, such as s3fs"
            ) from error
        try:
            self._files, path = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise InputError(f"{url} is no place for WARC files: {error}") from error
        self._path = f"{path.rstrip('/')}/{FOLDER}"

    def put(self, path: Path) -> None:
        """Copy a finished file; it is there wholly or not at all, as object stores promise."""
        self._attempt(lambda: self._copy(path))

    def _copy(self, path: Path) -> None:
        self._files.makedirs(self._path, exist_ok=True)
        self._files.put_file(str(path), f"{self._path}/{path.name}")

    def read(self, place: WarcPlace) -> bytes:
        """The record at a place as it is stored."""
        name, end = f"{self._path}/{place.file}", place.offset + place.length
        found = self._attempt(lambda: self._files.cat_file(name, start=place.offset, end=end))
        return bytes(found)

    def names(self) -> list[str]:
        """Names of the files that are there."""
        if not self._attempt(lambda: self._files.exists(self._path)):
            return []
        found = self._attempt(lambda: self._files.ls(self._path, detail=False))
        return sorted(str(name).rpartition("/")[2] for name in found)

    def _attempt(self, act: Any) -> Any:
        try:
            return act()
        except FileNotFoundError as error:
            raise CrawlDirectoryError(
                f"{error.args[0] if error.args else self.url} is not there yet; files are copied when they "
                "are finished"
            ) from error
        except OSError as error:
            raise CrawlDirectoryError(
                f"{self.url} cannot be used ({error}); check the address and the permissions"
            ) from error


class Archive:
    """WARC files of one worker, in a folder or in an object store."""

    def __init__(
        self, files: str, owner: str, *, max_bytes: int, info: Mapping[str, str] | None = None
    ) -> None:
        """`files` is a path that the workers share, or a URL that fsspec knows."""
        self._remote = ObjectStore(files) if "://" in files else None
        self._staging = Path(tempfile.mkdtemp(prefix="lagotto-warc-")) if self._remote else None
        folder = self._staging or Path(files) / FOLDER
        prefix = f"lagotto-{owner}"
        self.writer = WarcWriter(folder, {}, prefix=prefix, max_bytes=max_bytes, info=info)

    def take_sealed(self) -> list[str]:
        """Seal the files that are finished: copy them if need be; returns their names."""
        finished, self.writer.finished = self.writer.finished, []
        for path in finished:
            if self._remote is not None:
                self._remote.put(path)
                path.unlink()
        return [path.name for path in finished]

    def close(self) -> list[str]:
        """Finish the last file; returns the names of the files that were sealed."""
        self.writer.close()
        sealed = self.take_sealed()
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)
        return sealed


def seal_abandoned(files: str, ends: Mapping[str, int]) -> list[str]:
    """Cut files of dead workers after their last committed record; returns those that could be reached.

    What a worker had written to its own disk, to be copied later, is lost with that disk.
    """
    if "://" in files:
        there = set(ObjectStore(files).names())
        return [name for name in ends if name in there]
    sealed = []
    for name, end in ends.items():
        path = Path(files) / FOLDER / name
        if path.exists() and path.stat().st_size >= end:
            os.truncate(path, end)
            sealed.append(name)
    return sealed
