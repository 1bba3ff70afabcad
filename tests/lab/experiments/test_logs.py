"""Query logs and search results as inputs of a comparison."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from lagotto.base.errors import InputError
from lagotto.lab.experiments.draws import GrowingLog, TopicLog, read_logs
from lagotto.lab.experiments.experiment import compare
from lagotto.lab.experiments.request import Protocol, Request
from lagotto.lab.experiments.tasks import Task, strategy_of
from tests.conftest import PROJECT
from tests.lab.small import Small


@pytest.fixture(scope="module")
def logs(small: Small, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of the small web, made by the script."""
    path = tmp_path_factory.mktemp("logs") / "logs.json"
    script = PROJECT / "scripts" / "make_query_logs.py"
    given = ["--labels", small.labels, "--topics", small.topics, "--pages", "8", "-o", path]
    subprocess.run([sys.executable, script, small.web, *map(str, given)], check=True)
    return path


def test_a_log_mixes_queries_of_relevant_pages_with_noise(logs: Path, small: Small) -> None:
    made = read_logs(logs)
    assert made.keys() == {"truffles", "chess"}
    log = made["chess"]
    assert set(log.pages) <= small.relevant["chess"]
    assert 0 < len(log.pages) <= 8
    assert len(log.queries) > len(log.pages)
    assert log.results
    assert log.results[0].url in small.relevant["chess"]


def test_dynamic_gets_the_log_and_static_the_results(logs: Path, asked: Request, tmp_path: Path) -> None:
    request = msgspec.structs.replace(
        asked,
        output=tmp_path,
        strategies=("dynamic:threshold=0.5", "static"),
        protocols=(Protocol.WORDS, Protocol.LOG),
        logs=logs,
        draws=1,
    )
    compared = compare(request)
    assert compared.protocols == ["words", "log"]
    for strategy in ("dynamic:threshold=0.5", "static"):
        with_log = compared.run("log", strategy, "chess", 0)
        # Pages that became queries are no finds.
        assert with_log.relevant == compared.run("words", strategy, "chess", 0).relevant - len(
            set(read_logs(logs)["chess"].pages)
        )
    assert compared.facts.settings["query logs"].startswith("logs.json")


def test_a_task_hands_queries_and_results_to_the_strategy(tmp_path: Path) -> None:
    queries = ("chess openings", "chess endgames", "chess clubs")
    task = Task(
        pages="",
        strategy="dynamic",
        words="games",
        seeds=(),
        queries=queries,
        results=("Chess\nAll of chess", "Chess clubs\nWhere to play"),
        budget=10,
    )
    log = GrowingLog(queries, tmp_path / "log.txt", 1)
    log.fetched(1)
    table = strategy_of(task, None, log.path).table  # type: ignore[arg-type]
    assert table is not None
    assert dict(table) == {"chess": 1.5}
    made_once = strategy_of(msgspec.structs.replace(task, strategy="static"), None).table  # type: ignore[arg-type]
    assert made_once is not None
    assert next(iter(made_once)) == "chess"
    assert made_once.source == "search results"


def test_a_log_grows_with_the_pages(tmp_path: Path) -> None:
    log = GrowingLog(tuple("abcdefgh"), tmp_path / "log.txt", 100)
    lengths = []
    for pages in (0, 1, 50, 100, 200):
        log.fetched(pages)
        lengths.append(len(log.path.read_text().splitlines()))
    assert lengths == [2, 3, 5, 8, 8]


def test_a_log_that_is_missing_or_none_is_told(small: Small, asked: Request, tmp_path: Path) -> None:
    wanted = msgspec.structs.replace(asked, output=tmp_path, protocols=(Protocol.LOG,))
    with pytest.raises(InputError, match="make_query_logs"):
        compare(wanted)
    with pytest.raises(InputError, match="is not a file of query logs"):
        compare(msgspec.structs.replace(wanted, logs=small.labels))
    empty = tmp_path / "logs.json"
    empty.write_bytes(msgspec.json.encode({"chess": TopicLog([])}))
    with pytest.raises(InputError, match="holds no query for the topic"):
        compare(msgspec.structs.replace(wanted, logs=empty))
