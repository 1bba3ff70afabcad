"""The links seen so far and their targets, in compact columns.

Links are numbered as they come, and the newest ones are kept. Each knows the one before it to the same
target, so that a target's links are found without looking at any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lagotto.strategies.scent.columns import Column, Ring
from lagotto.strategies.scent.evidence import Evidence
from lagotto.strategies.scent.features import SIMILARITIES
from lagotto.strategies.scent.successes import SLOTS

ANCHOR_TERMS = 6
"""Terms of an anchor that are kept."""
MAX_LINKS = SLOTS
"""Links kept, the newest; no more than there are slots, since neighbours are counted by link."""
UNFETCHED, CONCLUDED, FREE = -1, -2, -3
"""In place of a page's number: not fetched yet, over without a lesson, and a row that no target has."""
_LINK_COLUMNS: dict[str, tuple[type[np.generic], int]] = {
    "page": (np.int32, 0),
    "target": (np.int32, 0),
    "previous": (np.int32, 0),
    "place": (np.int32, 0),
    "host_place": (np.int32, 0),
    "similarity": (np.float32, len(SIMILARITIES)),
    "anchors": (np.int32, ANCHOR_TERMS),
}
_TARGET_COLUMNS: dict[str, tuple[type[np.generic], float]] = {
    "id": (np.int64, 0),
    "host": (np.int32, 0),
    "directory": (np.int32, 0),
    "page": (np.int32, UNFETCHED),
    "newest": (np.int32, -1),
    "links": (np.int32, 0),
    "counted": (np.complex64, 0),
    "told": (np.float64, -np.inf),
    "score": (np.float64, -np.inf),
    "hint": (np.float64, np.nan),
}


class NewLinks(NamedTuple):
    """Links of one page on their way into the table."""

    ids: np.ndarray
    host_names: list[str]
    hosts: np.ndarray
    """Place of each target's host among the names."""
    directories: np.ndarray
    places: np.ndarray
    """Numbers from 0 on, the same for links in the same DOM place."""
    host_places: np.ndarray
    """Of the target's host and the DOM place."""
    similarity: np.ndarray
    """To the user's words, a column for each of `SIMILARITIES`."""
    anchors: np.ndarray
    """Buckets of anchor terms, padded with BUCKETS."""


class LinkTable:
    """Knows the newest links of the pages read, and their targets."""

    def __init__(self, most: int = MAX_LINKS) -> None:
        self.most = most
        self.links = {name: Ring(dtype, most, width) for name, (dtype, width) in _LINK_COLUMNS.items()}
        self.targets = {name: Column(dtype, empty=empty) for name, (dtype, empty) in _TARGET_COLUMNS.items()}
        self.rows: dict[int, int] = {}
        """Target's id -> row."""
        self.evidence = Evidence(self.links, self.targets)
        self.host_names: list[str] = []
        self._host_numbers: dict[str, int] = {}
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self.links["page"])

    def add(self, page: int, new: NewLinks, scores: np.ndarray) -> None:
        """Take in the links of a page, with the scores under which they enter the frontier."""
        first = self.links["page"].total
        numbers = np.arange(first, first + len(new.ids))
        self._make_room(len(numbers))
        self.evidence.groups["page"].clear(page)
        hosts = np.array([self._host(name) for name in new.host_names], np.int32)
        rows = self._rows_of(new.ids, hosts[new.hosts], new.directories)
        newest = self.targets["newest"].rows
        places = first + new.places
        columns = (np.full(len(rows), page), rows, newest[rows], places, *new[-3:])
        for ring, column in zip(self.links.values(), columns, strict=True):
            ring.extend(column)
        newest[rows] = numbers
        self.targets["links"].rows[rows] += 1
        for name in ("told", "score"):
            known = self.targets[name].rows
            known[rows] = np.maximum(known[rows], scores)
        self.evidence.numbers.extend(numbers[self.targets["page"].rows[rows] >= 0])

    def fetched(self, ids: Iterable[int], page: int) -> None:
        """A target was fetched, perhaps through redirects, and is the page of this number."""
        for id in ids:
            row = self.rows.get(id)
            if row is None:
                # No link led there, so it teaches nothing about links; one that does later finds it known.
                self.conclude(id)
            elif self.targets["page"].rows[row] == UNFETCHED:
                self.targets["page"].rows[row] = page
                self.evidence.rows.append(row)
                self.evidence.numbers.extend(self._links_to(row))

    def conclude(self, id: int) -> None:
        """A target is over, and there is nothing to learn from it."""
        none = np.zeros(1, np.int32)
        row = self._rows_of(np.array([id]), none, none)
        page = self.targets["page"].rows
        page[row] = np.where(page[row] == UNFETCHED, CONCLUDED, page[row])

    def parents(self, id: int) -> np.ndarray:
        """Numbers of the pages known to link to a target."""
        row = self.rows.get(id)
        if row is None:
            return np.zeros(0, np.int32)
        page = self.links["page"]
        return np.asarray(page.rows[page.at(self._links_to(row))])

    def layers(self, rows: np.ndarray, deepest: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Newest links of targets: where they lie, and whose they are, by layers as `features` takes them."""
        previous = self.links["previous"]
        of, number = np.arange(len(rows)), self.targets["newest"].rows[rows]
        links, layers = [np.zeros(0, np.int64)], []
        for _ in range(deepest):
            there = number >= previous.oldest
            of, number = of[there], number[there]
            if not len(of):
                break
            at = previous.at(number)
            links.append(at)
            layers.append(of)
            number = previous.rows[at]
        return np.concatenate(links), layers

    def arrays(self) -> dict[str, np.ndarray]:
        """All that the table holds but the names of hosts, for saving."""
        return {
            **{f"link_{name}": ring.rows for name, ring in self.links.items()},
            **{f"target_{name}": column.rows for name, column in self.targets.items()},
            **self.evidence.arrays(),
            "total": np.array(self.links["page"].total),
            "free": np.array(self._free, np.int32),
        }

    def set_arrays(self, arrays: dict[str, np.ndarray], host_names: list[str]) -> None:
        """Take back what `arrays` gave."""
        for name, ring in self.links.items():
            ring.restore(arrays[f"link_{name}"], int(arrays["total"]))
        for name, column in self.targets.items():
            column.set(arrays[f"target_{name}"])
        self.evidence.set_arrays(arrays)
        self._free = arrays["free"].tolist()
        free = set(self._free)
        self.rows = {id: row for row, id in enumerate(arrays["target_id"].tolist()) if row not in free}
        self.host_names = host_names
        self._host_numbers = {name: number for number, name in enumerate(host_names)}

    def host_number(self, name: str) -> int:
        """Number of a host; that of the next new one if it is not known."""
        return self._host_numbers.get(name, len(self.host_names))

    def _links_to(self, row: int) -> np.ndarray:
        """Numbers of the links to a target, newest first."""
        found, previous = [], self.links["previous"]
        number, oldest, rows = self.targets["newest"].rows.item(row), previous.oldest, previous.rows
        while number >= oldest:
            found.append(number)
            number = rows.item(number % previous.most)
        return np.array(found, np.int32)

    def _make_room(self, n: int) -> None:
        """Let go of queued targets whose last link is about to be written over."""
        target = self.links["target"]
        going = np.arange(target.oldest, max(0, target.total + n - target.most))
        if not len(going):
            return
        for name in ("near", "place"):
            self.evidence.groups[name].clear(going)
        rows = target.rows[target.at(going)]
        page, newest = self.targets["page"].rows, self.targets["newest"].rows
        gone = rows[(newest[rows] == going) & (page[rows] == UNFETCHED)]
        for id in self.targets["id"].rows[gone].tolist():
            self._free.append(self.rows.pop(id))
        page[gone] = FREE

    def _rows_of(self, ids: np.ndarray, hosts: np.ndarray, directories: np.ndarray) -> np.ndarray:
        """Rows of targets, those of new ones added."""
        asked = ids.tolist()
        new = [at for at, id in enumerate(asked) if id not in self.rows]
        if new:
            self._add_targets([*dict.fromkeys(asked[at] for at in new)])
        rows = np.array([*map(self.rows.__getitem__, asked)], np.int64)
        if new:
            for name, values in (("id", ids), ("host", hosts), ("directory", directories)):
                self.targets[name].rows[rows[new]] = values[new]
        return rows

    def _add_targets(self, ids: list[int]) -> None:
        """Give a row to each, those that targets were let go from first."""
        reused = [self._free.pop() for _ in range(min(len(self._free), len(ids)))]
        length = len(self.targets["id"])
        end = length + len(ids) - len(reused)
        self.rows.update(zip(ids, [*reused, *range(length, end)], strict=True))
        for column in self.targets.values():
            column.grow(end)
            if reused:
                column.rows[reused] = column.empty

    def _host(self, name: str) -> int:
        number = self._host_numbers.setdefault(name, len(self.host_names))
        if number == len(self.host_names):
            self.host_names.append(name)
        return number
