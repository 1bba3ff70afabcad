"""Starting crawls over HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from lagotto.focus import registry
from lagotto.serve.permissions import Permissions
from tests.serve.web.conftest import client_of, served
from tests.servers import Served


@pytest.fixture
def starting(demo: Served, tmp_path: Path) -> Iterator[httpx.Client]:
    """A server of an empty folder, whose crawls go through the demo web's proxy."""
    with served(tmp_path, permissions=Permissions(proxy=demo.proxy)) as address, client_of(address) as client:
        yield client


def state(
    client: httpx.Client, name: str, *, passing: tuple[str, ...] = ("running", "paused")
) -> dict[str, Any]:
    """The crawl in the list, once its state is none of those that pass."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        found = {crawl["name"]: crawl for crawl in client.get("/api/crawls").json()}
        if name in found and found[name]["state"] not in passing:
            return dict(found[name])
        time.sleep(0.1)
    raise TimeoutError(name)


def test_a_crawl_is_started_with_examples(starting: httpx.Client, demo: Served, tmp_path: Path) -> None:
    seeds = list(demo.web.topics()["birds"].seeds)
    answer = starting.post(
        "/api/crawls",
        json={
            "name": "owls",
            "topic": "birds",
            "seeds": seeds,
            "options": {"max_pages": 10, "delay": 0},
            "strategy_options": {"prefer": "hosts"},
            "examples": [{"name": "../../x.html", "text": "<p>An owl is a bird of the night.</p>"}],
            "query_log": "owls\nbirds at night\n",
        },
    )
    assert answer.status_code == 201, answer.text
    assert answer.json() == {"name": "owls", "location": str(tmp_path / "owls")}
    found = state(starting, "owls")
    assert (found["state"], found["pages"], found["problem"]) == ("finished", 10, "")
    kept = tmp_path / ".lagotto-serve" / "owls"
    assert sorted(path.name for path in kept.rglob("*")) == [
        "0001.html",
        "config.toml",
        "examples",
        "queries.txt",
    ]
    again = starting.post("/api/crawls", json={"name": "owls", "topic": "birds", "seeds": seeds})
    assert (again.status_code, "already" in again.json()["detail"]) == (409, True)


def test_a_crawl_that_fails_is_told(starting: httpx.Client) -> None:
    body = {"name": "lost", "topic": "birds", "seeds": ["http://127.0.0.1:1/"]}
    assert starting.post("/api/crawls", json=body).status_code in (201, 409)
    # Between its end and its removal a crawl that fetched nothing looks finished.
    found = state(starting, "lost", passing=("running", "paused", "stopped", "finished"))
    assert found["state"] == "failed"
    assert "127.0.0.1" in found["problem"]


WRONG: list[dict[str, Any]] = [
    {"name": "../x", "topic": "a", "seeds": ["http://a.example/"]},
    {"name": ".x", "topic": "a", "seeds": ["http://a.example/"]},
    {"name": "", "topic": "a", "seeds": ["http://a.example/"]},
    {"name": "x", "topic": "a", "seeds": []},
    {"name": "x", "topic": "a", "seeds": ["no url"]},
    {"name": "x", "topic": "a", "seeds": ["http://a.example/"], "strategy": "none"},
    {"name": "x", "topic": "a", "seeds": ["http://a.example/"], "options": {"cookies": "/etc/passwd"}},
    {
        "name": "x",
        "topic": "a",
        "seeds": ["http://a.example/"],
        "options": {"allow_private": ["127.0.0.0/8"]},
    },
    {"name": "x", "topic": "a", "seeds": ["http://a.example/"], "options": {"max_pages": -1}},
    {"name": "x", "topic": "a", "seeds": ["http://a.example/"], "strategy_options": {"nothing": 1}},
]


def test_starts_that_make_no_sense(starting: httpx.Client, tmp_path: Path) -> None:
    for body in WRONG:
        answer = starting.post("/api/crawls", json=body)
        assert answer.status_code in (400, 409), body
        assert answer.json()["detail"]
    assert [path.name for path in tmp_path.iterdir()] == [".lagotto-serve"]
    assert [path.name for path in (tmp_path / ".lagotto-serve").iterdir() if path.is_dir()] == []


def test_single_crawls_give_no_place_to_start(harvest: Path) -> None:
    with served(harvest / "birds") as address, client_of(address) as client:
        assert [crawl["name"] for crawl in client.get("/api/crawls").json()] == ["birds"]
        answer = client.post("/api/crawls", json={"name": "x", "topic": "a", "seeds": ["http://a.example/"]})
        assert (answer.status_code, "folder" in answer.json()["detail"]) == (409, True)


def test_what_can_be_chosen(reading: httpx.Client) -> None:
    strategies = {each["name"]: each for each in reading.get("/api/strategies").json()}
    assert list(strategies) == registry.names()
    for strategy in strategies.values():
        assert strategy["summary"]
        assert all(option["meaning"] for option in strategy["options"]), strategy["name"]
    options = {each["name"]: each for each in reading.get("/api/options").json()}
    assert (options["delay"]["kind"], options["delay"]["default"], options["delay"]["settable"]) == (
        "number",
        1.0,
        True,
    )
    assert options["stop"]["choices"] == ["budget", "auto"]
    assert not options["cookies"]["settable"]


def test_estimates(reading: httpx.Client) -> None:
    def seconds(**given: object) -> tuple[float, float]:
        found = reading.post("/api/estimate", json={"max_pages": 100, **given}).json()
        return found["seconds_on_seed_hosts"], found["seconds_on_more_hosts"]

    assert seconds(seeds=["http://a.example/"], delay=2.0) == (200, 20)
    slow, fast = seconds(seeds=["http://a.example/", "http://b.example/"], delay=0.0, concurrency=1)
    assert slow == fast == pytest.approx(30)
    assert reading.post("/api/estimate", json={}).json()["seconds_on_seed_hosts"] is None
