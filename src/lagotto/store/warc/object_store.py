"""WARC files in an object store, such as `s3://bucket/folder`, or any other place that fsspec knows.

Files cannot grow there. A worker writes each file on its own disk and copies it when it is finished.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lagotto.errors import CrawlDirectoryError, InputError
from lagotto.records import WarcPlace
from lagotto.store.warc.writer import FOLDER


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
