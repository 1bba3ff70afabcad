"""Lists of pages, one page with its text, explanations."""

from __future__ import annotations

import httpx

from tests.serve.web.conftest import PAGES


def test_pages_in_an_order(reading: httpx.Client) -> None:
    newest = reading.get("/api/crawls/birds/pages", params={"limit": 10}).json()
    assert (len(newest["rows"]), newest["total"], newest["next"]) == (10, PAGES, 10)
    numbers = [row["number"] for row in newest["rows"]]
    assert numbers == sorted(numbers, reverse=True)
    last = reading.get("/api/crawls/birds/pages", params={"limit": 10, "offset": PAGES - 5}).json()
    assert (len(last["rows"]), last["next"]) == (5, None)
    best = reading.get("/api/crawls/birds/pages", params={"sort": "relevance", "relevant": True}).json()[
        "rows"
    ]
    relevances = [row["relevance"] for row in best]
    assert relevances == sorted(relevances, reverse=True)
    assert all(row["relevant"] for row in best)


def test_pages_of_a_host_and_failures(reading: httpx.Client) -> None:
    first = reading.get("/api/crawls/birds/pages").json()["rows"][0]
    found = reading.get("/api/crawls/birds/pages", params={"host": first["host"]}).json()["rows"]
    assert {row["host"] for row in found} == {first["host"]}
    redirects = reading.get("/api/crawls/birds/pages", params={"reason": "redirect"}).json()["rows"]
    assert all(row["reason"] == "redirect" for row in redirects)


def test_one_page_with_its_text(reading: httpx.Client) -> None:
    row = reading.get("/api/crawls/birds/pages", params={"sort": "relevance"}).json()["rows"][0]
    page = reading.get(f"/api/crawls/birds/pages/{row['number']}").json()
    assert page["row"] == row
    assert len(page["text"]) > 100
    assert page["details"]["size"] > 0
    assert any(word.startswith("bird") for word in page["matched"])
    assert reading.get("/api/crawls/birds/pages/999999").status_code == 404


def test_explanations(reading: httpx.Client) -> None:
    row = reading.get("/api/crawls/birds/pages").json()["rows"][0]
    found = reading.get("/api/crawls/birds/explain", params={"url": row["url"]}).json()
    assert found["story"]["path"][-1]["url"] == row["url"]
    assert found["story"]["path"][0]["depth"] == 0
    assert len(found["link_parts"]) >= len(found["story"]["path"][-1]["parts"])
    never = reading.get("/api/crawls/birds/explain", params={"url": "http://never.example/"}).json()
    assert (never["story"], "not in the crawl" in never["unknown"]) == (None, True)
    assert reading.get("/api/crawls/birds/explain", params={"url": "no url"}).status_code == 409


def test_wrong_questions_get_a_sentence(reading: httpx.Client) -> None:
    for query in ("limit=0", "limit=501", "offset=-1", "sort=up", "relevant=maybe"):
        answer = reading.get(f"/api/crawls/birds/pages?{query}")
        assert answer.status_code == 400, query
        assert query.partition("=")[0] in answer.json()["detail"]
