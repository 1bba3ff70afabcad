"""What is learned from: links to fetched targets, and what the groups that they belong to have brought.

A link's groups are the links of its page, those in the same place of it, those to its host in such a place,
and its neighbours; a target's are its host and its directory. All of them are kept as totals that change by
what is new, so that a look costs as much as there is new, however many links there are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lagotto.strategies.scent.columns import Column, Ring
from lagotto.strategies.scent.successes import Successes

LINK_GROUPS = ("page", "place", "host_place")
TARGET_GROUPS = ("host", "directory")
REACH = 4
"""Links before and after that count as neighbours."""
MOVED = 0.02
"""Change of a page's relevance from which on its groups are told of it."""
_OFFSETS = np.array([offset for offset in range(-REACH, REACH + 1) if offset])
_NEARNESS = (1.0 / np.abs(_OFFSETS)).astype(np.float32)


class Evidence:
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
        """Tell groups what their fetched members turned out to be, given the relevance of all pages."""
        self._drop_old()
        rows, counted = self.rows.rows, self._targets["counted"].rows
        before = counted[rows]
        joining = before.imag == 0
        change = relevance[self._targets["page"].rows[rows]] - before.real + 1j * joining
        due = np.abs(change) > MOVED
        rows, change = rows[due], change[due].astype(np.complex64)
        counted[rows] += change
        for name in TARGET_GROUPS:
            self.groups[name].add(self._targets[name].rows[rows], change)
        links, target = self.numbers.rows, self._links["target"]
        new, old = links[self.counted :], links[: self.counted]
        self._count_links(new, counted[target.rows[target.at(new)]])
        if not joining[due].all():
            change_of = np.zeros(len(counted), np.complex64)
            change_of[rows] = change.real
            changes = change_of[target.rows[target.at(old)]]
            changed = changes != 0
            self._count_links(old[changed], changes[changed])
        self.counted = len(links)

    def fail(self, row: int, links: np.ndarray) -> None:
        """Count a target that brought no page, and never will, in its groups and in those of links to it."""
        failure = np.full(1, 1j, np.complex64)
        self._targets["counted"].rows[row] = 1j
        for name in TARGET_GROUPS:
            self.groups[name].add(self._targets[name].rows[[row]], failure)
        self._count_links(links, np.repeat(failure, len(links)))

    def arrays(self) -> dict[str, np.ndarray]:
        """All that is known, for saving."""
        found = {"evidence": self.numbers.rows, "fetched": self.rows.rows, "counted": np.array(self.counted)}
        for name, group in self.groups.items():
            found[f"group_{name}"], found[f"totals_{name}"] = group.arrays()
        return found

    def set_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Take back what `arrays` gave."""
        self.numbers.set(arrays["evidence"])
        self.rows.set(arrays["fetched"])
        self.counted = int(arrays["counted"])
        for name, group in self.groups.items():
            group.set_arrays(arrays[f"group_{name}"], arrays[f"totals_{name}"])

    def _drop_old(self) -> None:
        """Let go of links that were written over; what they told their groups stays."""
        kept = self.numbers.rows >= self._links["page"].oldest
        if not kept.all():
            self.counted = int(kept[: self.counted].sum())
            self.numbers.set(self.numbers.rows[kept])

    def _count_links(self, numbers: np.ndarray, amounts: np.ndarray) -> None:
        """Add to the groups of links, and to those of their neighbours."""
        page = self._links["page"]
        at = page.at(numbers)
        for name in ("page", "place"):
            self.groups[name].add(self._links[name].rows[at], amounts)
        # A menu's link stands on every page; counted each time, a target would outvote the others and itself.
        previous, host_place = self._links["previous"].rows[at], self._links["host_place"].rows
        before = host_place.take(page.at(previous), mode="clip")
        new = (previous < page.oldest) | (before != host_place[at])
        self.groups["host_place"].add(host_place[at][new], amounts[new])
        near = numbers[:, np.newaxis] + _OFFSETS
        beside = (near >= page.oldest) & (near < page.total)
        beside &= page.rows.take(page.at(near), mode="clip") == page.rows[at][:, np.newaxis]
        self.groups["near"].add(near[beside], (amounts[:, np.newaxis] * _NEARNESS)[beside])
