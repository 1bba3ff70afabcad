"""The links seen so far and their targets, in compact columns, with what fetched targets turned out to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from lagotto.strategies.scent.buckets import key
from lagotto.strategies.scent.columns import Column, Numbers
from lagotto.strategies.scent.features import LinkColumns, TargetColumns, features, rates, smoothed
from lagotto.strategies.scent.judge import Lexicon

ANCHOR_TERMS = 6
"""Terms of an anchor that are kept."""
MAX_LINKS = 200_000
"""Links kept; beyond that the oldest and least promising half is forgotten."""
UNFETCHED, LOST = -1, -2
"""In place of a page's number: not fetched yet, and concluded without a page."""

_LINK_COLUMNS: dict[str, type[np.generic]] = {
    "page": np.int32,
    "target": np.int32,
    "place": np.int32,
    "host_place": np.int32,
}
_TARGET_COLUMNS: dict[str, type[np.generic]] = {
    "id": np.int64,
    "host": np.int32,
    "directory": np.int32,
    "page": np.int32,
}


class NewLinks(NamedTuple):
    """Links of one page on their way into the table; keys are 64-bit numbers."""

    ids: np.ndarray
    host_names: list[str]
    hosts: np.ndarray
    """Place of each target's host among the names."""
    directories: np.ndarray
    paths: np.ndarray
    similarity: np.ndarray
    """Of anchor, context and URL to the user's words."""
    anchors: np.ndarray
    """Buckets of anchor terms, padded with BUCKETS."""


class LinkTable:
    """Knows every link of the pages read, until there are too many."""

    def __init__(self) -> None:
        self.links = {name: Column(dtype) for name, dtype in _LINK_COLUMNS.items()}
        self.similarity = Column(np.float32, 3)
        self.anchors = Column(np.int32, ANCHOR_TERMS)
        self.targets = {name: Column(dtype) for name, dtype in _TARGET_COLUMNS.items()}
        self.scores = Column(np.float64)
        """Score that each target has in the frontier."""
        self.rows: dict[int, int] = {}
        """Target's id -> row."""
        self.host_names: list[str] = []
        self._host_numbers: dict[str, int] = {}
        self.directories, self.places, self.host_places = (Numbers() for _ in range(3))
        self._sums: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def __len__(self) -> int:
        return len(self.similarity)

    def add(self, page: int, new: NewLinks, scores: np.ndarray) -> None:
        """Take in the links of a page, with the scores under which they entered the frontier."""
        rows = self._rows_of(new)
        self.scores.extend(np.full(len(self.rows) - len(self.scores), -np.inf))
        known = self.scores.rows
        np.maximum.at(known, rows, scores)
        places = [self.places[hash((page, path))] for path in new.paths.tolist()]
        host_places = [self.host_places[at] for at in _host_places(new).tolist()]
        for name, column in zip(
            _LINK_COLUMNS, (np.full(len(rows), page), rows, places, host_places), strict=True
        ):
            self.links[name].extend(np.asarray(column, np.int32))
        self.similarity.extend(new.similarity)
        self.anchors.extend(new.anchors)

    def fetched(self, ids: Iterable[int], page: int) -> None:
        """A target was fetched, perhaps through redirects, and is the page of this number."""
        for id in ids:
            row = self.rows.get(id)
            if row is not None:
                self.targets["page"].rows[row] = page

    def forget(self) -> np.ndarray | None:
        """Let go of old links to unpromising targets when there are too many; returns the rows of those kept.

        Targets that were fetched stay: a link that leads to one again must not look like a new one.
        """
        n = len(self)
        if n <= MAX_LINKS:
            return None
        page, target = self.targets["page"].rows, self.links["target"].rows
        queued = page == UNFETCHED
        promising = queued & (self.scores.rows >= np.median(self.scores.rows[queued]))
        kept = promising[target] & (np.arange(n) >= n // 4) | (np.arange(n) >= n // 2)
        used = page != UNFETCHED
        used[target[kept]] = True
        rows = np.flatnonzero(used)
        places = np.cumsum(used) - 1
        for column in (*self.links.values(), self.similarity, self.anchors):
            column.set(column.rows[kept])
        self.links["target"].set(places[self.links["target"].rows])
        for column in (*self.targets.values(), self.scores):
            column.set(column.rows[rows])
        self.rows = {id: row for row, id in enumerate(self.targets["id"].rows.tolist())}
        self._renumber(self.directories, self.targets["directory"])
        self._renumber(self.places, self.links["place"])
        self._renumber(self.host_places, self.links["host_place"])
        self._sums.clear()
        return rows

    def _renumber(self, numbers: Numbers, column: Column) -> None:
        """Forget groups that no row is in any more."""
        keys = np.fromiter(numbers, np.int64, len(numbers))
        in_use, column_rows = np.unique(column.rows, return_inverse=True)
        column.set(column_rows)
        numbers.clear()
        numbers.update({key: number for number, key in enumerate(keys[in_use].tolist())})

    def parents(self, id: int) -> np.ndarray:
        """Numbers of the pages known to link to a target."""
        row = self.rows.get(id)
        if row is None:
            return np.zeros(0, np.int32)
        return np.asarray(self.links["page"].rows[self.links["target"].rows == row])

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Links between fetched pages: numbers of children and of their parents."""
        child = self.targets["page"].rows[self.links["target"].rows]
        known = child >= 0
        return child[known], self.links["page"].rows[known]

    def features(self, relevance: np.ndarray, lexicon: Lexicon, base: float) -> np.ndarray:
        """Features of all targets, given the relevance of all pages."""
        page = self.targets["page"].rows
        fetched = (page >= 0).astype(np.float64)
        found = np.where(page >= 0, relevance[np.maximum(page, 0)], 0.0)
        link_target = self.links["target"].rows
        host_rate, host_pages = rates(self.targets["host"].rows, found, fetched, base)
        directory_rate, _ = rates(self.targets["directory"].rows, found, fetched, base)
        place_rate, _ = rates(self.links["host_place"].rows, found[link_target], fetched[link_target], base)
        self._keep_sums(found, fetched)
        columns = LinkColumns(
            self.links["page"].rows,
            link_target,
            self.links["place"].rows,
            relevance[self.links["page"].rows],
            self.similarity.rows,
            meaning(self.anchors.rows, lexicon),
            place_rate,
        )
        return features(columns, TargetColumns(fetched, found, host_rate, host_pages, directory_rate), base)

    def preview(
        self, new: NewLinks, of_page: float, relevance: np.ndarray, lexicon: Lexicon, base: float
    ) -> np.ndarray:
        """Features of links that are not in the table yet, each as if it were the only one to its target."""
        n = len(new.ids)
        rows = [self.rows.get(id, -1) for id in new.ids.tolist()]
        page = np.array([self.targets["page"].rows[row] if row >= 0 else UNFETCHED for row in rows], np.int64)
        fetched = (page >= 0).astype(np.float64)
        found = np.where(page >= 0, relevance[np.maximum(page, 0)] if len(relevance) else 0.0, 0.0)
        _, place = np.unique(new.paths, return_inverse=True)
        hosts = np.array([self._host_numbers.get(name, -1) for name in new.host_names], np.int64)
        host_sums, host_counts = self._successes("host", hosts[new.hosts])
        host_place = np.array([self.host_places.get(at, -1) for at in _host_places(new).tolist()], np.int64)
        directory = np.array([self.directories.get(at, -1) for at in new.directories.tolist()], np.int64)
        columns = LinkColumns(
            np.zeros(n, np.int64),
            None,
            place,
            np.full(n, of_page),
            new.similarity,
            meaning(new.anchors, lexicon),
            smoothed(*self._successes("host_place", host_place), base),
        )
        targets = TargetColumns(
            fetched,
            found,
            smoothed(host_sums, host_counts, base),
            host_counts,
            smoothed(*self._successes("directory", directory), base),
        )
        return features(columns, targets, base)

    def score_of(self, id: int, otherwise: float) -> float:
        """Score of a target in the frontier; seeds and forgotten targets are not in the table."""
        row = self.rows.get(id)
        return otherwise if row is None else float(self.scores.rows[row])

    def arrays(self) -> dict[str, np.ndarray]:
        """All columns and groups, for saving."""
        found = {f"link_{name}": column.rows for name, column in self.links.items()}
        found |= {f"target_{name}": column.rows for name, column in self.targets.items()}
        found |= {
            f"group_{name}": np.fromiter(numbers, np.int64, len(numbers))
            for name, numbers in self._groups.items()
        }
        for name, (sums, counts) in self._sums.items():
            found |= {f"sums_{name}": sums, f"counts_{name}": counts}
        return found | {
            "similarity": self.similarity.rows,
            "anchors": self.anchors.rows,
            "scores": self.scores.rows,
        }

    def set_arrays(self, arrays: dict[str, np.ndarray], host_names: list[str]) -> None:
        """Take back what `arrays` gave."""
        for name, column in self.links.items():
            column.set(arrays[f"link_{name}"])
        for name, column in self.targets.items():
            column.set(arrays[f"target_{name}"])
        self.similarity.set(arrays["similarity"])
        self.anchors.set(arrays["anchors"])
        self.scores.set(arrays["scores"])
        self.rows = {id: row for row, id in enumerate(arrays["target_id"].tolist())}
        for name, numbers in self._groups.items():
            numbers.clear()
            numbers.update({key: number for number, key in enumerate(arrays[f"group_{name}"].tolist())})
        self._sums = {
            name: (arrays[f"sums_{name}"], arrays[f"counts_{name}"])
            for name in ("host", "directory", "host_place")
            if f"sums_{name}" in arrays
        }
        self.host_names = host_names
        self._host_numbers = {name: number for number, name in enumerate(host_names)}

    @property
    def _groups(self) -> dict[str, Numbers]:
        return {"directory": self.directories, "place": self.places, "host_place": self.host_places}

    def _host(self, name: str) -> int:
        number = self._host_numbers.setdefault(name, len(self.host_names))
        if number == len(self.host_names):
            self.host_names.append(name)
        return number

    def _rows_of(self, new: NewLinks) -> np.ndarray:
        """Rows of the links' targets, those of new targets added."""
        hosts = [self._host(name) for name in new.host_names]
        rows = np.empty(len(new.ids), np.int32)
        added: list[tuple[int, int, int, int]] = []
        for at, (id, host, directory) in enumerate(
            zip(new.ids.tolist(), new.hosts.tolist(), new.directories.tolist(), strict=True)
        ):
            row = self.rows.get(id)
            if row is None:
                self.rows[id] = row = len(self.rows)
                added.append((id, hosts[host], self.directories[directory], UNFETCHED))
            rows[at] = row
        if added:
            for name, column in zip(_TARGET_COLUMNS, zip(*added, strict=True), strict=True):
                self.targets[name].extend(np.array(column))
        return rows

    def _keep_sums(self, found: np.ndarray, fetched: np.ndarray) -> None:
        """Remember each group's successes, for links that come before the next look at all of them."""
        link_target = self.links["target"].rows
        for name, group, values, counts in (
            ("host", self.targets["host"].rows, found, fetched),
            ("directory", self.targets["directory"].rows, found, fetched),
            ("host_place", self.links["host_place"].rows, found[link_target], fetched[link_target]),
        ):
            self._sums[name] = (np.bincount(group, values), np.bincount(group, counts))

    def _successes(self, name: str, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Successes and members of groups at the last look; zero for groups not met before."""
        sums, counts = self._sums.get(name, (np.zeros(1), np.zeros(1)))
        known = (group >= 0) & (group < len(sums))
        at = np.where(known, group, 0)
        return np.where(known, sums[at], 0.0), np.where(known, counts[at], 0.0)


def _host_places(new: NewLinks) -> np.ndarray:
    """Keys of (target's host, DOM path)."""
    hosts = np.array([key(name) for name in new.host_names], np.int64)
    return np.asarray(new.paths ^ hosts[new.hosts]) if len(hosts) else new.paths


def meaning(anchors: np.ndarray, lexicon: Lexicon) -> np.ndarray:
    """Cosine of anchors with the judge's term weights, damped for anchors of common words."""
    found = lexicon.weighted[anchors].sum(axis=1)
    return np.asarray(found / (np.sqrt(lexicon.squared[anchors].sum(axis=1)) + 1.0))
