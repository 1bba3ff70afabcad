"""`lagotto judge`: all pages of a crawl are judged again, and a mark beats every model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.servers import demo_served


def rows(run: Run, *options: str) -> list[dict[str, Any]]:
    """Rows of an export."""
    return [json.loads(line) for line in run("export", "c", *options).out.splitlines()]


def test_verdicts_of_the_end_count_everywhere_and_marks_beat_them(run: Run) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 300, "--concurrency", 1]
        ended = run("crawl", "truffles mushroom", *options)
        assert ended.code == 0, ended.err
        truth = server.web.labels("truffles")
    assert "judged again:" in ended.out
    judged = [row for row in rows(run) if row["relevance"] is not None]
    changed = [row for row in judged if row["relevance"] != row["relevance_at_fetch"]]
    assert len(changed) > len(judged) / 2
    at_fetch = sum((row["relevance_at_fetch"] >= 0.5) != (row["url"] in truth) for row in judged)
    now = sum(row["relevant"] != (row["url"] in truth) for row in judged)
    assert now <= at_fetch
    status = json.loads(run("status", "c", "--json").out)
    assert status["relevant"] == status["judging"]["relevant"] == sum(bool(row["relevant"]) for row in judged)
    page = next(str(row["url"]) for row in judged if row["relevant"])
    assert "judged again since" in run("explain", "c", page).out
    assert run("feedback", "c", page, "--off").code == 0
    for _ in range(2):
        assert page not in {row["url"] for row in rows(run, "--relevant-only")}
        assert run("judge", "c").code == 0


def test_a_topic_that_the_web_does_not_have_is_said_to_be_absent(run: Run) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 100, "--concurrency", 1]
        ended = run("crawl", "quantum chromodynamics gluons", *options)
    assert ended.code == 0, ended.err
    assert "the topic does not seem to be here: 0 of" in ended.out
    assert "promise" not in ended.out
    assert "other words" in run("status", "c").out
    claimed = [row for row in rows(run) if row["relevant"]]
    assert len(claimed) <= 6


@pytest.mark.parametrize(("strategy", "judges"), [("dynamic", True), ("hybrid", True), ("bfs", False)])
def test_strategies_whose_topic_changes_judge_again(run: Run, strategy: str, judges: bool) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 30, "--strategy", strategy]
        assert run("crawl", "truffles mushroom", *options, "--no-judge-again").code == 0
    assert "judged" not in run("status", "c").out
    said = run("judge", "c")
    assert said.code == 0, said.err
    assert said.out.startswith("judged again:") is judges


def test_bad_input_is_told(run: Run) -> None:
    assert run("judge", "nowhere").code == 2
    with demo_served() as server:
        assert run("crawl", "truffles", *server.options("truffles"), "-o", "c", "--max-pages", 3).code == 0
    said = run("judge", "c", "--encoder", "no-such-folder")
    assert said.code == 2
    assert "no encoder folder" in said.err


def test_an_encoder_that_is_not_there_cannot_be_used_while_crawling(run: Run) -> None:
    said = run("crawl", "truffles", "--seed", "http://a.example/", "-o", "c", "--encode", "always")
    assert said.code == 2
    assert "there is no sentence encoder for --encode always" in said.err
    assert run("status", "c").code == 2
