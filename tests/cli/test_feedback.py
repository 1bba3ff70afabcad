"""`lagotto feedback`: a crawl learns what its user says of pages."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

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
        assert "marked         off topic by the user" in run("explain", "c", page).out
        assert queued_scores(tmp_path / "c") != before
        after = queued_scores(tmp_path / "c")
        assert run("resume", "c", "--max-pages", 45).code == 0
        assert len(set(after) - set(queued_scores(tmp_path / "c"))) >= 5


def test_bad_feedback_is_told(run: Run, tmp_path: Path) -> None:
    assert run("feedback", "nowhere", "http://a.example/", "--on").code == 2
    with demo_served() as server:
        assert run("crawl", "truffles", *server.options("truffles"), "-o", "c", "--max-pages", 3).code == 0
    said = run("feedback", "c", "http://never.example/", "--on")
    assert said.code == 2
    assert "no page of the crawl" in said.err
    assert run("feedback", "c", "http://never.example/").code == 2
