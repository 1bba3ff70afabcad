"""The link graph, read by networkx, csv and pandas."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import networkx
import pandas
import pytest

from lagotto.base.records import Judgement, Outcome, Reason
from lagotto.harvest.export import export, export_rows
from lagotto.lab.checks.store_calls import NOW, link, outcome, seed
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export.shelf import HOME, URLS
from tests.store.blocking import Blocking

EDGES = {
    *((HOME, url) for url in URLS),
    *((url, HOME) for url in URLS),
    *((url, URLS[1]) for url in URLS if url != URLS[1]),
}


def test_pages_in_networkx(reader: SqliteReader, tmp_path: Path) -> None:
    assert export(reader, "graphml", tmp_path / "pages.graphml") == 5
    graph = networkx.read_graphml(tmp_path / "pages.graphml")
    assert graph.is_directed()
    assert set(graph.edges) == EDGES
    assert graph.nodes[URLS[1]] == {
        "host": "a.example",
        "title": "Page 2",
        "relevance": 0.75,
        "relevant": True,
    }


def test_hosts_in_networkx(reader: SqliteReader, tmp_path: Path) -> None:
    assert export(reader, "graphml", tmp_path / "hosts.graphml", nodes="hosts") == 2
    graph = networkx.read_graphml(tmp_path / "hosts.graphml")
    assert graph.nodes["a.example"] == {"pages": 2, "relevant_pages": 2, "relevance": 0.625}
    assert graph.edges["b.example", "a.example"]["links"] == 4
    assert graph.edges["b.example", "b.example"]["links"] == 4


def test_only_links_between_chosen_pages(reader: SqliteReader, tmp_path: Path) -> None:
    export(reader, "graphml", tmp_path / "g.graphml", relevant_only=True)
    assert set(networkx.read_graphml(tmp_path / "g.graphml").edges) == {
        (URLS[2], URLS[1]),
        (URLS[3], URLS[1]),
    }


def test_edges_as_csv_and_parquet(reader: SqliteReader, tmp_path: Path) -> None:
    stream = io.BytesIO()
    assert export_rows(reader, "edges", stream) == len(EDGES)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue().decode())))
    assert {(row["source"], row["target"]) for row in rows} == EDGES
    export(reader, "edges", tmp_path / "edges.parquet")
    frame = pandas.read_parquet(tmp_path / "edges.parquet")
    assert set(zip(frame["source"], frame["target"], strict=True)) == EDGES
    export(reader, "edges", tmp_path / "hosts.jsonl", nodes="hosts")
    assert '{"source":"a.example","target":"b.example","links":2}' in (tmp_path / "hosts.jsonl").read_text()


def test_links_lead_through_redirects_and_titles_are_safe(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path / "c")
    store.hold_all()
    first, moved, there = (f"http://a.example/{name}" for name in ("first", "moved", "there"))
    store.add_seeds([seed(first)])
    start = outcome(store.top()[0], link(moved, parent=first), content=1)
    assert start.page is not None
    start.page.title = 'a <b> & "c" \x00\x0b\ufffe]]>'
    store.commit([start])
    redirect = Outcome(store.top()[0], NOW, 301, Reason.REDIRECT, final_url=there)
    redirect.links = [link(there, parent=moved)]
    store.commit([redirect])
    store.commit([outcome(store.top()[0], content=2)])
    export(store.reader(), "graphml", tmp_path / "g.graphml")
    store.close()
    graph = networkx.read_graphml(tmp_path / "g.graphml")
    assert set(graph.edges) == {(first, there)}
    assert graph.nodes[first]["title"] == 'a <b> & "c" \ufffd\ufffd\ufffd]]>'
    assert Judgement(0.5, True).relevance == graph.nodes[there]["relevance"]


@pytest.mark.parametrize("nodes", ["pages", "hosts"])
def test_an_empty_crawl(empty: SqliteReader, tmp_path: Path, nodes: str) -> None:
    assert export(empty, "graphml", tmp_path / "none.graphml", nodes=nodes) == 0
    assert len(networkx.read_graphml(tmp_path / "none.graphml")) == 0
    assert export(empty, "edges", tmp_path / "none.parquet", nodes=nodes) == 0
    assert pandas.read_parquet(tmp_path / "none.parquet").empty
