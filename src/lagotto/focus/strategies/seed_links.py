"""Links between pages and seed pages, counted as they change: the tables of `linkrank`.

A page is *linked* when a seed page links to it, a *candidate* once it was fetched, a *seed page* when its
rank has come up. Seed pages are never compared with candidates again: each change touches only the pages
that the new seed page links to and those that link to it.

Backlinks are kept in runs sorted by target, in twelve bytes a link. A page's links are a new run; two runs of
about the same size become one, so there are never more runs than the logarithm of the number of links, and
adding a link costs as much.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct, msgpack

MAX_LINKS = 20_000_000
"""Links remembered of pages on the shelf, some 400 MB; a later page keeps the counts that it came with."""

LINKED, CANDIDATE, START, SEED = range(4)
"""What a page is; a start page is a candidate that the user gave, first in line whatever its counts."""


class Candidate(NamedTuple):
    """What the rank of a page is made of."""

    similarity: float
    to_seed: int
    from_seed: int

    @property
    def rank(self) -> float:
        """(links to seed pages + links from seed pages)·(0.1 + content similarity)."""
        return (self.to_seed + self.from_seed) * (0.1 + self.similarity)


class Backlinks:
    """Numbers of pages by the 64-bit id of what they link to."""

    def __init__(self) -> None:
        self._runs: list[tuple[np.ndarray, np.ndarray]] = []
        """Sorted targets and the pages that link there, largest run first."""

    def __len__(self) -> int:
        return sum(len(targets) for targets, _ in self._runs)

    def add(self, page: int, targets: np.ndarray) -> None:
        """Note that a page, given by its number, links to these targets."""
        run = np.sort(targets), np.full(len(targets), page, np.int32)
        while self._runs and len(self._runs[-1][0]) <= 2 * len(run[0]):
            run = _merged(self._runs.pop(), run)
        if len(run[0]):
            self._runs.append(run)

    def sources(self, target: int) -> list[int]:
        """Pages that link to the target."""
        found: list[int] = []
        for targets, pages in self._runs:
            first = np.searchsorted(targets, target)
            last = np.searchsorted(targets, target, side="right")
            found.extend(pages[first:last].tolist())
        return found

    def save(self) -> bytes:
        """All links."""
        return msgpack.encode([_Run(targets.tobytes(), pages.tobytes()) for targets, pages in self._runs])

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        runs = msgpack.decode(saved, type=list[_Run])
        self._runs = [
            (np.frombuffer(run.targets, np.int64), np.frombuffer(run.pages, np.int32)) for run in runs
        ]


class _Run(Struct, array_like=True):
    targets: bytes
    pages: bytes


def _merged(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    targets = np.concatenate([one[0], other[0]])
    pages = np.concatenate([one[1], other[1]])
    # Two sorted halves: a stable sort finds them and merges.
    order = np.argsort(targets, kind="stable")
    return targets[order], pages[order]


class SeedLinks:
    """Counts links from and to seed pages for every page on the shelf."""

    def __init__(self, max_links: int = MAX_LINKS) -> None:
        self.max_links = max_links
        self._rows: dict[int, int] = {}
        self._ids = array("q")
        self._kinds = bytearray()
        self._similarity = array("d")
        self._to_seed = array("i")
        self._from_seed = array("i")
        self._targets: dict[int, bytes] = {}
        """Row of a page on the shelf -> ids that it links to."""
        self._backlinks = Backlinks()

    def fetched(self, page_id: int, targets: Iterable[int], similarity: float) -> Candidate:
        """A page that was just fetched, before it is added.

        It was fetched because a seed page links to it. Where a redirect stands between the two, that link
        bears another id, so there is always at least one.
        """
        row = self._rows.get(page_id)
        from_seed = self._from_seed[row] if row is not None else 0
        return Candidate(similarity, sum(map(self._is_seed, targets)), max(1, from_seed))

    def add(self, page_id: int, targets: Sequence[int], similarity: float, *, start: bool = False) -> None:
        """The page was fetched and waits on the shelf."""
        row = self._row(page_id)
        if self._kinds[row] != LINKED:
            return
        _, to_seed, from_seed = self.fetched(page_id, targets, similarity)
        self._kinds[row] = START if start else CANDIDATE
        self._similarity[row], self._to_seed[row], self._from_seed[row] = similarity, to_seed, from_seed
        if len(self._backlinks) < self.max_links:
            ids = np.array(targets, np.int64)
            self._targets[row] = ids.tobytes()
            self._backlinks.add(row, ids)

    def join(self, page_id: int) -> dict[int, Candidate]:
        """The page becomes a seed page; returns the candidates whose counts this changes."""
        row = self._rows.get(page_id)
        if row is None or self._kinds[row] not in (CANDIDATE, START):
            return {}
        self._kinds[row] = SEED
        changed = set()
        for target in np.frombuffer(self._targets.pop(row, b""), np.int64).tolist():
            linked = self._row(target)
            self._from_seed[linked] += 1
            changed.add(linked)
        for source in self._backlinks.sources(page_id):
            self._to_seed[source] += 1
            changed.add(source)
        return self.candidates(self._ids[row] for row in sorted(changed))

    def revise(self, page_id: int, similarity: float) -> None:
        """Give a page another similarity."""
        self._similarity[self._rows[page_id]] = similarity

    def candidates(self, page_ids: Iterable[int]) -> dict[int, Candidate]:
        """Those of the pages that are candidates now."""
        rows = {page_id: self._rows[page_id] for page_id in page_ids}
        return {
            page_id: self._candidate(row) for page_id, row in rows.items() if self._kinds[row] == CANDIDATE
        }

    def save(self) -> bytes:
        """Every count and every link that is still needed."""
        state = _State(
            ids=self._ids.tobytes(),
            kinds=bytes(self._kinds),
            similarity=self._similarity.tobytes(),
            to_seed=self._to_seed.tobytes(),
            from_seed=self._from_seed.tobytes(),
            targets=self._targets,
            backlinks=self._backlinks.save(),
        )
        return msgpack.encode(state)

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        state = msgpack.decode(saved, type=_State)
        self._ids, self._kinds = array("q", state.ids), bytearray(state.kinds)
        self._similarity = array("d", state.similarity)
        self._to_seed, self._from_seed = array("i", state.to_seed), array("i", state.from_seed)
        self._rows = {page_id: row for row, page_id in enumerate(self._ids)}
        self._targets = state.targets
        self._backlinks.load(state.backlinks)

    def _is_seed(self, page_id: int) -> bool:
        row = self._rows.get(page_id)
        return row is not None and self._kinds[row] == SEED

    def _candidate(self, row: int) -> Candidate:
        return Candidate(self._similarity[row], self._to_seed[row], self._from_seed[row])

    def _row(self, page_id: int) -> int:
        row = self._rows.setdefault(page_id, len(self._ids))
        if row == len(self._ids):
            self._ids.append(page_id)
            self._kinds.append(LINKED)
            self._similarity.append(0.0)
            self._to_seed.append(0)
            self._from_seed.append(0)
        return row


class _State(Struct, array_like=True):
    ids: bytes
    kinds: bytes
    similarity: bytes
    to_seed: bytes
    from_seed: bytes
    targets: dict[int, bytes]
    backlinks: bytes
