"""Decodes Content-Encoding chunk by chunk, up to a cap, so that compression bombs do no harm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import brotli
from isal import isal_zlib

from lagotto.base import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
_MAX_LAYERS = 2
_PIECE = 256 * 1024
# Eight MiB, the largest window that RFC 9659 lets a server use.
_ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
_ERRORS: tuple[Any, ...] = (isal_zlib.error, brotli.error, zstd.ZstdError)


class TooLarge(Exception):
    """The decoded body is larger than the cap."""


class BadEncoding(Exception):
    """The body is not encoded as its header says."""


class Decoder:
    """Takes a body's chunks as transferred and gives them decoded, `cap` bytes in all at most.

    >>> import gzip
    >>> Decoder("gzip", cap=100).decode(gzip.compress(b"truffle"))
    b'truffle'
    """

    def __init__(self, content_encoding: str, cap: int) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        # Like browsers, treat an unknown coding ("utf-8", "none") as no coding.
        known = [name for name in names if name in _LAYERS]
        if len(known) > _MAX_LAYERS:
            raise BadEncoding(f"{len(known)} layers of encoding")
        self._layers = [_LAYERS[name](cap) for name in reversed(known)]

    @property
    def encoded(self) -> bool:
        """Whether the body is encoded."""
        return bool(self._layers)

    @property
    def finished(self) -> bool:
        """Whether the body was complete as far as its encodings can tell."""
        return all(layer.finished for layer in self._layers)

    def decode(self, chunk: bytes) -> bytes:
        """Decode the next chunk; raises `TooLarge` or `BadEncoding`."""
        try:
            for layer in self._layers:
                chunk = layer.decode(chunk)
        except _ERRORS as error:
            raise BadEncoding(str(error)) from error
        return chunk


class _Layer(ABC):
    def __init__(self, cap: int) -> None:
        self.finished = True
        """Whether the encoded stream is complete as far as it was fed."""
        self._room = cap

    def decode(self, chunk: bytes) -> bytes:
        decoded = []
        for piece in self._pieces(chunk):
            self._room -= len(piece)
            if self._room < 0:
                raise TooLarge
            decoded.append(piece)
        return b"".join(decoded)

    @abstractmethod
    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        """Decode in pieces of limited size, so that a bomb is noticed in time."""


class _Gzip(_Layer):
    """One or more gzip members; what follows them is ignored, as browsers do."""

    def __init__(self, cap: int) -> None:
        super().__init__(cap)
        self._member = isal_zlib.decompressobj(wbits=31)
        self._between = False
        self._held = b""
        self._ended = False

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        chunk, self._held = self._held + chunk, b""
        while chunk and not self._ended:
            if self._between:
                if chunk == b"\x1f":  # half of the mark that a member begins with
                    self._held = chunk
                    return
                if not chunk.startswith(b"\x1f\x8b"):
                    self._ended = True
                    return
                self._member, self._between = isal_zlib.decompressobj(wbits=31), False
            self.finished = False
            yield from _inflate(self._member, chunk)
            if not self._member.eof:
                return
            self.finished = self._between = True
            chunk = self._member.unused_data


class _Deflate(_Layer):
    """A zlib stream, or a raw one: servers send both under the name deflate."""

    def __init__(self, cap: int) -> None:
        super().__init__(cap)
        self._stream: isal_zlib.Decompress | None = None
        self._held = b""

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        if self._stream is None:
            self.finished = False
            self._held += chunk
            if len(self._held) < 2:
                return
            chunk = self._held
            zlib_header = chunk[0] & 0x0F == 8 and (chunk[0] << 8 | chunk[1]) % 31 == 0
            self._stream = isal_zlib.decompressobj(wbits=15 if zlib_header else -15)
        if not self.finished:
            yield from _inflate(self._stream, chunk)
            self.finished = self._stream.eof


def _inflate(stream: isal_zlib.Decompress, chunk: bytes) -> Iterator[bytes]:
    while not stream.eof:
        piece: bytes = stream.decompress(chunk, _PIECE)
        yield piece
        chunk = stream.unconsumed_tail
        # A full piece may leave output behind although all input was taken.
        if not chunk and len(piece) < _PIECE:
            return


class _Brotli(_Layer):
    def __init__(self, cap: int) -> None:
        super().__init__(cap)
        self._stream = brotli.Decompressor()

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        while not self._stream.is_finished():
            piece = self._stream.process(chunk, output_buffer_limit=_PIECE)
            yield piece
            chunk = b""
            if not piece and self._stream.can_accept_more_data():
                break
        self.finished = self._stream.is_finished()


class _Zstd(_Layer):
    """One or more frames."""

    def __init__(self, cap: int) -> None:
        super().__init__(cap)
        self._frame = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)

    def _pieces(self, chunk: bytes) -> Iterator[bytes]:
        while chunk or not self._frame.needs_input:
            yield self._frame.decompress(chunk, _PIECE)
            chunk = b""
            self.finished = self._frame.eof
            if self._frame.eof:
                chunk = self._frame.unused_data
                self._frame = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)


_LAYERS: dict[str, Callable[[int], _Layer]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
