"""A user's changes to the topic's words, applied to every version of a weight table."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import msgpack

from lagotto.base.errors import InputError
from lagotto.base.text import readable_terms
from lagotto.focus.topic import WeightTable

_EDIT = b"\xc1"
"""First byte of a sample that holds changed words; no value in msgpack begins with it."""


def edit_sample(words: Mapping[str, float]) -> bytes:
    """The sample by which a strategy learns changed words."""
    return _EDIT + msgpack.encode(dict(words))


def words_of(sample: bytes) -> dict[str, float] | None:
    """Word -> weight from a sample of `edit_sample`; None for any other sample."""
    return msgpack.decode(sample[1:], type=dict[str, float]) if sample[:1] == _EDIT else None


class Edits:
    """The weights that a user gave to terms while the crawl ran; 0 for a term that was removed."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.weights: dict[str, float] = {}
        self._readable: dict[str, str] = {}

    def sample(self, words: Mapping[str, float], table: WeightTable) -> bytes:
        """The sample of an edit, if it leaves something in the table."""
        edited = Edits(self.language)
        edited.weights = dict(self.weights)
        edited.add(words)
        edited.apply(table)
        return edit_sample(words)

    def add(self, words: Mapping[str, float]) -> None:
        """Take in changed words; a later weight of a word replaces an earlier one."""
        for word, weight in words.items():
            found = readable_terms(word, self.language, [word] if " " in word else [])
            if not found:
                raise InputError(f"'{word}' says nothing about a topic; write words such as: solar power")
            self.weights |= dict.fromkeys(found, weight)
            self._readable |= found

    def apply(self, table: WeightTable) -> WeightTable:
        """The table with the user's weights."""
        if not self.weights:
            return table
        weights = {term: weight for term, weight in {**table, **self.weights}.items() if weight > 0}
        if not weights:
            raise InputError("this would leave the topic without words; add one before you remove the last")
        readable = {**table.readable, **self._readable}
        return WeightTable(
            weights, readable, table.language, table.source, table.provenance, table.version + 1
        )

    def save(self) -> bytes:
        """All changes so far."""
        return msgpack.encode((self.weights, self._readable)) if self.weights else b""

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        empty: tuple[dict[str, float], dict[str, str]] = ({}, {})
        self.weights, self._readable = (
            msgpack.decode(saved, type=tuple[dict[str, float], dict[str, str]]) if saved else empty
        )
