"""Verdicts, absent topics, marks and encoder in a comparison, made once on the small web."""

from __future__ import annotations

import csv
import json
from math import isnan
from pathlib import Path

import msgspec
import numpy as np
import pytest

from lagotto.base.errors import InputError
from lagotto.lab.experiments.experiment import compare
from lagotto.lab.experiments.request import Request
from lagotto.lab.experiments.results import Comparison
from lagotto.lab.experiments.verdict_figures import (
    NO_LESSON,
    Lesson,
    lessons_of,
    of_estimates,
    of_verdicts,
    runs_of,
    taught_runs,
)
from lagotto.lab.experiments.verdicts import AGAIN, CLAIMED, ENCODED, F1, FETCH, PRECISION, Verdicts
from lagotto.lab.report import tables_of, write_report
from tests.focus.judging.tiny_bert import make_tiny_bert
from tests.lab.small import TOPICS, Small, url_of

READING = "scent + encoder"


@pytest.fixture(scope="module")
def asked(small: Small, tmp_path_factory: pytest.TempPathFactory) -> Request:
    folder = tmp_path_factory.mktemp("verdicts")
    topics = {
        **TOPICS,
        "truffles": {**TOPICS["truffles"], "seeds": [url_of(3)]},
        "knitting": {"words": "wool"},
    }
    (folder / "topics.json").write_text(json.dumps(topics))
    (folder / "absent.json").write_text('{"opera": {"words": "opera soprano"}}')
    return Request(
        web=small.web,
        labels=(small.labels,),
        topics=(folder / "topics.json",),
        output=folder / "output",
        strategies=("scent", "dynamic"),
        budget=60,
        absent=folder / "absent.json",
        marks=(8,),
        right=(1.0, 0.5),
        encoder=str(make_tiny_bert(tmp_path_factory.mktemp("tiny"))),
        encode=True,
        jobs=1,
    )


@pytest.fixture(scope="module")
def compared(asked: Request) -> Comparison:
    return compare(asked)


def test_all_pages_are_judged_again_by_who_does_that(compared: Comparison) -> None:
    def kinds(name: str) -> list[str]:
        return list(compared.run("words", name, "chess", 0).verdicts)

    assert kinds("scent") == kinds(READING) == [FETCH, AGAIN, ENCODED]
    assert kinds("dynamic") == [FETCH, AGAIN]
    assert kinds("bfs") == [FETCH]
    runs = runs_of(compared.runs, "words", "scent")
    assert of_verdicts(runs, AGAIN, PRECISION.of).mean > 0.9
    found = compared.run("words", "scent", "chess", 0)
    assert found.verdicts[AGAIN].hits.sum() <= found.hits.sum()
    assert found.verdicts[AGAIN].chances.tolist() != found.verdicts[FETCH].chances.tolist()
    assert found.verdicts[AGAIN].chances.tolist() != found.verdicts[ENCODED].chances.tolist()


def test_recall_is_estimated_against_the_truth(compared: Comparison) -> None:
    run = compared.run("words", "scent", "truffles", 0)
    said = run.verdicts[AGAIN].estimate
    assert said is not None
    assert said.recall == pytest.approx(run.hits.sum() / run.relevant)
    assert said.low <= said.estimate <= said.high
    assert of_estimates(runs_of(compared.runs, "words", "bfs"), FETCH, lambda said: said.recall) is None


def test_what_judging_again_costs_is_counted_apart(compared: Comparison) -> None:
    assert compared.run("words", "scent", "chess", 0).again_ms > 0
    assert isnan(compared.run("words", "bfs", "chess", 0).again_ms)


def test_topics_without_labels_are_taken_as_absent(compared: Comparison) -> None:
    assert compared.topics == ["truffles", "chess"]
    assert compared.facts.unlabelled == ("knitting",)
    assert {key.topic for key in compared.absent} == {"knitting", "opera"}
    assert {key.strategy for key in compared.absent} == {"scent", READING, "dynamic", "bfs"}
    for run in compared.absent.values():
        assert not run.hits.any()
        claimed = run.verdicts[FETCH].claimed.tolist()
        assert CLAIMED.of(run.verdicts[FETCH]) == (sum(claimed) / len(claimed) if claimed else 0.0)


def test_the_teacher_is_asked_during_the_crawl_and_its_marks_count(compared: Comparison) -> None:
    lessons = [NO_LESSON, Lesson(8, 1.0), Lesson(8, 0.5)]
    assert lessons_of(compared, "words", "scent") == lessons_of(compared, "words", READING) == lessons
    assert not lessons_of(compared, "words", "dynamic"), "it learns from no marks"
    for run in taught_runs(compared, "words", "scent", Lesson(8, 1.0)).values():
        final = run.verdicts[AGAIN]
        assert run.marks == 8
        assert (final.claimed == final.hits)[final.marked].all()
        assert set(final.chances[final.marked]) <= {0.0, 1.0}
        # Questions come within the first two fifths of the crawl.
        assert not final.marked[30:].any()
    wrong = [run.verdicts[AGAIN] for run in taught_runs(compared, "words", "scent", Lesson(8, 0.5)).values()]
    assert sum(int((said.claimed != said.hits)[said.marked].sum()) for said in wrong) >= 4 * len(wrong) - 2


def test_pages_not_marked_can_be_counted_alone() -> None:
    verdicts = Verdicts(
        hits=np.array([True, True, False]),
        chances=np.array([1.0, 0.2, 0.9]),
        claimed=np.array([True, False, True]),
        marked=np.array([True, False, False]),
    )
    assert F1.of(verdicts) == 0.5
    assert F1.of_unmarked(verdicts) == 0.0


def test_the_report_shows_them(asked: Request, compared: Comparison, tmp_path: Path) -> None:
    names = [table.name for table in tables_of(compared, "words")]
    assert names[-4:] == ["verdicts", "recall", "absent", "learning"]
    text = write_report(compared, tmp_path).read_text()
    assert "no page is labelled knitting" in text
    assert "50 % of the answers right" in text
    for picture in ("words-reliability.svg", "words-learning.svg"):
        assert (tmp_path / "pictures" / picture).stat().st_size > 1000
    with (tmp_path / "tables" / "words-verdict-runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["marks"] for row in rows} == {"0", "8"}
    assert {row["topic"] for row in rows} == {"truffles", "chess", "knitting", "opera"}


def test_the_same_again_runs_nothing(
    asked: Request, compared: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lagotto.lab.experiments.saved_runs.process_pool", None)
    again = compare(asked)
    for key, run in compared.taught.items():
        assert again.taught[key].verdicts[AGAIN].chances.tolist() == run.verdicts[AGAIN].chances.tolist()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"strategies": ("bfs",), "encode": False}, "none of the strategies learns from marks"),
        ({"strategies": ("bfs",), "marks": ()}, "none of the strategies reads with an encoder"),
        ({"marks": (0,)}, "--marks must be at least 1"),
        ({"right": (1.2,)}, "--right must be from 0 to 1"),
        ({"encoder": "none"}, "--encode always needs an encoder"),
        ({"encoder": "/nowhere"}, "there is no encoder folder"),
    ],
)
def test_requests_that_make_no_sense(asked: Request, change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        compare(msgspec.structs.replace(asked, **change))


def test_a_topic_that_the_web_has_is_not_absent(asked: Request, tmp_path: Path) -> None:
    (tmp_path / "absent.json").write_text('{"chess": {"words": "chess"}}')
    with pytest.raises(InputError, match="pages are labelled 'chess'"):
        compare(msgspec.structs.replace(asked, absent=tmp_path / "absent.json"))
