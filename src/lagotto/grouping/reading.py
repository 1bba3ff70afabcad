"""Reading the harvest: which pages are to be sorted, and what grouping needs of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lagotto.protocols import Reader, Storage
from lagotto.views import PageChoice

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Harvested(NamedTuple):
    """The pages that are to be sorted."""

    numbers: Integers
    """Ascending."""
    places: Floats
    """How far the crawl was when it fetched each of them, 0 to 1."""


class ReadPage(NamedTuple):
    """A page as far as grouping needs it."""

    host: str
    title: str
    text: str
    language: str


class Asked(NamedTuple):
    """What the user asked for."""

    words: str
    language: str


def harvested(reader: Reader) -> Harvested:
    """Pages on topic; all pages of a crawl that judged none."""
    rows = list(reader.harvest())
    judged = reader.chosen_pages(PageChoice(), "relevance", limit=1).total > 0
    wanted = [(at, number) for at, (number, _, relevant) in enumerate(rows) if relevant or not judged]
    numbers = np.array([number for _, number in wanted], np.int64)
    return Harvested(numbers, np.array([at for at, _ in wanted], np.float64) / max(1, len(rows)))


def read_pages(reader: Reader, numbers: Sequence[int], language: str) -> Iterator[ReadPage]:
    """Pages with their texts, in the order of the numbers."""
    for stored in reader.pages_at(numbers, with_text=True):
        row = stored.row
        yield ReadPage(row.host, row.title, row.text or "", row.language or language)


def in_blocks(pages: Iterable[ReadPage], size: int) -> Iterator[list[ReadPage]]:
    """Pages in lists of this size."""
    remaining = iter(pages)
    while block := list(islice(remaining, size)):
        yield block


def asked_of(storage: Storage) -> Asked:
    """The topic's words and their language, from the crawl's configuration."""
    config = msgspec.toml.decode(storage.config() or b"")
    return Asked(str(config.get("topic", "")), str(config.get("language", "") or "en"))
