"""Training, judging again and finding seeds, as jobs."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.serve.web.test_marks import ended

OWLS = [{"name": f"{n}.txt", "text": f"owls hunt mice at night, owl number {n}"} for n in range(6)]
CARS = [{"name": f"{n}.txt", "text": f"cars drive on roads with wheels, car number {n}"} for n in range(6)]


def test_a_network_is_trained(reading: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAGOTTO_HOME", str(tmp_path))
    body = {"name": "owls", "relevant": OWLS, "irrelevant": CARS, "hidden": 4, "target_error": 0.05}
    job = ended(reading, reading.post("/api/networks", json=body).json())
    assert job["state"] == "done", job["problem"]
    curve = job["result"]["curve"]
    assert curve[0][0] == 1
    assert curve[-1] == [job["progress"]["epoch"], job["progress"]["error"]]
    assert curve[-1][1] < curve[0][1]
    assert job["result"]["held_out"]["pages"] > 0
    assert [saved["name"] for saved in reading.get("/api/topics").json()] == ["owls"]
    assert reading.post("/api/networks", json={**body, "name": "../x"}).status_code in (400, 409)


def test_pages_are_judged_again(writing: httpx.Client) -> None:
    job = ended(writing, writing.post("/api/crawls/birds/judge").json())
    assert job["state"] == "done", job["problem"]
    assert "judged again" in job["result"]["said"]


def test_seeds_of_engines_on_private_addresses_are_refused(reading: httpx.Client) -> None:
    body = {"query": "birds", "engines": ["searxng:http://127.0.0.1:1"]}
    job = ended(reading, reading.post("/api/seeds", json=body).json())
    said = job["problem"] + str(job["result"])
    assert "private" in said or "refused" in said, said
    assert (
        reading.post("/api/seeds", json={"query": "birds", "engines": ["file:/etc/passwd"]}).status_code
        == 409
    )
