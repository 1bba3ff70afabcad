"""`lagotto feedback`: a crawl learns what its user says of pages."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.servers import demo_served


def queued_scores(directory: Path) -> dict[int, float]:
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        return dict(db.execute("SELECT seq, score FROM urls WHERE page IS NULL"))


def test_a_mark_is_learned_shown_and_survives(run: Run, tmp_path: Path) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "--strategy", "scent", "-o", "c"]
        assert run("crawl", "truffles mushroom", *options, "--max-pages", 40).code == 0
        rows = [json.loads(line) for line in run("export", "c").out.splitlines()]
        page = next(row["url"] for row in rows if row["relevant"])
        before = queued_scores(tmp_path / "c")
        said = run("feedback", "c", page, "--off")
        assert said.code == 0, said.err
        assert said.out == f"mark {page} off topic: done\n"
        explained = run("explain", "c", page).out
        assert "verdict        off topic, as marked by" in explained
        assert "on topic" not in explained
        exported = run("export", "c", "--relevant-only").out.splitlines()
        assert page not in {json.loads(line)["url"] for line in exported}
        assert f"mark {page} off topic, by" in run("status", "c").out
        assert queued_scores(tmp_path / "c") != before
        after = queued_scores(tmp_path / "c")
        assert run("resume", "c", "--max-pages", 45).code == 0
        assert len(set(after) - set(queued_scores(tmp_path / "c"))) >= 5


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--strategy", "bfs"], "strategy 'bfs' learns from no feedback"),
        (["--strategy", "scent", "--no-keep-text"], "its text was not kept"),
    ],
)
def test_a_mark_that_teaches_nothing_is_kept_and_told(run: Run, options: list[str], why: str) -> None:
    with demo_served() as server:
        given = [*server.options("truffles"), *options, "-o", "c", "--max-pages", 3]
        assert run("crawl", "truffles", *given).code == 0
        page = server.web.topics()["truffles"].seeds[0]
    said = run("feedback", "c", page, "--on")
    assert said.code == 0, said.err
    assert said.out.startswith(f"mark {page} on topic: nothing is learned")
    assert why in said.out
    assert "verdict        on topic, as marked by" in run("explain", "c", page).out
    assert run("feedback", "c", page, "--unmark").code == 0
    assert "as marked" not in run("explain", "c", page).out
    assert run("feedback", "c", page, "--unmark").code == 2


def test_bad_feedback_is_told(run: Run, tmp_path: Path) -> None:
    assert run("feedback", "nowhere", "http://a.example/", "--on").code == 2
    with demo_served() as server:
        assert run("crawl", "truffles", *server.options("truffles"), "-o", "c", "--max-pages", 3).code == 0
    said = run("feedback", "c", "http://never.example/", "--on")
    assert said.code == 2
    assert "no page of the crawl" in said.err
    seed = json.loads(run("export", "c").out.splitlines()[0])["url"]
    said = run("feedback", "c", seed)
    assert said.code == 2
    assert "--on, --off or --unmark" in said.err
    assert "as marked" not in run("explain", "c", seed).out
