"""Commands over HTTP, and the processes that they start."""

from __future__ import annotations

import time

import httpx
import pytest


def test_commands_are_sent_and_listed(writing: httpx.Client) -> None:
    assert writing.get("/api/crawls/birds/commands").json() == []
    [sent] = writing.post("/api/crawls/birds/commands", json={"steer": {"delay": 0.5}}).json()
    assert (sent["command"], sent["applied"]) == ("set delay 0.5", True)
    assert writing.get("/api/crawls/birds").json()["limits"]["delay"] == 0.5
    writing.post("/api/crawls/birds/commands", json={"pause": True})
    assert [each["command"] for each in writing.get("/api/crawls/birds/commands").json()] == [
        "set delay 0.5",
        "pause",
    ]


def test_a_preview_changes_nothing(reading: httpx.Client) -> None:
    found = reading.post("/api/crawls/birds/preview", json={"exclude": ["."]}).json()
    assert found["count"] > 0
    assert found["examples"][0]["url"].startswith("http")
    assert reading.get("/api/crawls/birds").json()["exclude"] == []


def test_a_crawl_is_resumed_in_a_process_of_its_own(writing: httpx.Client) -> None:
    [sent] = writing.post("/api/crawls/birds/commands", json={"steer": {"max_pages": 60}}).json()
    assert sent["applied"]
    answer = writing.post("/api/crawls/birds/commands", json={"resume": True})
    assert answer.status_code == 200, answer.text
    deadline = time.monotonic() + 120
    while writing.get("/api/crawls/birds").json()["summary"]["pages"] < 60 and time.monotonic() < deadline:
        time.sleep(0.2)
    while writing.get("/api/crawls").json()[0]["state"] == "running" and time.monotonic() < deadline:
        time.sleep(0.2)
    assert writing.get("/api/crawls").json()[0]["state"] == "finished"


WRONG: list[dict[str, object]] = [
    {},
    {"pause": True, "stop": True},
    {"steer": {}},
    {"steer": {"proxy": "http://x/"}},
    {"pause": False},
]


@pytest.mark.parametrize("body", WRONG)
def test_commands_that_make_no_sense(reading: httpx.Client, body: dict[str, object]) -> None:
    assert reading.post("/api/crawls/birds/commands", json=body).status_code in (400, 409)


def test_a_crawl_that_does_not_run_is_not_stopped(reading: httpx.Client) -> None:
    answer = reading.post("/api/crawls/birds/commands", json={"stop": True})
    assert (answer.status_code, "nothing to stop" in answer.json()["detail"]) == (409, True)
