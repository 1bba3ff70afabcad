"""Reads a response's body: decodes it chunk by chunk, caps its size, and stops early if it is not a page."""

from __future__ import annotations

from asyncio import Semaphore

from aiohttp import ClientPayloadError, StreamReader
from msgspec import Struct

from lagotto.base.records import Reason
from lagotto.fetch.decode import BadEncoding, Decoder, TooLarge
from lagotto.fetch.sniff import SNIFF_LENGTH, sniff

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
SITEMAP_TYPES = frozenset({"application/xml", "text/xml", "application/rss+xml", "application/atom+xml"})
_LARGEST_CUT = 10 * 1024 * 1024
_LARGE = 1024 * 1024


class Wanted(Struct, frozen=True):
    """What a body must be to be kept."""

    cap: int
    """Decoded bytes, and transferred ones."""
    types: frozenset[str] | None = None
    """Acceptable types after sniffing; None for all."""
    cut: bool = False
    """Keep what fits of a larger body, instead of refusing it."""
    unpack: bool = False
    """Unpack a gzip file, as sitemaps may be compressed."""


class Refused(Exception):
    """The body is not what is wanted."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Body:
    """A body while and after it is read."""

    def __init__(self, wanted: Wanted, declared_type: str, content_encoding: str) -> None:
        self.wanted = wanted
        self.declared_type = declared_type
        self.wire = b""
        """The body as transferred."""
        self.content = b""
        """The decoded body."""
        self.content_type = ""
        self.truncated = False
        self._chunks: list[bytes] = []
        self._room = wanted.cap
        # A body that is to be cut may be larger than what is kept of it.
        self._limit = max(wanted.cap, _LARGEST_CUT) if wanted.cut else wanted.cap
        try:
            self._decoder = Decoder(content_encoding, self._limit)
        except BadEncoding as error:
            raise Refused(Reason.BAD_ENCODING, str(error)) from error
        self._pieces = [] if self._decoder.encoded else self._chunks
        self._size = 0

    async def read(self, stream: StreamReader, large_bodies: Semaphore) -> None:
        """Read to the end, to the cap, or to the point where the body is refused.

        Only a few bodies at a time may grow large, or many slow downloads would fill the memory;
        the others wait, and their servers with them.
        """
        large = False
        try:
            while chunk := await stream.readany():
                if not self._take(chunk):
                    self.truncated = True
                    break
                if not large and self._size > _LARGE:
                    await large_bodies.acquire()
                    large = True
            else:
                self.truncated = not self._decoder.finished
            self._finish()
        except ClientPayloadError:
            # The connection broke off; the part that came is kept.
            if not self._chunks:
                raise
            self.truncated = True
            self._finish()
        finally:
            if large:
                large_bodies.release()

    def _finish(self) -> None:
        if not self.content_type:
            self._check_type()
        self.wire = b"".join(self._chunks)
        self.content = b"".join(self._pieces)[: self.wanted.cap] if self._decoder.encoded else self.wire

    def _take(self, chunk: bytes) -> bool:
        """Add a chunk; False if the body is now larger than the cap and must be cut."""
        if self.wanted.unpack and not self._chunks and chunk.startswith(b"\x1f\x8b"):
            self._unpack()
        whole = len(chunk) <= self._room
        if not whole:
            if not self.wanted.cut:
                raise Refused(Reason.TOO_LARGE, f"more than {self.wanted.cap} bytes")
            chunk = chunk[: self._room]
        self._chunks.append(chunk)
        self._room -= len(chunk)
        if self._decoder.encoded:
            piece = self._decode(chunk)
            if piece is None:
                return False
            self._pieces.append(piece)
            self._size += len(piece)
        else:
            self._size += len(chunk)
        if not self.content_type and self._size >= SNIFF_LENGTH:
            self._check_type()
        return whole and self._size <= self.wanted.cap

    def _decode(self, chunk: bytes) -> bytes | None:
        try:
            return self._decoder.decode(chunk)
        except TooLarge:
            if self.wanted.cut:
                return None
            raise Refused(Reason.TOO_LARGE, f"more than {self.wanted.cap} bytes decompressed") from None
        except BadEncoding as error:
            raise Refused(Reason.BAD_ENCODING, str(error)) from error

    def _unpack(self) -> None:
        if not self._decoder.encoded:
            self._decoder = Decoder("gzip", self._limit)
            self._pieces = []
            self.declared_type = ""

    def _check_type(self) -> None:
        head = b"".join(self._pieces)[:SNIFF_LENGTH]
        self.content_type = sniff(self.declared_type, head)
        if self.wanted.types is not None and self.content_type not in self.wanted.types:
            raise Refused(Reason.CONTENT_TYPE, self.content_type)
