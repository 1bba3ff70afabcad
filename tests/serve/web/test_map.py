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


def test_subtopics_and_the_links_between_them(writing: httpx.Client) -> None:
    found = writing.get("/api/crawls/birds/subtopics").json()
    assert found["pages"] == writing.get("/api/crawls").json()[0]["relevant"]
    drawn = writing.get("/api/crawls/birds/map", params={"by": "subtopic"}).json()
    sizes = {str(each["id"]): (each["name"], each["pages"]) for each in found["subtopics"]}
    assert {node["id"]: (node["label"], node["pages"]) for node in drawn["nodes"]} == sizes
    for id, (_, pages) in sizes.items():
        rows = writing.get("/api/crawls/birds/pages", params={"subtopic": id, "limit": 500}).json()
        assert (rows["total"], len(rows["rows"])) == (pages, pages)
        numbers = [row["number"] for row in rows["rows"]]
        of_page = writing.get(
            "/api/crawls/birds/subtopics", params={"pages": ",".join(map(str, numbers))}
        ).json()["of_page"]
        assert of_page == {str(number): int(id) for number in numbers}
    assert writing.get("/api/crawls/birds/pages", params={"subtopic": 10**6}).status_code in (404, 409)


def test_the_report_is_a_download(writing: httpx.Client) -> None:
    answer = writing.get("/api/crawls/birds/report")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert "birds" in answer.text
