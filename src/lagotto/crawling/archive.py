"""Keeping the answers of a crawl: in WARC files, and in a folder of pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from lagotto.base.protocols import Storage, Store
from lagotto.base.records import Fetched, WarcPlace
from lagotto.base.urls import checksum
from lagotto.crawling.cluster.membership import Membership
from lagotto.crawling.config import Config
from lagotto.store import WarcWriter
from lagotto.store.disk_errors import os_error
from lagotto.store.warc.archive import Archive, seal_abandoned
from lagotto.store.warc.records import Original

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


class Keeping:
    """Keeps answers as they come in; a worker of a shared crawl has WARC files of its own."""

    def __init__(
        self,
        config: Config,
        storage: Storage,
        original_of: Callable[[Fetched], Original | None] = lambda _: None,
    ) -> None:
        """`original_of` gives the stored answer that has the same body as another, if there is one."""
        self._config = config
        self._storage = storage
        self._original_of = original_of
        self._folder = PageFolder(Path(config.pages_folder)) if config.pages_folder else None
        self._warc: WarcWriter | None = None
        self._archive: Archive | None = None
        self._membership: Membership | None = None

    @property
    def keeps(self) -> bool:
        """Whether answers are kept at all."""
        return self._warc is not None or self._folder is not None

    async def open(self, store: Store, membership: Membership | None) -> None:
        """Begin to write WARC files, if the crawl has any."""
        config = self._config
        if not config.keep_warc:
            return
        info = {"robots": "obey" if config.obey_robots else "ignore"}
        size = config.warc_size
        if membership is not None and self._storage.files:
            archive = Archive(self._storage.files, membership.owner, max_bytes=size, info=info)
            self._membership, self._archive, self._warc = membership, archive, archive.writer
            await self._seal_abandoned(membership)
        elif membership is None and self._storage.folder is not None:
            folder = self._storage.folder / "warc"
            self._warc = WarcWriter(folder, await store.warc_ends(), max_bytes=size, info=info)

    async def _seal_abandoned(self, membership: Membership) -> None:
        """Seal the files of workers that are gone."""
        store, alive = membership.store, membership.census.workers
        left = {
            each.name: each.end for each in await store.warcs() if not each.sealed and each.owner not in alive
        }
        await store.seal(seal_abandoned(self._storage.files, left))

    def keep(self, fetched: Fetched) -> WarcPlace | None:
        """Keep an answer; returns its place in a WARC file, if it has one."""
        if self._folder is not None and fetched.status == 200:
            self._folder.add(fetched)
        return self._warc.append(fetched, self._original_of(fetched)) if self._warc is not None else None

    def unkeep(self) -> None:
        """Take back what was written since the last commit."""
        if self._warc is not None:
            self._warc.cut_back()

    async def committed(self) -> None:
        """Take note of a commit: files that are finished can be sealed."""
        if self._warc is None:
            return
        self._warc.committed()
        if self._archive is not None and self._membership is not None and self._warc.finished:
            await self._membership.store.seal(await asyncio.to_thread(self._archive.take_sealed))

    async def close(self) -> None:
        """Finish the files."""
        if self._archive is not None and self._membership is not None:
            await self._membership.store.seal(self._archive.close())
        elif self._warc is not None:
            self._warc.close()
