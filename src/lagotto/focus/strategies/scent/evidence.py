"""Links to fetched targets, and the totals of the groups that they belong to.

A link belongs to the groups of its page's links, of those in the same DOM place, of links to its target's
host in such a place, and of its neighbours. A target belongs to the groups of its host and its directory.
Totals are updated by what changed since the last time, so that the cost does not grow with the number of
links.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lagotto.focus.strategies.scent.columns import Column, Ring


def row_sums(pairs: np.ndarray) -> np.ndarray:
    """Sums of the rows of a table."""
    # A product with ones would wake the threads of BLAS, which take more time than they save.
    return np.asarray(np.einsum("ij->i", pairs.view(np.complex64)).view(pairs.dtype))


def stretch_sums(pairs: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sums from each start to the next one."""
    return np.add.reduceat(pairs.view(np.complex64), starts).view(pairs.dtype)


SLOTS = 1 << 18
"""A group's totals are kept under its number modulo this; the few collisions do no harm."""
RELEVANCE, MEMBERS = 0, 1
"""Rows of an array of totals: the sum of the relevance of fetched members, and their number.

Neighbours count by their nearness, so that the number need not be whole.
"""


class Successes:
    """Totals of groups, by number."""

    def __init__(self) -> None:
        # Zeros that are never written to take no memory.
        self._totals = np.zeros((2, SLOTS), np.float32)

    def of(self, groups: np.ndarray) -> np.ndarray:
        """Totals of these groups, a column each."""
        return self._totals.take(groups, axis=1, mode="wrap")

    def add(self, groups: np.ndarray, relevance: np.ndarray, members: np.ndarray | None = None) -> None:
        """Add to the totals of groups, some of which may come several times."""
        slots = groups % SLOTS
        np.add.at(self._totals[RELEVANCE], slots, relevance)
        if members is not None:
            np.add.at(self._totals[MEMBERS], slots, members)

    def clear(self, groups: np.ndarray | int) -> None:
        """Reset groups whose numbers are used again."""
        self._totals[:, groups % SLOTS] = 0.0

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and totals of the groups that have any."""
        used = np.flatnonzero(self._totals.any(axis=0))
        return used.astype(np.int32), self._totals[:, used]

    def set_arrays(self, groups: np.ndarray, totals: np.ndarray) -> None:
        """Restore what `arrays` returned."""
        self._totals = np.zeros((2, SLOTS), np.float32)
        self._totals[:, groups] = totals


LINK_GROUPS = ("page", "place", "host_place")
TARGET_GROUPS = ("host", "directory")
REACH = 4
"""Number of links before and after a link that are its neighbours."""
MOVED = 0.02
"""Smallest change of a page's relevance that its groups are corrected by."""
_OFFSETS = np.array([offset for offset in range(-REACH, REACH + 1) if offset])
_NEARNESS = (1.0 / np.abs(_OFFSETS)).astype(np.float32)
_ONE = np.ones(1, np.float32)


class FetchedLinks:
    """Lists fetched targets and links to them, and counts them in their groups."""

    def __init__(self, links: Mapping[str, Ring], targets: Mapping[str, Column]) -> None:
        self._links = links
        self._targets = targets
        self.rows = Column(np.int32)
        """Fetched targets, in order of their fetches."""
        self.numbers = Column(np.int32)
        """Links to them."""
        self.counted = 0
        """How many of these links are counted in their groups."""
        self.groups = {name: Successes() for name in (*LINK_GROUPS, "near", *TARGET_GROUPS)}

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Links between fetched pages: numbers of children and of their parents."""
        self._drop_old()
        at = self._links["page"].at(self.numbers.rows)
        return self._targets["page"].rows[self._links["target"].rows[at]], self._links["page"].rows[at]

    def count(self, relevance: np.ndarray) -> None:
        """Update the groups' totals, given the relevance of all pages."""
        self._drop_old()
        rows, targets = self.rows.rows, self._targets
        now = relevance[targets["page"].rows[rows]]
        before, joining = targets["counted_as"].rows[rows], ~targets["counted"].rows[rows]
        due = joining | (np.abs(now - before) > MOVED)
        rows, joining = rows[due], joining[due]
        change = (now[due] - before[due]).astype(np.float32)
        targets["counted"].rows[rows] = True
        targets["counted_as"].rows[rows] += change
        for name in TARGET_GROUPS:
            self.groups[name].add(targets[name].rows[rows], change, joining.astype(np.float32))
        links, target = self.numbers.rows, self._links["target"]
        new, old = links[self.counted :], links[: self.counted]
        self._count_links(new, targets["counted_as"].rows[target.rows[target.at(new)]], joining=True)
        if not joining.all():
            change_of = np.zeros(len(targets["counted"]), np.float32)
            change_of[rows] = change
            changes = change_of[target.rows[target.at(old)]]
            changed = changes != 0
            self._count_links(old[changed], changes[changed], joining=False)
        self.counted = len(links)

    def fail(self, row: int, links: np.ndarray) -> None:
        """Count a target that brought no page as a failure in its groups and those of links to it."""
        self._targets["counted"].rows[row] = True
        for name in TARGET_GROUPS:
            self.groups[name].add(self._targets[name].rows[[row]], np.zeros(1, np.float32), _ONE)
        self._count_links(links, np.zeros(len(links), np.float32), joining=True)

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is known, for saving."""
        found = {"evidence": self.numbers.rows, "fetched": self.rows.rows, "counted": np.array(self.counted)}
        for name, group in self.groups.items():
            found[f"group_{name}"], found[f"totals_{name}"] = group.arrays()
        return found

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Restore what `arrays` returned."""
        self.numbers.set(arrays["evidence"])
        self.rows.set(arrays["fetched"])
        self.counted = int(arrays["counted"])
        for name, group in self.groups.items():
            group.set_arrays(arrays[f"group_{name}"], arrays[f"totals_{name}"])

    def _drop_old(self) -> None:
        """Forget links that were overwritten; the totals of their groups stay."""
        kept = self.numbers.rows >= self._links["page"].oldest
        if not kept.all():
            self.counted = int(kept[: self.counted].sum())
            self.numbers.set(self.numbers.rows[kept])

    def _count_links(self, numbers: np.ndarray, relevance: np.ndarray, *, joining: bool) -> None:
        """Add relevance to the groups of links and to those of their neighbours, and members if they join."""
        page = self._links["page"]
        at = page.at(numbers)
        for name in ("page", "place"):
            members = np.ones(len(at), np.float32) if joining else None
            self.groups[name].add(self._links[name].rows[at], relevance, members)
        # A menu's link is on every page. Counted each time, one target would outvote all others and itself.
        previous, host_place = self._links["previous"].rows[at], self._links["host_place"].rows
        before = host_place.take(page.at(previous), mode="clip")
        new = (previous < page.oldest) | (before != host_place[at])
        members = np.ones(int(new.sum()), np.float32) if joining else None
        self.groups["host_place"].add(host_place[at][new], relevance[new], members)
        near = numbers[:, np.newaxis] + _OFFSETS
        beside = (near >= page.oldest) & (near < page.total)
        beside &= page.rows.take(page.at(near), mode="clip") == page.rows[at][:, np.newaxis]
        members = np.broadcast_to(_NEARNESS, near.shape)[beside] if joining else None
        self.groups["near"].add(near[beside], (relevance[:, np.newaxis] * _NEARNESS)[beside], members)


def counted_totals(targets: Mapping[str, Column], rows: np.ndarray) -> np.ndarray:
    """What each target has added to its groups, a column each; row -1 stands for no target."""
    totals = np.empty((2, len(rows)), np.float32)
    totals[RELEVANCE] = targets["counted_as"].and_none[rows]
    totals[MEMBERS] = targets["counted"].and_none[rows]
    return totals
