"""Hosts, decisions about them, next links and URL patterns."""

from __future__ import annotations

import httpx


def test_hosts_in_an_order(reading: httpx.Client) -> None:
    for order, column in (("promise", "best_score"), ("citations", "citations"), ("pages", "pages")):
        found = reading.get("/api/crawls/birds/hosts", params={"sort": order, "limit": 500}).json()
        values = [row[column] for row in found["rows"] if row[column] is not None]
        assert values == sorted(values, reverse=True), order
        assert len(found["rows"]) == found["total"]
    page = reading.get("/api/crawls/birds/hosts", params={"limit": 2, "offset": 2}).json()
    assert (len(page["rows"]), page["next"]) == (2, 4)
    name = page["rows"][0]["host"]
    assert name in {
        row["host"]
        for row in reading.get("/api/crawls/birds/hosts", params={"search": name[:6]}).json()["rows"]
    }


def test_decisions(writing: httpx.Client) -> None:
    first, second, *_ = (row["host"] for row in writing.get("/api/crawls/birds/hosts").json()["rows"])
    sent = writing.post("/api/crawls/birds/hosts", json={"out": [first], "in": [second]}).json()
    assert [each["applied"] for each in sent] == [True, True]
    chosen = {
        decision: [
            row["host"]
            for row in writing.get("/api/crawls/birds/hosts", params={"decision": decision}).json()["rows"]
        ]
        for decision in ("in", "out")
    }
    assert chosen == {"in": [second], "out": [first]}
    writing.post("/api/crawls/birds/hosts", json={"undecided": [first, second]})
    assert writing.get("/api/crawls/birds/hosts", params={"decision": "out"}).json()["total"] == 0
    assert writing.get("/api/crawls/birds/hosts", params={"decision": "in"}).json()["total"] == 0
    assert writing.post("/api/crawls/birds/hosts", json={"undecided": [first]}).json() == [], (
        "nothing changes"
    )
    twice = writing.post("/api/crawls/birds/hosts", json={"out": [first], "in": [first]})
    assert (twice.status_code, "twice" in twice.json()["detail"]) == (409, True)
    assert writing.post("/api/crawls/birds/hosts", json={"out": ["http://a/"]}).status_code in (400, 409)


def test_next_links(reading: httpx.Client) -> None:
    links = reading.get("/api/crawls/birds/links", params={"n": 20}).json()
    scores = [link["score"] for link in links]
    assert scores == sorted(scores, reverse=True)
    assert links[0]["parts"]
    assert links[0]["positive"] == (links[0]["score"] > 0)
    host = links[0]["url"].split("/")[2]
    of_host = reading.get("/api/crawls/birds/links", params={"n": 20, "host": host}).json()
    assert {link["url"].split("/")[2] for link in of_host} == {host}


def test_patterns(reading: httpx.Client) -> None:
    found = reading.get("/api/crawls/birds/patterns", params={"limit": 500}).json()
    pages = reading.get("/api/crawls/birds/pages").json()["total"]
    assert sum(row["pages"] for row in found["rows"]) == pages
    assert all(row["relevant"] <= row["pages"] for row in found["rows"])
