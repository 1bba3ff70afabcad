"""Word vectors: one for each common stem; stems of similar meaning have vectors of similar direction.

The table that ships with the package is computed by `scripts/make_vectors.py`; how, and under which licence,
is in `vectors/README.md`. It is loaded on first use.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lagotto.base import zstd
from lagotto.base.text import base_language

FOLDER = Path(__file__).parent / "vectors"
STEPS = 127
"""Steps from zero to the largest value of a vector."""


class Vectors(NamedTuple):
    """Vectors of length 1, a row for each stem; no rows for a language of which none are known."""

    stems: list[str]
    rows: np.ndarray


@cache
def load_vectors(language: str = "en") -> Vectors:
    """The table that ships for a language."""
    path = FOLDER / f"{base_language(language)}.zst"
    return decode(path.read_bytes()) if path.is_file() else Vectors([], np.zeros((0, 1), np.float32))


def encode(table: Vectors) -> bytes:
    """Pack a table: stems in a line, then the rows in steps of a byte."""
    steps = np.round(table.rows / np.abs(table.rows).max() * STEPS).astype(np.int8)
    packed = " ".join(table.stems).encode() + b"\n" + steps.tobytes()
    return zstd.compress(packed, level=19)


def decode(packed: bytes) -> Vectors:
    """Take back what `encode` gave, to within a step."""
    stems, _, steps = zstd.decompress(packed).partition(b"\n")
    names = stems.decode().split(" ")
    rows = np.frombuffer(steps, np.int8).reshape(len(names), -1).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows.setflags(write=False)
    return Vectors(names, rows)
