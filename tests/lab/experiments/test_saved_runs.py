from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lagotto.base.errors import LagottoError
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.saved_runs import Runs
from lagotto.lab.experiments.tasks import ORACLE, Task, Tools
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.web import FrozenWeb
from tests.conftest import PROJECT
from tests.lab.small import Small, url_of


@pytest.fixture(scope="module")
def analysis(small: Small) -> FrozenWeb:
    with FrozenWeb.open(small.web) as web:
        return analysis_of(web, jobs=1)


def task_of(analysis: FrozenWeb, strategy: str, **more: object) -> Task:
    fields = {"seeds": (url_of(1),), "budget": 10, "words": "chess"} | more
    return Task(pages=analysis.content_hash, strategy=strategy, **fields)  # type: ignore[arg-type]


def ignore(task: Task, run: Replayed) -> None:
    """Nobody listens."""


def test_runs_come_back_in_order_and_are_kept(analysis: FrozenWeb, tmp_path: Path) -> None:
    tasks = [task_of(analysis, name) for name in ("bfs", "random", "indegree")]
    runs = Runs(tmp_path)
    told: list[str] = []
    found = runs.complete(tasks, Tools([analysis.path]), 2, lambda task, run: told.append(task.strategy))
    assert sorted(told) == ["bfs", "indegree", "random"]
    assert all(len(run.urls) == 10 and run.urls[0] == url_of(1) for run in found)
    assert found[0].urls != found[1].urls
    assert [runs.get(task) for task in tasks] == found
    kept = json.loads(gzip.decompress((tmp_path / f"{tasks[0].key}.json.gz").read_bytes()))
    assert kept["task"]["strategy"] == "bfs"
    assert kept["run"]["urls"] == found[0].urls


def test_a_damaged_run_is_run_again(analysis: FrozenWeb, tmp_path: Path) -> None:
    task, runs = task_of(analysis, "bfs"), Runs(tmp_path)
    (first,) = runs.complete([task], Tools([analysis.path]), 1, ignore)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"damage" + whole[46:])
    assert runs.get(task) is None
    path.write_bytes(whole[:-30])
    assert runs.get(task) is None
    (second,) = runs.complete([task], Tools([analysis.path]), 1, ignore)
    assert second.urls == first.urls


def test_a_run_of_another_shape_is_run_again(analysis: FrozenWeb, tmp_path: Path) -> None:
    task, runs = task_of(analysis, "bfs"), Runs(tmp_path)
    (first,) = runs.complete([task], Tools([analysis.path]), 1, ignore)
    (path,) = tmp_path.iterdir()
    kept = json.loads(gzip.decompress(path.read_bytes()))
    for change in ({"shape": 1}, {"shape": None}):
        told = {name: value for name, value in (kept | change).items() if value is not None}
        path.write_bytes(gzip.compress(json.dumps(told).encode()))
        assert runs.get(task) is None
    (second,) = runs.complete([task], Tools([analysis.path]), 1, ignore)
    assert second.urls == first.urls


def test_whatever_defines_a_run_makes_another_key(analysis: FrozenWeb) -> None:
    task = task_of(analysis, "bfs")
    changes: list[dict[str, Any]] = [
        {"pages": "0" * 32},
        {"strategy": "random"},
        {"options": {"threshold": 0.1}},
        {"words": "chess king"},
        {"seeds": (url_of(2),)},
        {"examples": (url_of(4),)},
        {"counter_examples": (url_of(4),)},
        {"budget": 11},
        {"random_seed": 1},
        {"marks": 5},
        {"right": 0.9},
        {"answers": "0" * 32},
        {"encoder": "0" * 32},
        {"encode": True},
    ]
    keys = {msgspec.structs.replace(task, **change).key for change in changes}
    assert len(keys | {task.key}) == len(changes) + 1
    assert task.key == task_of(analysis, "bfs").key


def test_other_code_makes_another_key(analysis: FrozenWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    key = task_of(analysis, "bfs").key
    monkeypatch.setattr("lagotto.lab.experiments.tasks.source_hash", lambda *modules: "other")
    assert task_of(analysis, "bfs").key != key


def test_a_failing_run_is_told_in_a_sentence(analysis: FrozenWeb, tmp_path: Path) -> None:
    task = task_of(analysis, "bfs", options={"no": 1})
    with pytest.raises(LagottoError, match="'bfs' failed on 'chess': the strategy 'bfs' has no option 'no'"):
        Runs(tmp_path).complete([task], Tools([analysis.path]), 1, ignore)


def test_a_process_that_dies_is_told_in_a_sentence(
    analysis: FrozenWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lagotto.lab.experiments.saved_runs.run_task", _die)
    with pytest.raises(LagottoError, match="a process ended while 'bfs' crawled for 'chess'"):
        Runs(tmp_path).complete([task_of(analysis, "bfs")], Tools([analysis.path]), 1, ignore)


def _die(task: Task, key: str) -> Replayed:
    os._exit(1)


def test_only_the_oracle_may_be_told_the_truth_and_it_is_not_kept(
    analysis: FrozenWeb, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="only the oracle"):
        task_of(analysis, "bfs", truth=(url_of(4),))
    task = task_of(analysis, ORACLE, truth=(url_of(4), url_of(7)))
    Runs(tmp_path).complete([task], Tools([analysis.path]), 1, ignore)
    (kept,) = tmp_path.iterdir()
    assert json.loads(gzip.decompress(kept.read_bytes()))["task"]["truth"] == []


def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(
    small: Small, analysis: FrozenWeb, tmp_path: Path
) -> None:
    command: list[str | Path] = [
        *(sys.executable, "-m", "lagotto", "lab", "compare", small.web, "--labels", small.labels),
        *("--topics", small.topics, "--strategies", "bfs", "--budget", "50", "--draws", "50"),
        *("--jobs", "1", "-o", tmp_path / "out"),
    ]
    crawl = subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    runs = tmp_path / "out" / "runs"
    deadline = time.monotonic() + 60
    while not (runs.is_dir() and len(list(runs.glob("*.gz"))) >= 3) and time.monotonic() < deadline:
        time.sleep(0.05)
    # As a terminal does it: to the whole group.
    os.killpg(crawl.pid, signal.SIGINT)
    _, said = crawl.communicate(timeout=60)
    assert crawl.returncode == 130
    assert "stopped" in said
    assert "Traceback" not in said
    kept = list(runs.glob("*.gz"))
    assert 3 <= len(kept) < 400
    assert all(json.loads(gzip.decompress(path.read_bytes()))["run"]["urls"] for path in kept)
    deadline = time.monotonic() + 30
    while (left := living(crawl.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def living(group: int) -> list[str]:
    """Processes of a group that are not dead yet."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, pgrp = path.read_text().rpartition(")")[2].split()[:3]
            if int(pgrp) == group and state not in "ZX":
                found.append(path.parent.joinpath("cmdline").read_text().replace("\0", " "))
    return found
