"""How common words are: the number of general pages, of some thousand, that have each stem.

The table that ships with the package is computed by `scripts/make_background.py`; how, is in
`background/README.md`. It is loaded on first use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from lagotto.base import zstd
from lagotto.base.text import base_language

FOLDER = Path(__file__).parent / "background"


class Background(Struct, frozen=True):
    """Document frequencies of stems; empty for a language of which none are known."""

    documents: int = 0
    frequencies: Mapping[str, int] = MappingProxyType({})


@cache
def load_background(language: str = "en") -> Background:
    """The table that ships for a language."""
    path = FOLDER / f"{base_language(language)}.zst"
    return decode(path.read_bytes()) if path.is_file() else Background()


def encode(table: Background) -> bytes:
    """Pack a table: stems in alphabetical order, then their frequencies in the same order.

    Two columns of the same kind compress better than pairs, and split faster.
    """
    stems = sorted(table.frequencies)
    counts = " ".join(str(table.frequencies[stem]) for stem in stems)
    packed = "\n".join([str(table.documents), " ".join(stems), counts])
    return zstd.compress(packed.encode(), level=22)


def decode(packed: bytes) -> Background:
    """Take back what `encode` gave."""
    documents, stems, counts = zstd.decompress(packed).decode().split("\n")
    frequencies = dict(zip(stems.split(" "), map(int, counts.split(" ")), strict=True))
    return Background(int(documents), MappingProxyType(frequencies))
