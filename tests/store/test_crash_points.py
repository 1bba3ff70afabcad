"""Killed at every point where it hurts: nothing lost, nothing twice, every file whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lagotto.base.protocols.storage import Severity
from lagotto.store import crash_points
from lagotto.store.sqlite.doctor import examine
from lagotto.store.sqlite.reader import SqliteReader
from tests.conftest import PROJECT
from tests.store.blocking import Blocking
from tests.store.small_crawl import PAGES, url
from tests.store.validators import assert_all_valid, responses

EXPECTED = {url(number): 1 for number in range(PAGES)}


def run(directory: Path, crash_at: str = "") -> int:
    command = [sys.executable, "-m", "tests.store.small_crawl", str(directory)]
    return subprocess.run(command, cwd=PROJECT, env={**os.environ, "LAGOTTO_CRASH_AT": crash_at}).returncode


def audit(directory: Path) -> None:
    """Every page committed once, its answer stored once, every file as it should be."""
    with SqliteReader.open(directory) as reader:
        rows = list(reader.rows(with_text=True))
        assert Counter(row.url for row in rows) == EXPECTED
        assert [row.seq for row in rows] == list(range(1, PAGES + 1))
        assert all(row.text == f"Text of page {row.url.rpartition('/')[2]}." for row in rows)
        for stored in reader.stored_pages():
            assert stored.place is not None
            assert reader.body(stored.place).url == stored.row.url
    assert responses(directory / "warc") == EXPECTED
    assert_all_valid(directory / "warc")
    assert {finding.severity for finding in examine(directory)} == {Severity.GOOD}


@pytest.mark.parametrize("count", [1, 3])
def test_killed_at_every_point_in_turn(tmp_path: Path, count: int) -> None:
    directory = tmp_path / "crawl"
    for point in crash_points.POINTS:
        assert run(directory, f"{point}:{count}") == -signal.SIGKILL, f"{point} was not passed {count} times"
    assert run(directory) == 0
    audit(directory)


def test_what_was_learned_is_what_was_committed(tmp_path: Path) -> None:
    directory = tmp_path / "crawl"
    for crash_at in ("commit.before:20", "commit.inside:20", "commit.after:9"):
        assert run(directory, crash_at) == -signal.SIGKILL
        store = Blocking.open(directory)
        assert store.notes == ["recovered after an unclean stop: what was in flight is queued still"]
        state, samples = store.hold_all().restore()
        pages = [row.url.rpartition("/")[2].encode() for row in store.reader().rows()]
        assert samples == pages[int(state or 0) :]
        store.close()


def test_a_store_without_the_variable_never_dies(tmp_path: Path) -> None:
    assert run(tmp_path / "crawl") == 0
    audit(tmp_path / "crawl")
