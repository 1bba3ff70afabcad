"""The harvest as a graph: hosts or subtopics, and the links between their pages."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.harvest.export.graph import Graph
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.subtopics import Subtopics
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.subtopics import sorted_pages

Nodes = Annotated[int, QueryParameter(ge=1, le=5000, description="Nodes at most, the largest first.")]


class MapNode(Struct):
    """A host or a subtopic."""

    id: str
    label: str
    pages: int
    relevant: int
    group: str
    """Most frequent subtopic of a host's pages, as the id of a node of the other map; empty if none."""


class MapEdge(Struct):
    """Links from pages of one node to pages of another."""

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
async def show_map(
    crawl: NamedDependency[Watched], n: Nodes = 2000, by: FromQuery[Literal["host", "subtopic"]] = "host"
) -> Map:
    """Hosts of fetched pages, or subtopics of pages on topic, and the links between them."""
    sorting = await sorted_pages(crawl)
    return await crawl.remembered.get(
        ("map", n, by), lambda: crawl.read_all(lambda reader: _map(reader, sorting, n, by)), least=5.0
    )


def _map(reader: Reader, sorting: Subtopics, n: int, by: str) -> Map:
    graph = Graph(reader, ExportOptions())
    of_page = {number: str(group) for number, group in sorting.of_page.items()}
    node_of = of_page if by == "subtopic" else {number: page.host for number, page in graph.pages.items()}
    known = [(node_of[number], page) for number, page in graph.pages.items() if number in node_of]
    pages = Counter(node for node, _ in known)
    relevant = Counter(node for node, page in known if page.relevant)
    groups: dict[str, Counter[str]] = {}
    for number, node in node_of.items():
        if number in of_page:
            groups.setdefault(node, Counter())[of_page[number]] += 1
    links = Counter(
        (node_of[source], node_of[target])
        for source, target in graph.edges()
        if source in node_of and target in node_of
    )
    names = {str(each.id): each.name for each in sorting.subtopics} if by == "subtopic" else {}
    nodes = [
        MapNode(
            node,
            names.get(node, node),
            count,
            relevant[node],
            groups[node].most_common(1)[0][0] if node in groups else "",
        )
        for node, count in pages.most_common(n)
    ]
    shown = {node.id for node in nodes}
    edges = [
        MapEdge(source, target, count)
        for (source, target), count in links.items()
        if source != target and source in shown and target in shown
    ]
    return Map(nodes, edges, len(pages) - len(nodes))
