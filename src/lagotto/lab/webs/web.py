"""Frozen webs: many pages in one file, with random access in well under a millisecond.

The file has a header, zstd frames of some 64 KiB of pages each, and the compressed contents (URLs, place of
each page, robots.txt texts, redirects). The header is written last and the file is renamed when complete, so
that an incomplete file is never taken for a web. Checksums of header and contents are verified when a web is
opened, that of a frame when it is read.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
import xxhash

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.base.urls import checksum
from lagotto.lab.webs.spelling import page_key

HTML = "text/html; charset=utf-8"
MAGIC = b"LAGOWEB\n"
VERSION = 1
HEADER = struct.Struct("<8sI4xQQ16sQ")
"""Magic, version, contents' offset and size, web's hash, contents' checksum."""
HEADER_SIZE = HEADER.size + 8
"""The header is followed by its own checksum."""


class WebPage(NamedTuple):
    """A page as its server gave it."""

    url: str
    body: bytes
    content_type: str = HTML


class Web(Protocol):
    """A web that can be served and replayed: frozen or generated."""

    def page(self, url: str) -> WebPage | None:
        """The page behind any spelling of its URL."""
        ...

    def redirect(self, url: str) -> str | None:
        """Where the URL redirects to."""
        ...

    def robots(self, host: str) -> str | None:
        """The host's robots.txt, None if it has none."""
        ...


class Contents(msgspec.Struct, array_like=True):
    """The contents of a web's file besides its pages; arrays are little-endian bytes."""

    keys: bytes
    """Sorted checksums (u8) of the pages' keys."""
    order: bytes
    """Index (u4) of the page of each sorted key."""
    urls: list[str]
    frames: bytes
    """Frame (u4) of each page, in the order of `urls`."""
    starts: bytes
    """Offset of the page in its frame (u4)."""
    sizes: bytes
    """Length of the page (u4)."""
    types: bytes
    """Index of the page's content type in `content_types` (u4)."""
    content_types: list[str]
    frame_offsets: bytes
    """Offset of each frame in the file (u8), and the end of the last one."""
    robots: dict[str, str]
    redirects: dict[str, str]
    """Key of a URL -> URL it redirects to."""


class FrozenWeb:
    """A read-only web on disk; open it with `FrozenWeb.open`."""

    def __init__(self, path: Path, mapped: mmap.mmap, contents: Contents, content_hash: str) -> None:
        self.path = path
        self.content_hash = content_hash
        """Identifies the web by its pages, whatever their order."""
        self._mapped = mapped
        self._contents = contents
        self._keys = np.frombuffer(contents.keys, "<u8")
        self._order = np.frombuffer(contents.order, "<u4")
        self._frames = np.frombuffer(contents.frames, "<u4")
        self._starts = np.frombuffer(contents.starts, "<u4")
        self._sizes = np.frombuffer(contents.sizes, "<u4")
        self._types = np.frombuffer(contents.types, "<u4")
        self._frame_offsets = np.frombuffer(contents.frame_offsets, "<u8")
        self._last_frame: tuple[int, bytes] = (-1, b"")

    @classmethod
    def open(cls, path: str | Path) -> FrozenWeb:
        """Open a web's file; raises `InputError` if it is no web or damaged."""
        path = Path(path)
        mapped = _map(path)
        contents_at, contents_size, content_hash, contents_checksum = _read_header(path, mapped)
        packed = mapped[contents_at : contents_at + contents_size]
        if xxhash.xxh3_64_intdigest(packed) != contents_checksum:
            raise _damaged(path)
        try:
            contents = msgspec.msgpack.decode(zstd.decompress(packed), type=Contents)
        except (zstd.ZstdError, msgspec.DecodeError) as error:
            raise _damaged(path) from error
        return cls(path, mapped, contents, content_hash)

    def page(self, url: str) -> WebPage | None:
        """The page behind any spelling of its URL."""
        place = self._place(url)
        return None if place is None else self._page_at(place)

    def get(self, url: str) -> bytes | None:
        """The page's HTML."""
        page = self.page(url)
        return None if page is None else page.body

    def resolve(self, url: str) -> str | None:
        """The URL as the web spells it, None if the web has no such page."""
        place = self._place(url)
        return None if place is None else self._contents.urls[place]

    def redirect(self, url: str) -> str | None:
        """Where the URL redirects to."""
        redirects = self._contents.redirects
        return redirects.get(page_key(url) or "") if redirects else None

    def robots(self, host: str) -> str | None:
        """The host's robots.txt, None if it has none."""
        return self._contents.robots.get(host)

    def urls(self) -> Sequence[str]:
        """URLs of all pages, in the order in which they were frozen."""
        return self._contents.urls

    def __len__(self) -> int:
        return len(self._contents.urls)

    def __iter__(self) -> Iterator[WebPage]:
        return (self._page_at(place) for place in range(len(self)))

    def close(self) -> None:
        """Close the file."""
        self._mapped.close()

    def __enter__(self) -> FrozenWeb:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _place(self, url: str) -> int | None:
        key = page_key(url)
        if key is None:
            return None
        wanted = key_checksum(key)
        at = int(np.searchsorted(self._keys, np.uint64(wanted)))
        return int(self._order[at]) if at < len(self._keys) and self._keys[at] == wanted else None

    def _page_at(self, place: int) -> WebPage:
        start = int(self._starts[place])
        body = self._frame(int(self._frames[place]))[start : start + int(self._sizes[place])]
        content_type = self._contents.content_types[self._types[place]]
        return WebPage(self._contents.urls[place], body, content_type)

    def _frame(self, number: int) -> bytes:
        # Neighbouring pages are often read one after the other, so the last frame is kept.
        if self._last_frame[0] != number:
            start, end = int(self._frame_offsets[number]), int(self._frame_offsets[number + 1])
            try:
                self._last_frame = (number, zstd.decompress(self._mapped[start:end]))
            except zstd.ZstdError as error:
                raise _damaged(self.path) from error
        return self._last_frame[1]


def key_checksum(key: str) -> int:
    """Unsigned 64-bit checksum of a page's key."""
    return checksum(key) % (1 << 64)


def header_bytes(contents_at: int, contents: bytes, content_hash: bytes) -> bytes:
    """The header of a web's file, with its own checksum at the end."""
    contents_checksum = xxhash.xxh3_64_intdigest(contents)
    header = HEADER.pack(MAGIC, VERSION, contents_at, len(contents), content_hash, contents_checksum)
    return header + xxhash.xxh3_64_digest(header)


def _map(path: Path) -> mmap.mmap:
    with input_errors(f"cannot read {path}"), path.open("rb") as file:
        if path.stat().st_size < HEADER_SIZE:
            raise _not_a_web(path)
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _read_header(path: Path, mapped: mmap.mmap) -> tuple[int, int, str, int]:
    header = mapped[: HEADER.size]
    magic, version, contents_at, contents_size, content_hash, contents_checksum = HEADER.unpack(header)
    if magic != MAGIC:
        raise _not_a_web(path)
    if xxhash.xxh3_64_digest(header) != mapped[HEADER.size : HEADER_SIZE]:
        raise _damaged(path)
    if version != VERSION:
        raise InputError(
            f"{path} is a frozen web of version {version} and this Lagotto reads version {VERSION}; "
            "import it again with 'lagotto lab import'"
        )
    if len(mapped) != contents_at + contents_size:
        raise _damaged(path)
    return contents_at, contents_size, content_hash.hex(), contents_checksum


@contextmanager
def input_errors(what: str) -> Iterator[None]:
    """Turn an `OSError` into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{what}: {error.strerror or error}") from error


def _not_a_web(path: Path) -> InputError:
    return InputError(f"{path} is not a frozen web; make one with 'lagotto lab import'")


def _damaged(path: Path) -> InputError:
    return InputError(f"the frozen web {path} is damaged; import it again with 'lagotto lab import'")
