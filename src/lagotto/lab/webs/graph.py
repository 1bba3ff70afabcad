"""The link graph of an analysed web: links, distances and reachable pages."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec
import numpy as np
from msgspec import Raw, Struct
from numpy.typing import NDArray

from lagotto.lab.webs.web import FrozenWeb

Places = NDArray[np.int32]
"""Pages as indices into `analysis.urls()`."""
UNREACHED = -1


class _Target(Struct, array_like=True):
    url: str


class _Outline(Struct, array_like=True):
    """A `records.Page` reduced to the URLs of its links."""

    url: Raw
    title: Raw
    description: Raw
    headings: Raw
    text: Raw
    language: Raw
    encoding: Raw
    terms: Raw
    title_terms: Raw
    fingerprint: Raw
    simhash: Raw
    links: list[_Target]


_outlines = msgspec.msgpack.Decoder(_Outline)


class Graph:
    """Links as one array of targets, grouped by source page."""

    def __init__(self, starts: NDArray[np.int64], targets: Places) -> None:
        self.starts = starts
        self.targets = targets

    def __len__(self) -> int:
        return len(self.starts) - 1

    def links_of(self, place: int) -> Places:
        """Pages that a page links to."""
        return self.targets[self.starts[place] : self.starts[place + 1]]

    def reversed(self) -> Graph:
        """The same links, from target to source."""
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        order = np.argsort(self.targets, kind="stable")
        counts = np.bincount(self.targets, minlength=len(self))
        return Graph(np.concatenate([[0], np.cumsum(counts)]), sources[order])

    def hops_from(self, places: Iterable[int], limit: int = 1 << 30) -> Places:
        """Distance in links of every page from the nearest of some pages; `UNREACHED` beyond the limit."""
        hops = np.full(len(self), UNREACHED, np.int32)
        level = np.unique(np.fromiter(places, np.int32))
        distance = 0
        while len(level) and distance <= limit:
            hops[level] = distance
            distance += 1
            found = np.concatenate([self.links_of(place) for place in level])
            level = np.unique(found[hops[found] == UNREACHED])
        return hops

    def reach(self, places: Iterable[int]) -> int:
        """Number of pages that can be reached, the given ones included."""
        return int(np.count_nonzero(self.hops_from(places) != UNREACHED))


def graph_of(analysis: FrozenWeb) -> Graph:
    """The link graph, read from a file beside the analysis or made now."""
    path = analysis.path.with_suffix(".links.npz")
    if not path.exists():
        graph = _build(analysis)
        unfinished = path.with_name(f".{os.getpid()}.{path.name}")
        np.savez(unfinished, starts=graph.starts, targets=graph.targets)
        unfinished.replace(path)
        return graph
    with np.load(path) as arrays:
        return Graph(arrays["starts"], arrays["targets"])


def _build(analysis: FrozenWeb) -> Graph:
    place_of = {url: place for place, url in enumerate(analysis.urls())}
    starts = np.zeros(len(analysis) + 1, np.int64)
    targets: list[int] = []
    for place, page in enumerate(analysis):
        targets += [place_of[link.url] for link in _outlines.decode(page.body).links]
        starts[place + 1] = len(targets)
    return Graph(starts, np.array(targets, np.int32))
