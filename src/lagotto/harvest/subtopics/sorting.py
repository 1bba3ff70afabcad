"""Making groups of a harvest, and sorting later pages into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.base.protocols import Reader
from lagotto.base.text import terms
from lagotto.harvest.subtopics.clustering import Groups, closest, k_means, natural_number, smoothed
from lagotto.harvest.subtopics.naming import Label, NamedPage, PagePhrases, common_terms, name_groups
from lagotto.harvest.subtopics.saved import Group, Grouping, Sorting, continued
from lagotto.harvest.subtopics.space import (
    Asked,
    Counts,
    Furniture,
    ReadPage,
    Space,
    count_page,
    in_blocks,
    read_pages,
)

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Callback that receives the number of pages read and of all that are to be read."""

SAMPLE = 5000
"""Pages that groups are made of, at most; all others are sorted into them."""
BLOCK = 1000
FEWEST = 10
"""Fewer pages make no groups."""
STAYS = 0.3
"""When groups are made again, a page changes to another if the cosine with it is higher by this."""


class Learned(NamedTuple):
    """What a sample of pages was sorted into."""

    pages: list[ReadPage]
    """Without their furniture."""
    furniture: Furniture
    space: Space
    centres: Floats
    labels: Integers
    """The group of each page; -1 for one without any known term."""
    fits: Floats
    """Cosine of each page with the centre of its group."""


def learn(
    sample: Sequence[ReadPage], count: int = 0, old: Integers | None = None, old_count: int = 0
) -> Learned | None:
    """Sort a sample into groups, as many as wanted or as there seem to be; None if it has too few pages.

    `old` are the groups of the pages so far, -1 where there is none, from which the new ones start.
    """
    furniture = Furniture.found(page.text for page in sample)
    pages = [page._replace(text=furniture.without(page.text)) for page in sample]
    counts = [_counts(page) for page in pages]
    space = Space.learned(counts)
    vectors = space.vectors(counts)
    filled = np.abs(vectors).sum(axis=1) > 0
    if filled.sum() < FEWEST:
        return None
    begin = None if old is None else _centres(vectors, old, old_count)
    wanted = max(count or natural_number(vectors[filled]), 0 if begin is None else len(begin))
    drawn = smoothed(vectors[filled])
    found = k_means(drawn, wanted, begin)
    labels = np.full(len(pages), -1)
    labels[filled] = found.labels if old is None else _staying(drawn, found, old[filled], old_count)
    fits = np.where(labels < 0, 0.0, np.einsum("ij,ij->i", vectors, found.centres[labels]))
    return Learned(pages, furniture, space, found.centres, labels, fits.astype(np.float32))


def make_groups(
    reader: Reader,
    numbers: Integers,
    asked: Asked,
    *,
    crawl: str,
    count: int = 0,
    before: Grouping | None = None,
    afresh: bool = False,
    progress: Progress = lambda done, total: None,
) -> Grouping | None:
    """Groups of the pages with these numbers; None if there are too few.

    `before` are the groups so far. They are where the new ones start from, unless `afresh`, and a new group
    that continues one of them keeps its id and name.
    """
    sample = np.sort(np.random.default_rng(0).permutation(numbers)[:SAMPLE])
    pages = list(read_pages(reader, sample.tolist(), asked.language))
    old = _labels_at(before, sample)
    if before is None or afresh:
        learned = learn(pages, count)
    else:
        learned = learn(pages, count, old, len(before.groups))
    if learned is None:
        return None
    groups, next_id = _named(learned, asked, before, old)
    grouping = Grouping(
        crawl=crawl,
        groups=groups,
        next_id=next_id,
        learned_from=len(numbers),
        asked=count,
        space=learned.space,
        furniture=learned.furniture,
        centres=learned.centres,
        sorting=Sorting(sample, learned.labels, learned.fits),
    )
    rest = np.setdiff1d(numbers, sample, assume_unique=True)
    return sort_pages(reader, grouping, rest, asked, progress=progress)


def labels_for(learned: Learned, asked: Asked, fixed: Mapping[int, str]) -> list[Label]:
    """Names of the groups; those of `fixed` are given."""
    phrased = [
        NamedPage(page.host, PagePhrases(page.title, page.text, page.language)) for page in learned.pages
    ]
    avoid = {*terms(asked.words, asked.language), *common_terms(asked.language)}
    return name_groups(phrased, learned.labels, len(learned.centres), avoid=avoid, fixed=fixed)


def sort_pages(
    reader: Reader,
    grouping: Grouping,
    numbers: Integers,
    asked: Asked,
    *,
    progress: Progress = lambda done, total: None,
) -> Grouping:
    """The grouping with further pages sorted into its groups."""
    labels, fits = [grouping.sorting.labels], [grouping.sorting.fits]
    done = 0
    for block in in_blocks(read_pages(reader, numbers.tolist(), asked.language), BLOCK):
        pages = (page._replace(text=grouping.furniture.without(page.text)) for page in block)
        vectors = grouping.space.vectors([_counts(page) for page in pages])
        nearest, cosines = closest(vectors, grouping.centres)
        filled = np.abs(vectors).sum(axis=1) > 0
        labels.append(np.where(filled, nearest, -1))
        fits.append(np.where(filled, cosines, 0.0).astype(np.float32))
        done += len(block)
        progress(done, len(numbers))
    joined = np.concatenate([grouping.sorting.numbers, numbers])
    order = np.argsort(joined, kind="stable")
    sorting = Sorting(joined[order], np.concatenate(labels)[order], np.concatenate(fits)[order])
    return grouping._replace(sorting=sorting)


def _counts(page: ReadPage) -> Counts:
    return count_page(page.title, page.text, page.language)


def _staying(vectors: Floats, found: Groups, old: Integers, old_count: int) -> Integers:
    """Groups of pages; each stays in the one that continues its old group unless another fits better."""
    new = continued(old, found.labels, old_count, len(found.centres))
    places = np.full(old_count + 1, -1)
    places[list(new.values())] = list(new)
    before = places[old]
    cosines = vectors @ found.centres.T
    gain = cosines.max(axis=1) - np.take_along_axis(cosines, before[:, np.newaxis], axis=1)[:, 0]
    return np.where((before >= 0) & (gain < STAYS), before, found.labels)


def _labels_at(before: Grouping | None, numbers: Integers) -> Integers:
    """The old group of each page, -1 if it had none."""
    labels = np.full(len(numbers), -1)
    if before is not None and len(before.sorting.numbers):
        at = np.searchsorted(before.sorting.numbers, numbers).clip(max=len(before.sorting.numbers) - 1)
        known = before.sorting.numbers[at] == numbers
        labels[known] = before.sorting.labels[at[known]]
    return labels


def _centres(vectors: Floats, labels: Integers, count: int) -> Floats:
    """Centres of the groups that have any of these pages."""
    groups = (vectors[labels == group] for group in range(count))
    means = [members.mean(axis=0) for members in groups if len(members)]
    return np.array(means, np.float32) if means else vectors[:1]


def _named(learned: Learned, asked: Asked, before: Grouping | None, old: Integers) -> tuple[list[Group], int]:
    """Groups with ids and names, and the next free id."""
    labels, count = learned.labels, len(learned.centres)
    kept = _kept(before, old, labels, count)
    names = labels_for(learned, asked, {at: group.name for at, group in kept.items()})
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    next_id = before.next_id if before is not None else 1
    groups: dict[int, Group] = {}
    for at in np.argsort(-sizes, kind="stable").tolist():
        id = kept[at].id if at in kept else next_id
        groups[at] = Group(id, names[at].name, names[at].keywords)
        next_id += id == next_id
    return [groups[at] for at in range(count)], next_id


def _kept(before: Grouping | None, old: Integers, labels: Integers, count: int) -> dict[int, Group]:
    """New group -> the old group that it continues."""
    if before is None:
        return {}
    found = continued(old, labels, len(before.groups), count)
    return {group: before.groups[at] for group, at in found.items()}


def unsorted(grouping: Grouping, numbers: Integers) -> Integers:
    """Those of the page numbers that were not sorted yet."""
    return np.setdiff1d(numbers, grouping.sorting.numbers, assume_unique=True)


def group_numbers(sorting: Sorting, count: int) -> Iterator[Integers]:
    """Places of the pages of each group, those that fit best first."""
    for group in range(count):
        places = np.flatnonzero(sorting.labels == group)
        yield places[np.argsort(-sorting.fits[places], kind="stable")]
