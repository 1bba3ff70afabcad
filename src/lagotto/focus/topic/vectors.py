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
_AT_ONCE = 1 << 13
"""Rows that are read as floating-point numbers together."""


class Vectors(NamedTuple):
    """Vectors of length 1, one for each stem; none for a language of which none are known."""

    stems: list[str]
    steps: np.ndarray
    """The vectors in steps of a byte, a row each."""
    lengths: np.ndarray
    """Length of each of these rows."""

    def rows(self, at: np.ndarray | slice) -> np.ndarray:
        """The vectors of the stems with these numbers, a row each."""
        rows = self.steps[at].astype(np.float32)
        rows /= self.lengths[at, np.newaxis]
        return rows


@cache
def load_vectors(language: str = "en") -> Vectors:
    """The table that ships for a language."""
    path = FOLDER / f"{base_language(language)}.zst"
    none = np.zeros((0, 1), np.int8), np.zeros(0, np.float32)
    return decode(path.read_bytes()) if path.is_file() else Vectors([], *none)


def encode(stems: list[str], rows: np.ndarray) -> bytes:
    """Pack a table: stems in a line, then the rows in steps of a byte."""
    steps = np.round(rows / np.abs(rows).max() * STEPS).astype(np.int8)
    packed = " ".join(stems).encode() + b"\n" + steps.tobytes()
    return zstd.compress(packed, level=19)


def decode(packed: bytes) -> Vectors:
    """Take back what `encode` gave, to within a step."""
    stems, _, content = zstd.decompress(packed).partition(b"\n")
    names = stems.decode().split(" ")
    steps = np.frombuffer(content, np.int8).reshape(len(names), -1)
    lengths = np.concatenate([_lengths(steps[at : at + _AT_ONCE]) for at in range(0, len(steps), _AT_ONCE)])
    return Vectors(names, steps, lengths)


def _lengths(steps: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(steps.astype(np.float32), axis=1))
