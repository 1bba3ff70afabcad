"""Pages as plain files in a folder of the user's, written as they come."""

from __future__ import annotations

import re
from pathlib import Path

from lagotto.records import Fetched
from lagotto.store.disk_errors import os_error
from lagotto.urls import checksum

_ENDINGS = {"text/plain": ".txt", "application/pdf": ".pdf"}
_UNSAFE = re.compile(r"[^A-Za-z0-9.]+|\.\.+")


class PageFolder:
    """Writes the body of each page under a name made of its URL, the same each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise os_error(error, folder) from error

    def add(self, fetched: Fetched) -> Path:
        """Write a page; one that was written before is replaced."""
        path = self.folder / file_name(fetched.url, fetched.content_type)
        try:
            path.write_bytes(fetched.body)
        except OSError as error:
            raise os_error(error, path) from error
        return path


def file_name(url: str, content_type: str) -> str:
    """A readable, safe and unique name.

    >>> file_name("http://example.org/birds/?page=2", "text/html")
    'example.org-birds-page-2-8aece277.html'
    """
    readable = _UNSAFE.sub("-", url.partition("//")[2])[:80].strip(".-")
    kind = content_type.partition(";")[0].strip()
    return f"{readable}-{checksum(url) & 0xFFFFFFFF:08x}{_ENDINGS.get(kind, '.html')}"
