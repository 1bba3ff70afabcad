"""The link graph: fetched pages or their hosts, and the links between them.

URLs of the chosen pages are kept in memory, links are read one page after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from lagotto.export.options import ExportOptions
from lagotto.export.selection import selected
from lagotto.export.tables import INTEGER, TEXT, Table
from lagotto.protocols import Reader
from lagotto.reasons import Reason
from lagotto.urls import checksum

_MOST_HOPS = 20
"""Redirects that are followed from a link to its page."""


class PageNode(Struct):
    """A page of the graph."""

    url: str
    host: str
    title: str
    relevance: float | None
    relevant: bool | None


class Graph:
    """The chosen pages, and which of them link to which."""

    def __init__(self, reader: Reader, options: ExportOptions) -> None:
        self._reader = reader
        self.pages: dict[int, PageNode] = {}
        """Number -> page, in the order of the selection."""
        self._numbers: dict[int, int] = {}
        """Checksum of a URL -> number of the page behind it."""
        for stored in selected(reader, options):
            row = stored.row
            if stored.is_page:
                self.pages[row.seq] = PageNode(row.url, row.host, row.title, row.relevance, row.relevant)
                self._numbers[checksum(row.url)] = row.seq
        self._add_redirects()

    def _add_redirects(self) -> None:
        """Let a link to a URL that redirects count as a link to the page where it ends."""
        leads = {
            checksum(row.url): checksum(row.final_url)
            for row in self._reader.rows()
            if row.reason == Reason.REDIRECT
        }
        for start, target in leads.items():
            for _ in range(_MOST_HOPS):
                if target not in leads:
                    break
                target = leads[target]
            if target in self._numbers:
                self._numbers.setdefault(start, self._numbers[target])

    def edges(self) -> Iterator[tuple[int, int]]:
        """Number of a page and of a page that it links to, each pair once, no page to itself."""
        for source, ids in self._reader.link_targets():
            if source in self.pages:
                found = map(self._numbers.get, np.frombuffer(ids, np.int64).tolist())
                for target in dict.fromkeys(found):
                    if target is not None and target != source:
                        yield source, target

    def host_edges(self) -> Counter[tuple[str, str]]:
        """Two hosts -> links from pages of the first to pages of the second."""
        return Counter((self.pages[source].host, self.pages[target].host) for source, target in self.edges())


def edge_table(reader: Reader, options: ExportOptions) -> Table:
    """The links as a table of URLs, or of hosts with the number of links between them."""
    graph = Graph(reader, options)
    if options.nodes == "hosts":
        lines = sorted((*pair, count) for pair, count in graph.host_edges().items())
        return Table({"source": TEXT, "target": TEXT, "links": INTEGER}, lines)
    pairs = ((graph.pages[source].url, graph.pages[target].url) for source, target in graph.edges())
    return Table({"source": TEXT, "target": TEXT}, pairs)
