"""The links seen so far and their targets, in compact columns.

Links are numbered in order of arrival, and the newest ones are kept. Each link stores the number of the
previous link to the same target, so that a target's links are found without a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, repeat
from typing import NamedTuple

import numpy as np

from lagotto.focus.strategies.scent.columns import Column, Columns, Ring, Rings
from lagotto.focus.strategies.scent.evidence import MEMBERS, SLOTS, FetchedLinks
from lagotto.focus.strategies.scent.features import SIMILARITIES

ANCHOR_TERMS = 6
"""Number of anchor terms that are kept."""
MAX_LINKS = SLOTS
"""Number of newest links kept; at most `SLOTS`, since neighbours are counted by link number."""
QUEUED, FETCHED, UNLINKED, CONCLUDED, FREE = range(5)
"""States of a target; FREE is that of a row without a target.

UNLINKED targets are fetched, but nothing is learned from links to them. CONCLUDED ones have brought no page.
"""
_AT_ONCE = 1 << 16
"""Links whose anchors are compared together."""
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
    "state": (np.int8, QUEUED),
    "page": (np.int32, 0),
    "newest": (np.int32, -1),
    "links": (np.int32, 0),
    "counted": (np.bool_, False),
    "counted_as": (np.float32, 0),
    "told": (np.float64, -np.inf),
    "score": (np.float64, -np.inf),
    "hint": (np.float64, np.nan),
}


class NewLinks(NamedTuple):
    """Links of one page, to be added to the table."""

    ids: np.ndarray
    hosts: list[str]
    """Hosts of the targets."""
    directories: np.ndarray
    places: np.ndarray
    """DOM place of each link, numbered from 0 within the page."""
    host_places: np.ndarray
    """Hash of the target's host and the DOM place."""
    similarity: np.ndarray
    """Similarity to the user's words, a column for each of `SIMILARITIES`."""
    anchors: np.ndarray
    """Buckets of anchor terms, padded with BUCKETS."""


class _Numbers(dict[str, int]):
    """Name -> its index in a list of names; new names are appended."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(zip(names, count()))
        self._names = names

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self._names)
        self._names.append(name)
        return number


class LinkTable:
    """The newest links of the pages read, and their targets.

    A target's `score` is the model's newest estimate. The score that decides when it is fetched is the
    frontier's. `told` is what the frontier has by what it was told from here, so that a revision names only
    those that changed: `add` and `move` raise it as the frontier does, and `tell` sets it.
    """

    def __init__(self, most: int = MAX_LINKS) -> None:
        self.most = most
        self.links = Rings({name: Ring(dtype, most, width) for name, (dtype, width) in _LINK_COLUMNS.items()})
        self.targets = Columns(
            {name: Column(dtype, empty=empty) for name, (dtype, empty) in _TARGET_COLUMNS.items()}
        )
        self.rows: dict[int, int] = {}
        """Target's id -> row."""
        self.moved: dict[int, int] = {}
        """Id of a redirected target -> id of the one it leads to."""
        self.evidence = FetchedLinks(self.links, self.targets)
        self.host_names: list[str] = []
        self._host_numbers = _Numbers(self.host_names)
        self._free: list[int] = []
        self._asked: tuple[np.ndarray, np.ndarray] | None = None
        """Ids of the last call of `rows_known` and their rows, until rows change."""

    def __len__(self) -> int:
        return len(self.links["page"])

    def add(self, page: int, new: NewLinks, scores: np.ndarray, bonus: np.ndarray | None = None) -> None:
        """Add the links of a page with their scores, which the frontier has with this bonus."""
        first = self.links["page"].total
        numbers = np.arange(first, first + len(new.ids))
        self._make_room(len(numbers))
        self.evidence.groups["page"].clear(page)
        hosts = np.fromiter(map(self._host_numbers.__getitem__, new.hosts), np.int32, len(new.hosts))
        rows = self._rows_of(new.ids, hosts, new.directories)
        places = first + new.places
        self.links.extend(len(rows), (page, rows, self._previous(rows, numbers), places, *new[-3:]))
        self.targets["newest"].rows[rows] = numbers
        np.add.at(self.targets["links"].rows, rows, np.int32(1))
        np.maximum.at(self.targets["score"].rows, rows, scores)
        np.maximum.at(self.targets["told"].rows, rows, scores if bonus is None else scores + bonus)
        self.evidence.numbers.append_all(numbers[self.targets["state"].rows[rows] == FETCHED].tolist())

    def tell(self, rows: np.ndarray, scores: np.ndarray) -> None:
        """The frontier is given these scores of targets."""
        self.targets["told"].rows[rows] = scores

    def set_anchor_similarity(self, of_anchors: Callable[[np.ndarray], np.ndarray]) -> None:
        """Compare the anchors that are kept with the user's words again, which are others now."""
        similarity, anchors = self.links["similarity"].rows, self.links["anchors"].rows
        for start in range(0, len(anchors), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            similarity[some, 0] = of_anchors(anchors[some])

    def fetched(self, ids: Iterable[int], page: int) -> None:
        """Mark targets (one, or several through redirects) as fetched: they are the page of this number."""
        for id in ids:
            row = self.row(id)
            if row is not None and self.targets["state"].rows[row] == QUEUED:
                self.targets["state"].rows[row] = FETCHED
                self.targets["page"].rows[row] = page
                self.evidence.rows.append(row)
                self.evidence.numbers.append_all(self._links_to(row))
            else:
                # No link led there, so nothing is learned about links; later links find the page known.
                self.name(id, page)

    def name(self, id: int, page: int) -> None:
        """Record that a target is the page of this number, unless it is still to be fetched."""
        if self.row(id) is None:
            self.conclude(id)
        row, state = self.row(id), self.targets["state"].rows
        if state[row] == CONCLUDED:
            state[row] = UNLINKED
            self.targets["page"].rows[row] = page

    def page_of(self, id: int) -> int | None:
        """Page number of a target, if it is fetched."""
        row = self.row(id)
        if row is None or self.targets["state"].rows[row] not in (FETCHED, UNLINKED):
            return None
        return int(self.targets["page"].rows[row])

    def conclude(self, id: int) -> None:
        """Mark a target as finished, with nothing to learn from it."""
        none = np.zeros(1, np.int32)
        row = self._rows_of(np.array([id]), none, none)
        state = self.targets["state"].rows
        state[row] = np.where(state[row] == QUEUED, CONCLUDED, state[row])

    def lose(self, id: int) -> None:
        """Mark a target that brought no page as finished, and count it as a failure in its groups."""
        row = self.row(id)
        if row is not None and self.targets["state"].rows[row] == QUEUED:
            self.evidence.fail(row, np.array(self._links_to(row), np.int32))
        self.conclude(id)

    def move(self, id: int, target: int, host: str) -> bool:
        """Redirect a target to another, on this host; returns whether that one is still to be fetched.

        From now on links to the first count as links to the second. The directory stays that of the linked
        URL, since other links of that directory are likely to redirect too.
        """
        self._asked = None
        id, target = self.ends([id, target])
        if id == target:
            self.conclude(id)  # A loop.
            return False
        state, told = self.targets["state"].rows, self.targets["told"].rows
        old, new = self.rows.get(id), self.rows.get(target)
        if old is not None and new is not None:
            told[new] = max(told[new], told[old])
            self.conclude(id)
        elif old is not None and state[old] == QUEUED:
            self.rows[target] = new = self.rows.pop(id)
            self.targets["id"].rows[new], self.targets["host"].rows[new] = target, self._host_numbers[host]
        self.moved[id] = target
        return new is None or bool(state[new] == QUEUED)

    def row(self, id: int) -> int | None:
        """Row of a target, redirects followed."""
        return self.rows.get(self._end(id))

    def ends(self, ids: list[int]) -> list[int]:
        """Ids of targets, redirects followed."""
        return [*map(self._end, ids)] if self.moved else ids

    def parents(self, id: int) -> list[int]:
        """Numbers of the pages known to link to a target."""
        row = self.row(id)
        if row is None:
            return []
        pages, most = self.links["page"].rows, self.links["page"].most
        return [pages.item(number % most) for number in self._links_to(row)]

    def newest(self, rows: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the newest links to targets, sorted by target, and how many each has."""
        ring = self.links["previous"]
        oldest, previous = ring.oldest, ring.rows
        of, number = np.arange(len(rows)), self.targets["newest"].rows[rows]
        links, layers = [of[:0]], [of[:0]]
        for _ in range(most):
            there = (number >= oldest).nonzero()[0]
            if not len(there):
                break
            if len(there) < len(of):
                of, number = of.take(there), number.take(there)
            at = ring.at(number)
            links.append(at)
            layers.append(of)
            number = previous.take(at)
        of = np.concatenate(layers)
        return np.concatenate(links)[of.argsort(kind="stable")], np.bincount(of, minlength=len(rows))

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays of the table, for saving; host names are not among them."""
        return {
            **{f"link_{name}": ring.rows for name, ring in self.links.items()},
            **{f"target_{name}": column.rows for name, column in self.targets.items()},
            **self.evidence.arrays(),
            "total": np.array(self.links["page"].total),
            "free": np.array(self._free, np.int32),
            "moved": np.array([*self.moved.items()], np.int64).reshape(-1, 2),
        }

    def set_arrays(self, arrays: dict[str, np.ndarray], host_names: list[str]) -> None:
        """Restore what `arrays` returned."""
        for name, ring in self.links.items():
            ring.restore(arrays[f"link_{name}"], int(arrays["total"]))
        for name, column in self.targets.items():
            column.set(arrays[f"target_{name}"])
        self.evidence.set_arrays(arrays)
        self._free = arrays["free"].tolist()
        free = set(self._free)
        self._asked = None
        self.rows = {id: row for row, id in enumerate(arrays["target_id"].tolist()) if row not in free}
        self.moved = dict(arrays["moved"].tolist())
        self.host_names = host_names
        self._host_numbers = _Numbers(host_names)

    def asked_of_hosts(self) -> np.ndarray:
        """How many links to each host, by number, brought a page or failed to."""
        return np.asarray(self.evidence.groups["host"].of(np.arange(len(self.host_names)))[MEMBERS])

    def number_of_host(self, name: str) -> int:
        """Number of a host; an unknown one gets the next free number for good."""
        return self._host_numbers[name]

    def host_numbers(self, names: list[str]) -> np.ndarray:
        """Numbers of hosts; unknown ones get the next free number."""
        known = map(self._host_numbers.get, names, repeat(len(self.host_names)))
        return np.fromiter(known, np.int64, len(names))

    def rows_known(self, ids: np.ndarray) -> np.ndarray:
        """Rows of targets, redirects followed; -1 for unknown ones.

        The last result is cached: the links of a page are scored and then added.
        """
        if self._asked is None or self._asked[0] is not ids:
            self._asked = ids, self._known(self.ends(ids.tolist()))
        return self._asked[1]

    def _end(self, id: int) -> int:
        while id in self.moved:
            id = self.moved[id]
        return id

    def _previous(self, rows: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The previous link to the same target, for each of a page's links, given by their targets' rows.

        After a redirect two links of one page may have the same target.
        """
        previous = np.asarray(self.targets["newest"].rows[rows])
        if not self.moved:
            return previous
        order = np.argsort(rows, kind="stable")
        again = np.flatnonzero(np.diff(rows[order]) == 0)
        previous[order[again + 1]] = numbers[order[again]]
        return previous

    def _links_to(self, row: int) -> list[int]:
        """Numbers of the links to a target, newest first."""
        found, previous = [], self.links["previous"]
        number, oldest, rows = self.targets["newest"].rows.item(row), previous.oldest, previous.rows
        while number >= oldest:
            found.append(number)
            number = rows.item(number % previous.most)
        return found

    def _make_room(self, n: int) -> None:
        """Remove queued targets whose last link is about to be overwritten."""
        target = self.links["target"]
        if target.total + n <= target.most:
            return
        going = np.arange(target.oldest, target.total + n - target.most)
        for name in ("near", "place"):
            self.evidence.groups[name].clear(going)
        rows = target.rows[target.at(going)]
        state, newest = self.targets["state"].rows, self.targets["newest"].rows
        gone = rows[(newest[rows] == going) & (state[rows] == QUEUED)]
        if len(gone):
            self._asked = None
        for id in self.targets["id"].rows[gone].tolist():
            self._free.append(self.rows.pop(id))
        state[gone] = FREE

    def _rows_of(self, ids: np.ndarray, hosts: np.ndarray, directories: np.ndarray) -> np.ndarray:
        """Rows of targets; new ones are added."""
        rows = self.rows_known(ids)
        (new,) = (rows < 0).nonzero()
        if len(new):
            named = self.ends(ids[new].tolist())
            rows = rows.copy()
            rows[new] = added = self._add_targets(named)
            self.targets["id"].rows[added] = named
            self.targets["host"].rows[added] = hosts[new]
            self.targets["directory"].rows[added] = directories[new]
        return rows

    def _known(self, ids: list[int]) -> np.ndarray:
        """Rows of targets; -1 for unknown ones."""
        return np.fromiter(map(self.rows.get, ids, repeat(-1)), np.int64, len(ids))

    def _add_targets(self, ids: list[int]) -> np.ndarray:
        """Add targets, in free rows first; returns their rows."""
        self._asked = None
        distinct = dict.fromkeys(ids)
        reused = [self._free.pop() for _ in range(min(len(self._free), len(distinct)))]
        length = len(self.targets["id"])
        end = length + len(distinct) - len(reused)
        rows = [*reused, *range(length, end)]
        self.rows.update(zip(distinct, rows, strict=True))
        self.targets.grow(end)
        if reused:
            for column in self.targets.values():
                column.rows[reused] = column.empty
        return np.array(rows) if len(distinct) == len(ids) else self._known(ids)
