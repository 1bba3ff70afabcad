"""What falls under a word: its kinds, its parts if it is a place, the terms of its field.

A *concept* is a meaning and may have several *names*; a name may have several meanings, each with a share of
how often it is meant. The table that ships with the package is made by `scripts/make_thesaurus.py`; from
what, and under which licence, is in `thesaurus/README.md`. It is loaded on first use.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np

from lagotto.base import zstd
from lagotto.base.text import base_language

FOLDER = Path(__file__).parent / "thesaurus"
STEPS = 255
"""Steps from a share of 0 to one of 1."""
SELDOM = 0.1
"""A sense that is meant less often than this, compared with the most frequent one, is left out."""
ELSEWHERE = 1
"""Names of other things that every stem is taken to be part of, beside those that are listed."""


class Listing(msgspec.Struct):
    """What is stored: columns of little-endian numbers."""

    stems: str
    """In alphabetical order, with spaces between."""
    nouns: int
    """Concepts below this number are nouns."""
    lengths: bytes
    """Stems of each name, as bytes."""
    name_stems: bytes
    """The names' stems by number, end to end."""
    senses: tuple[bytes, bytes, bytes]
    """Concept, name and share (in steps of a byte) of each sense."""
    kinds: tuple[bytes, bytes]
    """A concept and one of its kinds, pair by pair; likewise:"""
    parts: tuple[bytes, bytes]
    """a place and one of its parts;"""
    fields: tuple[bytes, bytes]
    """a field of knowledge or doing, and one of its terms."""


class Relation(NamedTuple):
    """The members of number n stand between `starts[n]` and `starts[n + 1]`."""

    starts: np.ndarray
    members: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, members: np.ndarray, size: int) -> Self:
        """Each number with the member beside it; numbers are below `size`."""
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(size + 1))
        return cls(starts, members[order])

    def counts(self, numbers: np.ndarray) -> np.ndarray:
        """How many members each of these numbers has."""
        return np.asarray(self.starts[numbers + 1] - self.starts[numbers])

    def among(self, numbers: np.ndarray) -> np.ndarray:
        """All members of these numbers, number by number."""
        counts = self.counts(numbers)
        skipped = np.repeat(np.cumsum(counts) - counts, counts)
        places = np.arange(len(skipped)) - skipped + np.repeat(self.starts[numbers], counts)
        return np.asarray(self.members[places])

    def closure(self, number: int) -> np.ndarray:
        """The number, its members, theirs, and so forth, each once."""
        new = found = np.array([number])
        while len(new):
            new = np.setdiff1d(self.among(new), found)
            found = np.union1d(found, new)
        return found


class Thesaurus:
    """Concepts and their names; none for a language of which none are known."""

    def __init__(self, listing: Listing) -> None:
        self.stems = listing.stems.split(" ")
        self._nouns = listing.nouns
        lengths = np.frombuffer(listing.lengths, np.uint8)
        self._name_stems = Relation(
            np.append(0, np.cumsum(lengths, dtype=np.int64)), _numbers(listing.name_stems)
        )
        concepts, names = map(_numbers, listing.senses[:2])
        self._size = int(concepts.max(initial=-1)) + 1
        self._concepts, self._names = concepts, names
        self._shares = np.frombuffer(listing.senses[2], np.uint8) / STEPS
        self._senses = Relation.of(concepts, np.arange(len(concepts)), self._size)
        self._kinds, self._parts, self._fields = map(
            self._relation, (listing.kinds, listing.parts, listing.fields)
        )

    @cached_property
    def _above(self) -> Relation:
        """Concept -> what it is a kind of."""
        under = np.repeat(np.arange(self._size), np.diff(self._kinds.starts))
        return Relation.of(self._kinds.members, under, self._size)

    @cached_property
    def _names_with(self) -> np.ndarray:
        """How many names each stem is part of."""
        return np.bincount(self._name_stems.members, minlength=len(self.stems))

    def concepts(self, term: str) -> dict[int, float]:
        """Nouns that a stem, or stems with spaces between, may mean -> how often they are meant by it."""
        wanted = [self._stem(stem) for stem in term.split(" ")]
        starts = self._name_stems.starts[:-1]
        found = np.diff(self._name_stems.starts) == len(wanted)
        for place, stem in enumerate(wanted):
            found[found] = self._name_stems.members[starts[found] + place] == stem
        meant: dict[int, float] = defaultdict(float)
        for row in np.flatnonzero(found[self._names]).tolist():
            if self._concepts[row] < self._nouns:
                meant[int(self._concepts[row])] += float(self._shares[row])
        return dict(meant)

    def family(self, concept: int) -> np.ndarray:
        """What falls under a concept, which is one of them.

        Under a place fall its parts and theirs. Under anything else fall its kinds and theirs, and the terms
        of all these as fields; of such terms only the next kinds, since further ones lead out of the field.
        """
        if len(self._parts.among(np.array([concept]))):
            return self._parts.closure(concept)
        kinds = self._kinds.closure(concept)
        terms = self._fields.among(kinds)
        return np.unique(np.concatenate([kinds, terms, self._kinds.among(terms)]))

    def families(self, meant: Mapping[int, float]) -> dict[int, float]:
        """What falls under any of these concepts -> how often that is meant, as a share of the likeliest."""
        found: dict[int, float] = {}
        for concept, often in meant.items():
            likely = often / max(meant.values())
            if likely >= SELDOM:
                for member in self.family(concept).tolist():
                    found[member] = max(found.get(member, 0.0), likely)
        return found

    def around(self, concept: int) -> list[str]:
        """Stems that name a concept and its neighbours, its own twice; they separate the senses of a word."""
        own = np.array([concept])
        near = [relation.among(own) for relation in (self._above, self._kinds, self._parts, self._fields)]
        names = self._names[self._senses.among(np.concatenate([own, own, *near]))]
        return [self.stems[stem] for stem in self._name_stems.among(names)]

    def names_of(self, wanted: dict[int, float]) -> dict[str, float]:
        """Stems that name any of these concepts -> chance that one of them is meant, times its weight."""
        concepts, weights = np.array([*wanted], np.int64), np.array([*wanted.values()])
        senses = self._senses.among(concepts)
        meant = self._shares[senses] * np.repeat(weights, self._senses.counts(concepts))
        names = self._names[senses]
        stems = self._name_stems.among(names)
        sums = np.bincount(stems, np.repeat(meant, self._name_stems.counts(names)), len(self.stems))
        found = np.flatnonzero(sums)
        chances = sums[found] / (self._names_with[found] + ELSEWHERE)
        return {self.stems[stem]: chance for stem, chance in zip(found, chances.tolist(), strict=True)}

    def _stem(self, stem: str) -> int:
        at = bisect_left(self.stems, stem)
        return at if at < len(self.stems) and self.stems[at] == stem else -1

    def _relation(self, pairs: tuple[bytes, bytes]) -> Relation:
        concepts, members = map(_numbers, pairs)
        return Relation.of(concepts, members, self._size)


@cache
def load_thesaurus(language: str = "en") -> Thesaurus:
    """The one that ships for a language."""
    path = FOLDER / f"{base_language(language)}.zst"
    return decode(path.read_bytes()) if path.is_file() else Thesaurus(_NOTHING)


def encode(listing: Listing) -> bytes:
    """Pack a listing."""
    return zstd.compress(msgspec.msgpack.encode(listing), level=19)


def decode(packed: bytes) -> Thesaurus:
    """The thesaurus of what `encode` gave."""
    return Thesaurus(msgspec.msgpack.decode(zstd.decompress(packed), type=Listing))


def _numbers(column: bytes) -> np.ndarray:
    return np.frombuffer(column, "<i4")


_NOTHING = Listing("", 0, b"", b"", (b"", b"", b""), (b"", b""), (b"", b""), (b"", b""))
