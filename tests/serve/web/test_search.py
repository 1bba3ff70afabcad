"""Searching a crawl over HTTP."""

from __future__ import annotations

import httpx


def test_results_have_snippets(writing: httpx.Client) -> None:
    found = writing.get("/api/crawls/birds/search", params={"q": "birds", "n": 3}).json()
    assert len(found["hits"]) == 3
    assert found["total"] >= 3
    hit = found["hits"][0]
    start, end = hit["snippet"]["highlights"][0]
    assert hit["snippet"]["text"][start:end].lower().startswith("bird")
    more = writing.get("/api/crawls/birds/search", params={"q": "birds", "n": 3, "offset": 3}).json()["hits"]
    assert not {each["page"] for each in more} & {each["page"] for each in found["hits"]}
    like = writing.get(f"/api/crawls/birds/similar/{hit['page']}", params={"n": 5}).json()["hits"]
    assert like
    assert hit["page"] not in {each["page"] for each in like}


def test_a_subtopic_narrows_the_results(writing: httpx.Client) -> None:
    everywhere = writing.get("/api/crawls/birds/search", params={"q": "birds", "n": 500}).json()["hits"]
    subtopics = writing.get("/api/crawls/birds/subtopics").json()["subtopics"]
    found = []
    for each in subtopics:
        narrowed = {"q": "birds", "n": 500, "subtopic": each["id"]}
        answer = writing.get("/api/crawls/birds/search", params=narrowed).json()
        assert answer["total"] == len(answer["hits"]) <= each["pages"]
        found += [hit["page"] for hit in answer["hits"]]
    assert subtopics
    assert set(found) <= {hit["page"] for hit in everywhere}
    assert len(found) == len(set(found)) > 0


def test_searches_that_make_no_sense(writing: httpx.Client) -> None:
    for query in ("", "-", "relevant:maybe"):
        assert writing.get("/api/crawls/birds/search", params={"q": query}).status_code in (400, 409), query
    assert writing.get("/api/crawls/birds/similar/999999").status_code == 404
