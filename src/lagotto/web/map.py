"""The harvest as a graph: hosts, and the links between their pages."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Struct

from lagotto.export.graph import Graph
from lagotto.export.options import ExportOptions
from lagotto.protocols import Reader
from lagotto.web.watched import Watched

Nodes = Annotated[int, QueryParameter(ge=1, le=5000, description="Nodes at most, the largest first.")]


class MapNode(Struct):
    """A host."""

    id: str
    pages: int
    relevant: int


class MapEdge(Struct):
    """Links from pages of one host to pages of another."""

    source: str
    target: str
    links: int


class Map(Struct):
    """A graph to draw."""

    nodes: list[MapNode]
    edges: list[MapEdge]
    left_out: int
    """Nodes that are not told, the smallest ones."""


@get("/crawls/{name:str}/map")
async def show_map(crawl: NamedDependency[Watched], n: Nodes = 2000) -> Map:
    """Hosts of fetched pages, and the links between them."""

    def ask(reader: Reader) -> Map:
        graph = Graph(reader, ExportOptions())
        pages = Counter(page.host for page in graph.pages.values())
        relevant = Counter(page.host for page in graph.pages.values() if page.relevant)
        shown = {host for host, _ in pages.most_common(n)}
        edges = [
            MapEdge(source, target, links)
            for (source, target), links in graph.host_edges().items()
            if source != target and source in shown and target in shown
        ]
        nodes = [MapNode(host, count, relevant[host]) for host, count in pages.most_common(n)]
        return Map(nodes, edges, len(pages) - len(nodes))

    return await crawl.remembered.get(("map", n), lambda: crawl.read_all(ask), least=5.0)
