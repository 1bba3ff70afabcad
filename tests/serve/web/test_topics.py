"""What a topic is taken to mean, and what was saved."""

from __future__ import annotations

import httpx


def test_words_and_what_they_mean(reading: httpx.Client) -> None:
    found = reading.post("/api/topics/preview", json={"words": 'birds "song thrush"'}).json()
    assert {word["word"]: word["weight"] for word in found["table"]} == {"bird": 1.0, "song thrush": 1.0}
    assert "sparrow" in {word["word"] for word in found["like"]}
    assert "owl" in {word["word"] for word in found["kin"]}


def test_examples_and_query_logs(reading: httpx.Client) -> None:
    page = {
        "name": "a.html",
        "text": "<title>Owls</title><p>Owls hunt at night. An owl hears well. Owls!</p>",
    }
    found = reading.post("/api/topics/preview", json={"examples": [page]}).json()
    assert found["table"][0]["word"].startswith("owl")
    found = reading.post("/api/topics/preview", json={"query_log": "solar power\nsolar panels\n"}).json()
    assert (found["table"][0]["word"], found["source"]) == ("solar", "query log")


def test_topics_that_make_no_sense(reading: httpx.Client) -> None:
    for body in (
        {},
        {"words": "the of"},
        {"words": "a", "language": "xx-none"},
        {"examples": [{"name": "a", "text": ""}]},
    ):
        answer = reading.post("/api/topics/preview", json=body)
        assert answer.status_code in (400, 409), body


def test_saved_topics_are_listed(reading: httpx.Client) -> None:
    assert isinstance(reading.get("/api/topics").json(), list)
