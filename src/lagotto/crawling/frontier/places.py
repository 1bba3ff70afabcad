"""Which host comes next: heaps of hosts by their best link, and by the time of their turn."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from lagotto.base.batch import Place

Entry = tuple[float, int, str]
"""What a heap holds of a host: the place of its best link, or the time of its turn and 0; then its name."""
_FEW = 1000


class Places:
    """Two heaps: `ready` by the place of the host's best link, `waiting` by the time of its turn.

    A host has one current entry. Older entries are dropped when they reach the top.
    """

    def __init__(self) -> None:
        self._ready: list[Entry] = []
        self._waiting: list[Entry] = []
        self._current: dict[str, Entry] = {}

    def is_ready(self, host: str, place: Place) -> None:
        """It is the host's turn, and this is the place of its best link."""
        self._put(self._ready, (*place, host))

    def waits(self, host: str, until: float) -> None:
        """The host must wait until then."""
        self._put(self._waiting, (until, 0, host))

    def forget(self, host: str) -> None:
        """The host has nothing to give."""
        self._current.pop(host, None)

    def top(self) -> Entry | None:
        """The best ready host."""
        return self._first(self._ready)

    def first_turn(self) -> float | None:
        """When the turn of the first waiting host comes."""
        entry = self._first(self._waiting)
        return None if entry is None else entry[0]

    def take_top(self) -> None:
        """Remove the best ready host."""
        del self._current[heapq.heappop(self._ready)[-1]]

    def take_due(self, now: float) -> Iterator[str]:
        """Remove the waiting hosts whose turn has come."""
        while self._waiting and self._waiting[0][0] <= now:
            entry = heapq.heappop(self._waiting)
            if self._is_current(entry):
                del self._current[entry[-1]]
                yield entry[-1]

    def ready_hosts(self, most: int) -> Iterator[str]:
        """Some of the best ready hosts, the best one first."""
        return (entry[-1] for entry in self._ready[:most] if self._is_current(entry))

    def waiting_hosts(self) -> Iterator[str]:
        """All waiting hosts."""
        return (entry[-1] for entry in self._waiting if self._is_current(entry))

    def waiting_until(self, limit: float) -> Iterator[str]:
        """Hosts whose turn comes by then, in no order, without reading the whole heap."""
        heap, indices = self._waiting, [0]
        while indices:
            index = indices.pop()
            if index < len(heap) and heap[index][0] <= limit:
                if self._is_current(heap[index]):
                    yield heap[index][-1]
                indices += (2 * index + 1, 2 * index + 2)

    def _is_current(self, entry: Entry) -> bool:
        return self._current.get(entry[-1]) is entry

    def _first(self, heap: list[Entry]) -> Entry | None:
        while heap:
            if self._is_current(heap[0]):
                return heap[0]
            heapq.heappop(heap)
        return None

    def _put(self, heap: list[Entry], entry: Entry) -> None:
        """Make this the host's entry; remove older entries when they are most of the heap."""
        if self._current.get(entry[-1]) == entry:
            return
        self._current[entry[-1]] = entry
        heapq.heappush(heap, entry)
        if len(heap) > _FEW + 2 * len(self._current):
            heap[:] = [kept for kept in heap if self._is_current(kept)]
            heapq.heapify(heap)
