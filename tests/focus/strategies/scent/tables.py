"""Link tables made by chance, for tests."""

from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent.features import SIMILARITIES
from lagotto.focus.strategies.scent.link_table import ANCHOR_TERMS, LinkTable, NewLinks

IDS = 40
"""Targets to choose from; some of them become pages."""
HOSTS = ("a.example", "b.example", "c.example")


def links_to(ids: list[int], random: np.random.Generator) -> NewLinks:
    """Links to these targets; a target's host and directory follow from its id."""
    n = len(ids)
    number = np.array(ids, np.int64)
    places = random.integers(0, 2, n).astype(np.int32)
    return NewLinks(
        number,
        [HOSTS[id % 3] for id in ids],
        (number % 7).astype(np.int32),
        places,
        (10 * (number % 3) + places).astype(np.int32),
        random.random((n, len(SIMILARITIES))).astype(np.float32),
        random.integers(0, 5, (n, ANCHOR_TERMS)).astype(np.int32),
    )


def random_table(
    random: np.random.Generator, pages: int = 12, most: int = 256
) -> tuple[LinkTable, list[NewLinks]]:
    """A table of pages with eight links each, every second one fetched as a target, and what went into it."""
    table, added = LinkTable(most), []
    for page in range(pages):
        new = links_to(random.permutation(IDS)[:8].tolist(), random)
        table.add(page, new, np.zeros(8))
        added.append(new)
    for page in range(1, pages, 2):
        table.fetched([page], page)
    return table, added
