"""The subtopics of a crawl, as people and programs see them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct

from lagotto.base.errors import InputError, UnknownName
from lagotto.base.protocols import Reader, Storage
from lagotto.harvest.subtopics.saved import Grouping, load, save
from lagotto.harvest.subtopics.sorting import group_numbers, make_groups, sort_pages, unsorted
from lagotto.harvest.subtopics.space import Harvested, asked_of, harvested
from lagotto.store import storage_at
from lagotto.store.locations import side_folder

FOLDER = "subtopics"
MOST = 200
"""Subtopics that a user may ask for, at most."""
GROWTH = 2
"""Groups are made again when the harvest has become so many times as large."""
TYPICAL = 3
CANDIDATES = 30
"""Best fitting pages from which the typical ones are chosen."""
PARTS = 20
"""Parts of the crawl for which each group's growth is told."""


class TypicalPage(Struct, frozen=True):
    """A page in the middle of its group."""

    number: int
    url: str
    title: str
    relevance: float | None


class Subtopic(Struct, frozen=True):
    """A group of the harvest's pages."""

    id: int
    """Stays when the harvest grows."""
    name: str
    pages: int
    share: float
    """Of the harvest."""
    keywords: list[str]
    typical: list[TypicalPage]
    growth: list[int]
    """Pages that each twentieth of the crawl brought."""


class Subtopics(Struct, frozen=True):
    """All subtopics of a crawl, the largest first."""

    subtopics: list[Subtopic]
    pages: int
    """Pages of the harvest."""
    unsorted: int
    """Those that have no subtopic: too few pages for groups, or no text."""
    of_page: dict[int, int] = {}
    """Page number -> id of its subtopic."""

    def find(self, name: str | int) -> Subtopic:
        """The subtopic with this id or name, in any case; also by the beginning of a name."""
        wanted = str(name).strip().lower()
        for fits in (
            lambda each: str(each.id) == wanted,
            lambda each: each.name.lower() == wanted,
            lambda each: bool(wanted) and each.name.lower().startswith(wanted),
        ):
            found = [each for each in self.subtopics if fits(each)]
            if len(found) == 1:
                return found[0]
        if not self.subtopics:
            raise UnknownName("the harvest has no subtopics yet: it needs at least ten pages on topic")
        known = ", ".join(f"{each.id} {each.name}" for each in self.subtopics)
        raise UnknownName(f"there is no subtopic '{name}'; there are: {known}")

    def numbers(self, name: str | int) -> frozenset[int]:
        """Numbers of the pages of a subtopic."""
        wanted = self.find(name).id
        return frozenset(number for number, id in self.of_page.items() if id == wanted)


def subtopics(
    directory: str | Path,
    *,
    number: int | None = None,
    rebuild: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Subtopics:
    """Sort the pages on topic of a crawl into subtopics, also while it runs; see docs/subtopics.md.

    Pages that are new since the last time join the groups that there are. Groups are made again when the
    harvest has doubled, when `number` asks for another number of them, and with `rebuild`; those that
    continue an old group keep its id and name.
    """
    storage = storage_at(directory)
    with storage.reader() as reader:
        return subtopics_of(storage, reader, number=number, rebuild=rebuild, progress=progress)


def subtopics_of(
    storage: Storage,
    reader: Reader,
    *,
    number: int | None = None,
    rebuild: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Subtopics:
    """Like `subtopics`, for a crawl that is open to be read."""
    if number is not None and not 2 <= number <= MOST:
        raise InputError(f"a harvest can have 2 to {MOST} subtopics, not {number}")
    folder = side_folder(storage, FOLDER)
    crawl, asked, harvest = reader.status().created, asked_of(storage), harvested(reader)
    saved = load(folder, crawl)
    grouping = saved
    afresh = rebuild or (number is not None and saved is not None and saved.asked != number)
    if saved is None or afresh or len(harvest.numbers) >= GROWTH * saved.learned_from:
        grouping = make_groups(
            reader,
            harvest.numbers,
            asked,
            crawl=crawl,
            count=number or (saved.asked if saved is not None and not rebuild else 0),
            before=saved,
            afresh=afresh,
            progress=progress,
        )
    elif len(new := unsorted(saved, harvest.numbers)):
        grouping = sort_pages(reader, saved, new, asked, progress=progress)
    if grouping is not None and grouping is not saved and _may_write(folder):
        save(folder, grouping)
    return _seen(reader, grouping, harvest)


def _may_write(folder: Path) -> bool:
    """Whether groups can be kept; a harvest that may only be read is sorted all the same."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), None)
    return there is not None and os.access(there, os.W_OK)


def _seen(reader: Reader, grouping: Grouping | None, harvest: Harvested) -> Subtopics:
    """Groups as they are shown: pages that are no longer on topic are left out."""
    total = len(harvest.numbers)
    if grouping is None:
        return Subtopics([], total, total)
    keep = np.isin(grouping.sorting.numbers, harvest.numbers, assume_unique=True)
    sorting = grouping.sorting.only(keep)
    places = harvest.places[np.searchsorted(harvest.numbers, sorting.numbers)]
    found = []
    for group, members in zip(grouping.groups, group_numbers(sorting, len(grouping.groups)), strict=True):
        if len(members):
            found.append(
                Subtopic(
                    id=group.id,
                    name=group.name,
                    pages=len(members),
                    share=len(members) / total,
                    keywords=group.keywords,
                    typical=_typical(reader, sorting.numbers[members[:CANDIDATES]].tolist()),
                    growth=np.histogram(places[members], PARTS, (0.0, 1.0))[0].tolist(),
                )
            )
    ids = np.array([group.id for group in grouping.groups] + [0])
    of_page = dict(zip(sorting.numbers.tolist(), ids[sorting.labels].tolist(), strict=True))
    of_page = {number: id for number, id in of_page.items() if id}
    found.sort(key=lambda each: (-each.pages, each.id))
    return Subtopics(found, total, total - len(of_page), of_page)


def _typical(reader: Reader, numbers: list[int]) -> list[TypicalPage]:
    """Pages that fit best, of several hosts and with different titles where possible."""
    pages = [
        TypicalPage(stored.row.seq, stored.row.url, stored.row.title, stored.row.relevance)
        for stored in reader.pages_at(numbers)
    ]
    chosen: dict[str, TypicalPage] = {}
    for page in pages:
        chosen.setdefault(page.title.strip().lower(), page)
    return list(chosen.values())[:TYPICAL]
