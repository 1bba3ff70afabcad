"""Labels cannot reach a strategy: nothing of them is in the process in which it runs."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest

from lagotto.lab.experiments import saved_runs as runs
from lagotto.lab.experiments.experiment import compare
from lagotto.lab.experiments.request import Protocol, Request
from lagotto.lab.experiments.tasks import ORACLE, Task
from tests.lab.small import SIZE, Small, make_small

SECRET = "labelled-zqx"
"""A topic's name, which stands in the labels and in no page."""

SPY = """
    import gc, json, os, sys

    from lagotto.focus.strategies.simple import BreadthFirst

    class Spy(BreadthFirst):
        '''Looks for the labels wherever a strategy can look without opening files.'''

        name, summary = "spy", "looks for labels"
        pages = 0

        def judge(self, page):
            self.pages += 1
            if self.pages == int(os.environ["SPY_AT"]):
                self.look()
            return super().judge(page)

        def feedback(self, terms, on, url=""):
            return None

        def look(self):
            with open(os.environ["SPY_WANTED"]) as wanted:
                told = json.load(wanted)  # Written backwards, so that the spy does not find itself.
            secrets, relevant = told["secrets"], set(told["relevant"])
            waiting = [vars(self), sys.argv, dict(os.environ), *map(vars, list(sys.modules.values()))]
            frame = sys._getframe()
            while frame is not None:
                waiting.append(frame.f_locals)
                frame = frame.f_back
            waiting += gc.get_objects()
            found, seen = [], {id(waiting)}
            while waiting:
                thing = waiting.pop()
                if id(thing) in seen:
                    continue
                seen.add(id(thing))
                # Also what the collector does not track, such as a tuple of texts.
                parts = gc.get_referents(thing)
                waiting += [part for part in parts if not isinstance(part, (str, bytes, int, float))]
                if isinstance(thing, (list, tuple, set, frozenset, dict)):
                    texts = {part[::-1] for part in parts if isinstance(part, str)}
                    if any(secret in text for text in texts for secret in secrets):
                        found.append("a secret")
                    if len(texts) < told["size"] / 2 and len(texts & relevant) > told["known"]:
                        found.append("a list of relevant pages")
            with open(os.environ["SPY_REPORT"], "a") as report:
                report.write(json.dumps(found) + chr(10))
"""


@pytest.fixture
def secretive(tmp_path: Path) -> Small:
    """The small web, whose one topic has a name that can be looked for."""
    small = make_small(tmp_path, {SECRET: {"words": "chess king queen", "seeds": []}})
    small.labels.write_text(small.labels.read_text().replace(",chess\n", f",{SECRET}\n"))
    return small


@pytest.fixture
def asked_of_spy(secretive: Small, tmp_path: Path) -> Request:
    return Request(
        web=secretive.web,
        labels=(secretive.labels,),
        topics=(secretive.topics,),
        output=tmp_path / "output",
        strategies=("spy",),
        budget=4,
        protocols=(Protocol.WORDS, Protocol.EXAMPLES),
        examples=5,
        jobs=1,
    )


@pytest.fixture
def report(tmp_path: Path, secretive: Small, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the spy writes; it is found as a strategy of another package would be."""
    package = tmp_path / "plugin"
    (package / "spy-1.0.dist-info").mkdir(parents=True)
    (package / "spy_strategy.py").write_text(dedent(SPY))
    (package / "spy-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: spy\nVersion: 1.0\n"
    )
    entry = "[lagotto.strategies]\nspy = spy_strategy:Spy\n"
    (package / "spy-1.0.dist-info" / "entry_points.txt").write_text(entry)
    wanted = tmp_path / "wanted.json"
    # Two seeds and five example pages are relevant, and given to everyone.
    secrets = [SECRET[::-1], "labels.csv"[::-1]]
    relevant = [url[::-1] for url in secretive.relevant["chess"]]
    wanted.write_text(json.dumps({"secrets": secrets, "relevant": relevant, "size": SIZE, "known": 7}))
    monkeypatch.syspath_prepend(package)
    monkeypatch.setenv("SPY_WANTED", str(wanted))
    monkeypatch.setenv("SPY_AT", "3")
    monkeypatch.setenv("SPY_REPORT", str(tmp_path / "report"))
    monkeypatch.setattr(sys, "argv", ["lagotto", "lab", "compare", "--labels", "labels.csv"])
    return tmp_path / "report"


def test_a_strategy_that_looks_for_labels_finds_none(asked_of_spy: Request, report: Path) -> None:
    compared = compare(asked_of_spy)
    assert compared.contenders == ["spy"]
    looks = [json.loads(line) for line in report.read_text().splitlines()]
    assert looks == [[], []], "one look for each protocol, nothing found"


def test_a_strategy_with_a_teacher_finds_no_more_than_its_answers(
    asked_of_spy: Request, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPY_AT", "18")
    request = msgspec.structs.replace(asked_of_spy, budget=20, marks=(3,), protocols=(Protocol.WORDS,))
    compared = compare(request)
    assert [run.marks for run in compared.taught.values()] == [3]
    looks = [json.loads(line) for line in report.read_text().splitlines()]
    assert looks == [[], []], "one look without a teacher, one with it, nothing found"


def test_the_spy_would_find_them_if_they_were_there(
    asked_of_spy: Request, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same comparison, except that the truth is handed along where the seeds are.
    blind = runs.Runs.complete

    def leaking(self: runs.Runs, tasks: list[Task], *more: object) -> object:
        truth = {(task.words, task.examples): task.truth for task in tasks if task.strategy == ORACLE}
        told = [
            msgspec.structs.replace(task, options={}, seeds=task.seeds + truth[task.words, task.examples])
            for task in tasks
        ]
        return blind(self, told, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(runs.Runs, "complete", leaking)
    compare(asked_of_spy)
    looks = [json.loads(line) for line in report.read_text().splitlines()]
    assert any("a list of relevant pages" in found for found in looks)


def test_what_is_sent_to_a_process_holds_no_label(
    asked_of_spy: Request, report: Path, secretive: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Task] = []

    def note(self: runs.Runs, tasks: list[Task], *_: object) -> None:
        sent.extend(tasks)
        raise InterruptedError

    monkeypatch.setattr(runs.Runs, "complete", note)
    with pytest.raises(InterruptedError):
        compare(asked_of_spy)
    blind = [task for task in sent if task.strategy != ORACLE]
    assert {task.strategy for task in blind} == {"spy", "bfs", "random", "indegree"}
    for task in blind:
        given = {*task.seeds, *task.examples}
        packed = pickle.dumps(task)
        assert SECRET.encode() not in packed
        assert not [url for url in secretive.relevant["chess"] - given if f"{url}'" in repr(task)]
