"""The list of crawls, how one stands and how it went."""

from __future__ import annotations

import httpx

from tests.serve.web.conftest import PAGES


def test_the_list(reading: httpx.Client) -> None:
    [crawl] = reading.get("/api/crawls").json()
    assert (crawl["name"], crawl["state"], crawl["topic"], crawl["strategy"]) == (
        "birds",
        "finished",
        "birds",
        "scent",
    )
    assert crawl["pages"] == PAGES
    assert 0 < crawl["relevant"] <= PAGES
    assert crawl["curve"][-1] == [PAGES, crawl["relevant"]]
    assert crawl["problem"] == ""


def test_how_a_crawl_stands(reading: httpx.Client) -> None:
    found = reading.get("/api/crawls/birds").json()
    assert found["summary"]["pages"] == found["figures"]["pages"] == PAGES
    assert found["limits"]["max_pages"] == PAGES
    assert found["recent_harvest"] == found["summary"]["harvest_ratio"]
    assert found["judging"]["pages"] > 0
    assert found["projected_end"] is None, "it does not run"
    assert found["last_event"] >= PAGES


def test_how_it_went(reading: httpx.Client) -> None:
    points = reading.get("/api/crawls/birds/progress").json()["points"]
    assert points[-1]["pages"] == PAGES
    assert points[0]["at"] <= points[-1]["at"]
    assert points[0]["known"] <= points[-1]["known"]


def test_failures_have_reasons_and_examples(reading: httpx.Client) -> None:
    counts = reading.get("/api/crawls/birds").json()["figures"]["reasons"]
    found = {each["reason"]: each for each in reading.get("/api/crawls/birds/failures").json()}
    assert {reason: each["count"] for reason, each in found.items()} == counts
    for each in found.values():
        assert each["meaning"]
        assert each["examples"][0]["url"].startswith("http")


def test_a_crawl_that_is_not_there(reading: httpx.Client) -> None:
    for name in ("none", "..", "%2e%2e", "..%2f..%2fetc", "birds%2f..", ".lagotto-serve"):
        answer = reading.get(f"/api/crawls/{name}")
        assert answer.status_code == 404, name
