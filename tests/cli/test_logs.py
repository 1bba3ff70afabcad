"""The log of a crawl, and how much of it is shown."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.cli import running as logs
from lagotto.cli.running import log_to
from tests.cli.conftest import Run
from tests.servers import Served, demo_served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """The demo web behind a proxy, in a process of its own."""
    with demo_served() as served:
        yield served


def crawl(run: Run, server: Served, *options: object) -> tuple[str, str]:
    said = run("crawl", "truffles", *server.options("truffles"), "--max-pages", 5, "-o", "c", *options)
    assert said.code == 0, said.err
    return said.out, said.err


def test_every_event_is_a_line_of_the_log(run: Run, server: Served, tmp_path: Path) -> None:
    crawl(run, server)
    lines = (tmp_path / "c" / "lagotto.log").read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (INFO|WARNING) lagotto\.", line) for line in lines)
    assert "looks for: truffles" in lines[0]
    assert sum("status 200" in line for line in lines) == 5
    assert lines[-1].endswith("finished: the budget of 5 pages is used")
    run("resume", "c", "--max-pages", 6)
    assert len((tmp_path / "c" / "lagotto.log").read_text().splitlines()) > len(lines)


def test_quiet_says_nothing_when_all_is_well(run: Run, server: Served) -> None:
    assert crawl(run, server, "--quiet") == ("", "")
    assert run("resume", "c", "--max-pages", 6, "--quiet")[1:] == ("", "")


def test_quiet_still_says_what_is_wrong(run: Run) -> None:
    options = ["--allow-private", "127.0.0.0/8", "--quiet", "-o", "c"]
    said = run("crawl", "truffles", "--seed", "http://127.0.0.1:9/", *options)
    assert (said.code, said.out) == (2, "")
    assert "no seed could be fetched" in said.err


def test_verbose_shows_each_event(run: Run, server: Served) -> None:
    out, err = crawl(run, server, "--verbose")
    assert err.count("status 200") == 5
    assert "finished: the budget" in out


def test_the_log_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 1000)
    with log_to(tmp_path):
        for n in range(200):
            logging.getLogger("lagotto.test").info("line %d", n)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "lagotto.log",
        "lagotto.log.1",
        "lagotto.log.2",
    ]
    assert all(path.stat().st_size <= 1000 for path in tmp_path.iterdir())


def test_a_line_cannot_drive_a_terminal(tmp_path: Path) -> None:
    with log_to(tmp_path):
        logging.getLogger("lagotto.test").warning("\x1b[2J%s", "a\nb")
    assert "\\x1b[2Ja\\nb" in (tmp_path / "lagotto.log").read_text()


def test_a_log_that_cannot_be_written_is_no_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with log_to(tmp_path / "gone"):
        logging.getLogger("lagotto.test").warning("not written")
    assert capfd.readouterr().err == ""


def test_the_library_is_silent() -> None:
    code = "import lagotto, logging; logging.getLogger('lagotto.crawling').warning('to nobody')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
