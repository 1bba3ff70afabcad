"""The link graph: fetched pages or their hosts, and the links between them.

URLs of the chosen pages are kept in memory, links are read one page after the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.base.reasons import Reason
from lagotto.base.urls import checksum
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.selection import selected
from lagotto.harvest.export.tables import INTEGER, TEXT, Table

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


_TYPES = {
    "relevance": "double",
    "relevant": "boolean",
    "pages": "int",
    "relevant_pages": "int",
    "links": "int",
}
_not_xml = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").sub


def write_graphml(reader: Reader, stream: BinaryIO, options: ExportOptions) -> int:
    """Write nodes and edges; returns how many nodes there are."""
    graph = Graph(reader, options)
    hosts = options.nodes == "hosts"
    fields = ("pages", "relevant_pages", "relevance") if hosts else ("host", "title", "relevance", "relevant")
    _write(stream, _head(fields, ("links",) if hosts else ()))
    count = 0
    for name, values in _hosts(graph) if hosts else _pages(graph):
        _write(stream, f"<node id={_attribute(name)}>{_values(values)}</node>")
        count += 1
    for source, target, values in _host_edges(graph) if hosts else _page_edges(graph):
        ends = f"source={_attribute(source)} target={_attribute(target)}"
        _write(stream, f"<edge {ends}>{_values(values)}</edge>" if values else f"<edge {ends}/>")
    _write(stream, "</graph>\n</graphml>")
    return count


Values = dict[str, object]


class _Host(Struct):
    pages: int = 0
    relevant: int = 0
    relevance: float = 0.0

    def add(self, page: PageNode) -> None:
        self.pages += 1
        self.relevant += bool(page.relevant)
        self.relevance += page.relevance or 0.0


def _pages(graph: Graph) -> Iterator[tuple[str, Values]]:
    for page in graph.pages.values():
        values = {"host": page.host, "title": page.title, "relevance": page.relevance}
        yield page.url, {**values, "relevant": page.relevant}


def _hosts(graph: Graph) -> Iterator[tuple[str, Values]]:
    hosts: dict[str, _Host] = {}
    for page in graph.pages.values():
        hosts.setdefault(page.host, _Host()).add(page)
    for name, host in hosts.items():
        mean = host.relevance / host.pages
        yield name, {"pages": host.pages, "relevant_pages": host.relevant, "relevance": mean}


def _page_edges(graph: Graph) -> Iterator[tuple[str, str, Values]]:
    for source, target in graph.edges():
        yield graph.pages[source].url, graph.pages[target].url, {}


def _host_edges(graph: Graph) -> Iterator[tuple[str, str, Values]]:
    for (source, target), links in graph.host_edges().items():
        yield source, target, {"links": links}


def _head(of_nodes: Iterable[str], of_edges: Iterable[str]) -> str:
    keys = [("node", name) for name in of_nodes] + [("edge", name) for name in of_edges]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="{_TYPES.get(name, "string")}"/>'
            for of, name in keys
        ),
        '<graph edgedefault="directed">',
    ]
    return "\n".join(lines)


def _values(values: Values) -> str:
    """Values of a node or an edge; what is not known is left out."""
    known = ((name, _text(value)) for name, value in values.items() if value is not None)
    return "".join(f'<data key="{name}">{escape(value)}</data>' for name, value in known)


def _attribute(text: str) -> str:
    return quoteattr(_text(text))


def _text(value: object) -> str:
    """A value as text, without characters that XML cannot hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return _not_xml("\ufffd", str(value))


def _write(stream: BinaryIO, line: str) -> None:
    stream.write(f"{line}\n".encode())
