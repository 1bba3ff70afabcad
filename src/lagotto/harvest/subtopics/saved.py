"""What is kept of a crawl's subtopics, so that later pages join the same groups."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.harvest.subtopics.space import Furniture, Space
from lagotto.store.durable import write_whole

Integers = NDArray[np.int64]

OVERLAP = 0.4
"""Share of the pages of either group that both must have, at least."""


def continued(old: Integers, new: Integers, old_count: int, new_count: int) -> dict[int, int]:
    """New group -> the old one that it continues, given both groups of the same pages; -1 is no group.

    Of all pairs those that share most of their pages are taken first, and each group once.
    """
    known = (old >= 0) & (new >= 0)
    shared = np.zeros((new_count, old_count), np.int64)
    np.add.at(shared, (new[known], old[known]), 1)
    of_new, of_old = shared.sum(axis=1, keepdims=True), shared.sum(axis=0, keepdims=True)
    union = np.maximum(of_new + of_old - shared, 1)
    likeness = np.where(shared >= OVERLAP * np.maximum(np.minimum(of_new, of_old), 1), shared / union, 0.0)
    found: dict[int, int] = {}
    for place in np.argsort(-likeness, axis=None, kind="stable").tolist():
        group, before = divmod(place, old_count)
        if likeness[group, before] <= 0.0:
            break
        if group not in found and before not in found.values():
            found[group] = before
    return found


FILE = "groups.msgpack"
FORMAT = 1

Floats = NDArray[np.float32]


class Group(Struct):
    """A group and its name."""

    id: int
    """From 1; never given to another group."""
    name: str
    keywords: list[str]


class Sorting(NamedTuple):
    """Pages sorted into groups."""

    numbers: Integers
    """Page numbers, ascending."""
    labels: Integers
    """Place of each page's group in the list of groups; -1 for a page without any known term."""
    fits: Floats
    """Cosine of each page with the centre of its group."""

    def only(self, wanted: NDArray[np.bool_]) -> Sorting:
        """The pages that are wanted."""
        return Sorting(self.numbers[wanted], self.labels[wanted], self.fits[wanted])


class Grouping(NamedTuple):
    """Groups, how pages get into them, and the pages in them."""

    crawl: str
    """When the crawl was created, which tells it from others at the same place."""
    groups: list[Group]
    next_id: int
    learned_from: int
    """Pages that there were when the groups were made."""
    asked: int
    """Number of groups that the user asked for; 0: none."""
    space: Space
    furniture: Furniture
    centres: Floats
    sorting: Sorting


class _Stored(Struct):
    format: int
    crawl: str
    groups: list[Group]
    next_id: int
    learned_from: int
    asked: int
    terms: list[str]
    idf: bytes
    basis: bytes
    middle: bytes
    furniture: bytes
    centres: bytes
    numbers: bytes
    labels: bytes
    fits: bytes


def save(folder: Path, grouping: Grouping) -> None:
    """Write a grouping; the file is replaced wholly or not at all."""
    space, sorting = grouping.space, grouping.sorting
    stored = _Stored(
        format=FORMAT,
        crawl=grouping.crawl,
        groups=grouping.groups,
        next_id=grouping.next_id,
        learned_from=grouping.learned_from,
        asked=grouping.asked,
        terms=list(space.columns),
        idf=space.idf.tobytes(),
        basis=space.basis.tobytes(),
        middle=space.middle.tobytes(),
        furniture=np.array(sorted(grouping.furniture), np.uint64).tobytes(),
        centres=grouping.centres.tobytes(),
        numbers=sorting.numbers.tobytes(),
        labels=sorting.labels.astype(np.int32).tobytes(),
        fits=sorting.fits.tobytes(),
    )
    write_whole(folder / FILE, msgspec.msgpack.encode(stored))


def load(folder: Path, crawl: str) -> Grouping | None:
    """The grouping of a crawl; None if there is none, or none that can be read."""
    try:
        content = (folder / FILE).read_bytes()
    except OSError:
        return None
    try:
        stored = msgspec.msgpack.decode(content, type=_Stored)
        if stored.format != FORMAT or stored.crawl != crawl:
            return None
        return _read(stored)
    except (msgspec.DecodeError, ValueError):
        return None


def _read(stored: _Stored) -> Grouping:
    floats = {name: np.frombuffer(getattr(stored, name), np.float32) for name in ("idf", "basis", "middle")}
    width = len(floats["middle"])
    columns = {term: at for at, term in enumerate(stored.terms)}
    numbers = np.frombuffer(stored.numbers, np.int64)
    labels = np.frombuffer(stored.labels, np.int32).astype(np.int64)
    fits = np.frombuffer(stored.fits, np.float32)
    if not len(numbers) == len(labels) == len(fits):
        raise ValueError("pages and groups do not belong together")
    return Grouping(
        crawl=stored.crawl,
        groups=stored.groups,
        next_id=stored.next_id,
        learned_from=stored.learned_from,
        asked=stored.asked,
        space=Space(columns, floats["idf"], floats["basis"].reshape(len(columns), width), floats["middle"]),
        furniture=Furniture(np.frombuffer(stored.furniture, np.uint64).tolist()),
        centres=np.frombuffer(stored.centres, np.float32).reshape(len(stored.groups), width),
        sorting=Sorting(numbers, labels, fits),
    )
