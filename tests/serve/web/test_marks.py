"""Marks and questions over HTTP."""

from __future__ import annotations

import time
from typing import Any

import httpx


def ended(client: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    """The job once it has ended."""
    deadline = time.monotonic() + 120
    while job["ended_at"] is None and time.monotonic() < deadline:
        time.sleep(0.05)
        job = client.get(f"/api/jobs/{job['id']}").json()
    return job


def test_marks_count_and_can_be_taken_back(writing: httpx.Client) -> None:
    pages = writing.get("/api/crawls/birds/pages").json()["rows"]
    urls = [page["url"] for page in pages if page["relevant"] is not None][:2]
    job = ended(writing, writing.post("/api/crawls/birds/marks", json={"on": False, "urls": urls}).json())
    assert (job["state"], job["result"]["marked"], job["result"]["running"]) == ("done", 2, False)
    assert {
        mark["url"]: mark["on"] for mark in writing.get("/api/crawls/birds/marks").json()
    } == dict.fromkeys(urls, False)
    asked = {
        each["page"]["url"] for each in writing.get("/api/crawls/birds/questions", params={"n": 100}).json()
    }
    assert asked
    assert not asked & set(urls)
    ended(writing, writing.post("/api/crawls/birds/marks", json={"on": None, "urls": urls[:1]}).json())
    assert [mark["url"] for mark in writing.get("/api/crawls/birds/marks").json()] == urls[1:]


def test_all_pages_of_a_host_are_marked(writing: httpx.Client) -> None:
    host = writing.get("/api/crawls/birds/pages").json()["rows"][0]["host"]
    count = writing.get("/api/crawls/birds/pages", params={"host": host}).json()["total"]
    job = ended(writing, writing.post("/api/crawls/birds/marks", json={"on": True, "host": host}).json())
    assert (job["state"], job["result"]["marked"]) == ("done", count)


def test_marks_that_make_no_sense(reading: httpx.Client) -> None:
    for body in (
        {"on": True},
        {"on": True, "urls": []},
        {"on": True, "urls": ["http://never.example/"]},
        {"on": 1},
    ):
        answer = reading.post("/api/crawls/birds/marks", json=body)
        assert answer.status_code in (400, 409), body
        assert answer.json()["detail"]
