"""How the weight table of a crawl changed: its versions, and what rose and fell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from lagotto.focus.topic.table import WeightTable

KIND = "table"
"""Under which a store keeps the versions of a crawl's weight table."""


class TableVersion(NamedTuple):
    """A weight table, and how many pages had been fetched when it came into force."""

    table: WeightTable
    pages: int

    def to_json(self) -> bytes:
        """The version as a store keeps it."""
        return msgspec.json.encode(_Stored(self.pages, msgspec.Raw(self.table.to_json())))

    @classmethod
    def from_json(cls, stored: bytes) -> TableVersion:
        """Take back what `to_json` gave."""
        version = msgspec.json.decode(stored, type=_Stored)
        return cls(WeightTable.from_json(bytes(version.table)), version.pages)


class _Stored(Struct):
    pages: int
    table: msgspec.Raw


class Change(NamedTuple):
    """What became of a keyword."""

    keyword: str
    """As it is shown to a person."""
    weights: list[float]
    """In each version; 0 where it is not in the table."""

    @property
    def difference(self) -> float:
        """Last weight minus first."""
        return self.weights[-1] - self.weights[0]

    @property
    def word(self) -> str:
        """`new`, `gone`, `rose`, `fell`, or empty if the first and last weight are the same."""
        first, last = self.weights[0], self.weights[-1]
        if not first and last:
            return "new"
        if not last:
            return "gone"
        return "rose" if last > first else "fell" if last < first else ""


def changes(versions: Sequence[TableVersion]) -> list[Change]:
    """Every keyword of any version: those of the last one first, heaviest first, then those that are gone."""
    keywords = dict.fromkeys(keyword for version in reversed(versions) for keyword in version.table)
    readable = {keyword: form for version in versions for keyword, form in version.table.readable.items()}
    return [
        Change(readable[keyword], [version.table.get(keyword, 0.0) for version in versions])
        for keyword in keywords
    ]


def read_versions(stored: Iterable[bytes]) -> list[TableVersion]:
    """Versions as a store keeps them, oldest first; one like the version before it is left out."""
    versions: list[TableVersion] = []
    for content in stored:
        version = TableVersion.from_json(content)
        if not versions or not version.table.same_weights(versions[-1].table):
            versions.append(version)
    return versions


def spread(versions: Sequence[TableVersion], most: int) -> list[TableVersion]:
    """At most so many versions, evenly spread, the first and the last among them."""
    if len(versions) <= most:
        return list(versions)
    step = (len(versions) - 1) / (most - 1)
    return [versions[round(place * step)] for place in range(most)]
