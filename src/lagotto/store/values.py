"""Values as they are stored: texts, term counts, parts of scores, checksums."""

from __future__ import annotations

from array import array

import msgspec
import xxhash
from isal import isal_zlib
from isal.igzip_lib import IsalError

from lagotto.base.records import WarcPlace
from lagotto.base.text import CountedTerms


def pack(parts: list[float]) -> bytes | None:
    """Parts of a score as they are stored."""
    return array("f", parts).tobytes() if parts else None


def unpack(packed: bytes | None) -> list[float]:
    """Parts of a score as they were stored, each rounded to 32 bits."""
    return array("f", packed).tolist() if packed else []


_LEVEL = 2
"""Half the size in a fifth of zlib's time, measured on pages of 2 kB of text."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(CountedTerms)


def plain(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot encode."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def compress(text: str) -> bytes:
    """Text to its stored form."""
    return isal_zlib.compress(text.encode("utf-8", "replace"), _LEVEL)


def decompress(stored: bytes) -> str:
    """The text as it was; raises `ValueError` if it is damaged."""
    try:
        return isal_zlib.decompress(stored).decode("utf-8")
    except IsalError as error:  # type: ignore[misc]  # Its types do not say that it is an exception.
        raise ValueError(f"the text is damaged: {error}") from error


def compress_terms(found: CountedTerms) -> bytes:
    """Term counts to their stored form."""
    return isal_zlib.compress(_encoder.encode(found), _LEVEL)


def decompress_terms(stored: bytes) -> CountedTerms | None:
    """The term counts as they were; None if they are damaged."""
    try:
        return _decoder.decode(isal_zlib.decompress(stored))
    except (IsalError, msgspec.MsgspecError):  # type: ignore[misc]  # As above.
        return None


def text_checksum(stored: bytes) -> int:
    """Checksum of a text as it is stored."""
    return signed(xxhash.xxh3_64_intdigest(stored))


def signed(value: int) -> int:
    """An unsigned 64-bit number as databases keep it."""
    return value - (1 << 64) if value >> 63 else value


def hexadecimal(fingerprint: int | None) -> str:
    """A signed fingerprint as people write it."""
    return "" if fingerprint is None else f"{fingerprint & (1 << 64) - 1:016x}"


def warc_place(file: str | None, offset: int, length: int) -> WarcPlace | None:
    """Where a response lies, if it was kept."""
    return None if file is None else WarcPlace(file, offset, length)


def parts_json(parts: dict[str, float]) -> str:
    """Parts of a judgement as they are stored."""
    return msgspec.json.encode({plain(name): value for name, value in parts.items()}).decode()
