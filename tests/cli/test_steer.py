"""`lagotto steer`, `pause`, `unpause` and `stop` on a crawl that does not run, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.servers import Served, demo_served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


@pytest.fixture
def crawl(run: Run, server: Served) -> str:
    """A crawl of a few pages in the directory `c`."""
    options = [*server.options("truffles"), "--strategy", "best-first", "--max-pages", 5, "-o", "c"]
    assert run("crawl", "truffles", *options).code == 0
    return "c"


def test_what_was_changed_is_shown_and_holds(run: Run, crawl: str) -> None:
    said = run("steer", crawl, "--max-pages", 9, "--delay", 0.01, "--block-host", "Ads.example")
    assert (said.code, said.err) == (0, "")
    assert said.out == "set max-pages 9, delay 0.01: done\nblock host ads.example: done\n"
    status = run("status", crawl).out
    assert "limits         max-pages 9, delay 0.01, concurrency 16" in status
    assert "host           ads.example: blocked" in status
    assert "command        set max-pages 9, delay 0.01, by " in status
    as_json = json.loads(run("status", crawl, "--json").out)
    assert (as_json["paused"], as_json["limits"]["max-pages"]) == (False, 9)
    assert as_json["commands"][1]["command"] == {"kind": "block-host", "host": "ads.example"}
    assert as_json["commands"][1]["who"]
    assert "host rules     blocked" in run("explain", crawl, "http://ads.example/x").out
    said = run("resume", crawl)
    assert "the budget of 9 pages is used" in said.out


def test_the_configuration_as_started_stays(run: Run, crawl: str, tmp_path: Path) -> None:
    before = (tmp_path / crawl / "config.toml").read_bytes()
    said = run("steer", crawl, "--max-pages", 9, "--exclude", "zzz").out
    assert said.endswith("exclude zzz: no queued link is set aside\n")
    assert run("resume", crawl, "--max-pages", 11, "--retries", 0).code == 0
    assert (tmp_path / crawl / "config.toml").read_bytes() == before
    assert "set max-pages 11, retries 0" in run("status", crawl).out


def test_a_preview_changes_nothing(run: Run, crawl: str) -> None:
    queued = json.loads(run("status", crawl, "--json").out)["queued"]
    said = run("steer", crawl, "--exclude", ".", "--preview")
    assert said.code == 0
    assert f"{queued} queued links would be set aside" in said.out
    assert "http://" in said.out
    status = json.loads(run("status", crawl, "--json").out)
    assert (status["queued"], status["aside"], status["commands"]) == (queued, 0, [])
    assert run("steer", crawl, "--exclude", ".").out == f"exclude .: {queued} queued links set aside\n"
    status = json.loads(run("status", crawl, "--json").out)
    assert (status["queued"], status["aside"]) == (0, queued)
    assert "the frontier is empty" in run("resume", crawl, "--max-pages", 9).out
    assert run("steer", crawl, "--unexclude", ".").out == "unexclude .: links that match return\n"
    assert json.loads(run("status", crawl, "--json").out)["queued"] == queued


def test_an_excluded_url_is_explained(run: Run, crawl: str) -> None:
    link = run("status", crawl, "--next", 1).out.splitlines()[-1].split()[-1]
    assert run("steer", crawl, "--exclude", "^http").code == 0
    said = run("explain", crawl, link).out
    assert "state          set aside" in said
    assert "excluded by    ^http" in said


def test_pause_and_unpause(run: Run, crawl: str) -> None:
    assert run("pause", crawl).out == "pause: done\n"
    assert "paused         yes; go on with `lagotto unpause c`" in run("status", crawl).out
    assert run("unpause", crawl).out == "unpause: done\n"
    assert "paused         no" in run("status", crawl).out


def test_a_strategy_that_has_no_words_says_so(run: Run, server: Served) -> None:
    options = [*server.options("truffles"), "--strategy", "linkrank", "--max-pages", 60, "-o", "c"]
    assert run("crawl", "truffles", *options).code == 0
    said = run("steer", "c", "--words", "oak=2")
    assert said.code == 2
    assert "strategy 'linkrank' has no words to change now" in said.err
    assert "not applied: strategy 'linkrank'" in run("status", "c").out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["steer", "c"], "nothing to change"),
        (["steer", "c", "--max-pages", "-1"], "negative"),
        (["steer", "c", "--delay", "nan"], "finite"),
        (["steer", "c", "--exclude", "("], "not a valid regular expression"),
        (["steer", "c", "--unexclude", "x"], "none is in effect"),
        (["steer", "c", "--block-host", "http://a.example/"], "is not a host"),
        (["steer", "c", "--unblock-host", "a.example"], "none is in effect"),
        (["steer", "c", "--boost-host", "a.example"], "HOST=NUMBER"),
        (["steer", "c", "--limit-host", "a.example=-2"], "cannot be limited"),
        (["steer", "c", "--add-seed", "mailto:me@a.example"], "not an http or https URL"),
        (["steer", "c", "--words", "the"], "says nothing about a topic"),
        (["steer", "c", "--words", "-truffles"], "without words"),
        (["steer", "c", "--delay", "1", "--preview"], "--exclude and --include"),
        (["stop", "c"], "no crawl runs in c"),
        (["pause", "nowhere"], "there is no crawl"),
        (["steer", "nowhere", "--delay", "1"], "there is no crawl"),
        (["stop", "nowhere"], "there is no crawl"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(run: Run, crawl: str, arguments: list[str], why: str) -> None:
    said = run(*arguments)
    assert said.code == 2
    assert why in said.err
    assert "Traceback" not in said.err
