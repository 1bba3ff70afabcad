"""Writing a frozen web; only its index is kept in memory."""

from __future__ import annotations

import os
from array import array
from pathlib import Path

import msgspec
import numpy as np
import xxhash

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.base.urls import canonical
from lagotto.lab.webs.spelling import page_key
from lagotto.lab.webs.web import HEADER_SIZE, HTML, Contents, header_bytes, input_errors, key_checksum

FRAME_BYTES = 64 << 10
"""Size at which a frame is compressed: it takes 60 µs to unpack and is seven to eight times smaller."""
ZSTD_OPTIONS: dict[int, int] = {
    zstd.CompressionParameter.compression_level: 6,
    zstd.CompressionParameter.checksum_flag: 1,
}


class WebWriter:
    """Writes a frozen web as a context manager; after an exception there is no file."""

    def __init__(self, path: str | Path, frame_bytes: int = FRAME_BYTES) -> None:
        self.path = Path(path)
        self.frame_bytes = frame_bytes
        self._unfinished = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with input_errors(f"cannot write {self.path}"):
            self._file = self._unfinished.open("wb")
            self._file.write(bytes(HEADER_SIZE))
        self._frame = bytearray()
        self._known: set[int] = set()
        self._keys = array("Q")
        self._urls: list[str] = []
        self._frames = array("I")
        self._starts = array("I")
        self._sizes = array("I")
        self._types = array("I")
        self._content_types: dict[str, int] = {}
        self._frame_offsets = array("Q", [HEADER_SIZE])
        self._robots: dict[str, str] = {}
        self._redirects: dict[str, str] = {}
        self._digests: list[bytes] = []

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, url: str, body: bytes, content_type: str = HTML) -> bool:
        """Add a page; False if its URL is invalid or another spelling of a page already added."""
        spelled, key = canonical(url), page_key(url)
        if spelled is None or key is None:
            return False
        number = key_checksum(key)
        if number in self._known:
            return False
        self._known.add(number)
        self._keys.append(number)
        self._urls.append(spelled)
        self._frames.append(len(self._frame_offsets) - 1)
        self._starts.append(len(self._frame))
        self._sizes.append(len(body))
        self._types.append(self._content_types.setdefault(content_type, len(self._content_types)))
        self._digests.append(_digest(key, content_type.encode(), body))
        self._frame += body
        if len(self._frame) >= self.frame_bytes:
            self._flush()
        return True

    def add_redirect(self, url: str, target: str) -> bool:
        """Add a redirect; False if one of the two URLs is invalid."""
        key, location = page_key(url), canonical(target, url)
        if key is None or location is None:
            return False
        if self._redirects.setdefault(key, location) == location:
            self._digests.append(_digest(key, b"redirect", location.encode()))
        return True

    def add_robots(self, host: str, text: str) -> None:
        """Add a host's robots.txt."""
        if self._robots.setdefault(host, text) == text:
            self._digests.append(_digest(host, b"robots", text.encode()))

    def __enter__(self) -> WebWriter:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        try:
            if failed is None:
                self._finish()
        finally:
            self._file.close()
            self._unfinished.unlink(missing_ok=True)

    def _flush(self) -> None:
        with input_errors(f"cannot write {self.path}"):
            self._file.write(_compressed(self._frame))
        self._frame_offsets.append(self._file.tell())
        self._frame.clear()

    def _finish(self) -> None:
        if not self._urls:
            raise InputError(f"there is no page to freeze in {self.path}; nothing was written")
        self._flush()
        contents_at = self._file.tell()
        contents = _compressed(msgspec.msgpack.encode(self._contents()))
        content_hash = xxhash.xxh3_128_digest(b"".join(sorted(set(self._digests))))
        with input_errors(f"cannot write {self.path}"):
            self._file.write(contents)
            self._file.seek(0)
            self._file.write(header_bytes(contents_at, contents, content_hash))
            self._file.close()
            self._unfinished.replace(self.path)

    def _contents(self) -> Contents:
        keys = np.array(self._keys, "<u8")
        order = np.argsort(keys)
        return Contents(
            keys=keys[order].tobytes(),
            order=order.astype("<u4").tobytes(),
            urls=self._urls,
            frames=np.array(self._frames, "<u4").tobytes(),
            starts=np.array(self._starts, "<u4").tobytes(),
            sizes=np.array(self._sizes, "<u4").tobytes(),
            types=np.array(self._types, "<u4").tobytes(),
            content_types=list(self._content_types),
            frame_offsets=np.array(self._frame_offsets, "<u8").tobytes(),
            robots=self._robots,
            redirects=self._redirects,
        )


def _compressed(content: bytes | bytearray) -> bytes:
    return zstd.compress(content, options=ZSTD_OPTIONS)


def _digest(*parts: str | bytes) -> bytes:
    """Digest of texts, each preceded by its length."""
    hasher = xxhash.xxh3_128()
    for part in parts:
        encoded = part.encode() if isinstance(part, str) else part
        hasher.update(len(encoded).to_bytes(8, "little"))
        hasher.update(encoded)
    return hasher.digest()
