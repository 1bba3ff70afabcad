"""The topic of a crawl: shown, edited, rolled back."""

from __future__ import annotations

import httpx


def words(client: httpx.Client) -> dict[str, float]:
    """Word -> weight, as they are in force."""
    return {word["word"]: word["weight"] for word in client.get("/api/crawls/birds/topic").json()["words"]}


def test_a_topic_is_edited_and_rolled_back(writing: httpx.Client) -> None:
    shown = writing.get("/api/crawls/birds/topic").json()
    assert (shown["editable"], shown["edits"]) == (True, [])
    assert words(writing) == {"bird": 1.0}
    assert len(shown["table"]) > 5
    assert shown["versions"][-1]["pages"] > 0
    for edit in ("owl=2", 'bird=0.5 "song thrush"'):
        [sent] = writing.patch("/api/crawls/birds/topic", json={"words": edit}).json()
        assert sent["applied"], sent
    assert words(writing) == {"owl": 2.0, "song thrush": 1.0, "bird": 0.5}
    first, second = writing.get("/api/crawls/birds/topic").json()["edits"]
    assert first["edit"] == "words owl=2"
    writing.post("/api/crawls/birds/topic/rollback", json={"edit": first["n"]})
    assert words(writing) == {"owl": 2.0, "bird": 1.0}
    writing.post("/api/crawls/birds/topic/rollback", json={"edit": 0})
    assert words(writing) == {"bird": 1.0}
    assert writing.post("/api/crawls/birds/topic/rollback", json={"edit": 0}).json() == [], (
        "nothing is left to undo"
    )
    missing = writing.post("/api/crawls/birds/topic/rollback", json={"edit": second["n"] + 50})
    assert missing.status_code == 409


def test_words_that_make_no_sense(reading: httpx.Client) -> None:
    for said in ("", "bird=x"):
        assert reading.patch("/api/crawls/birds/topic", json={"words": said}).status_code in (400, 409), said
