"""The harvest as a graph of hosts."""

from __future__ import annotations

import httpx


def test_hosts_and_the_links_between_them(reading: httpx.Client) -> None:
    found = reading.get("/api/crawls/birds/map").json()
    assert (
        sum(node["pages"] for node in found["nodes"])
        == reading.get("/api/crawls/birds/pages").json()["total"]
    )
    names = {node["id"] for node in found["nodes"]}
    assert found["edges"]
    for edge in found["edges"]:
        assert {edge["source"], edge["target"]} <= names
        assert edge["source"] != edge["target"]
        assert edge["links"] > 0
    small = reading.get("/api/crawls/birds/map", params={"n": 2}).json()
    assert (len(small["nodes"]), small["left_out"]) == (2, len(names) - 2)
