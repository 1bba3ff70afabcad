from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.lab.experiments.experiment import compare
from lagotto.lab.experiments.request import Protocol, Request
from lagotto.lab.experiments.results import MEASURES, SHARE, Comparison
from lagotto.lab.experiments.tasks import BOUNDS, ORACLE
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import Small, make_small


def test_bounds_are_always_there_and_everyone_runs_on_everything(compared: Comparison) -> None:
    assert compared.strategies == [*BOUNDS, "best-first", "best-first:threshold=0.5"]
    assert compared.contenders == ["best-first", "best-first:threshold=0.5"]
    assert compared.protocols == ["words", "examples"]
    assert compared.topics == ["truffles", "chess"]
    assert compared.draws == [0, 1]
    assert len(compared.runs) == 6 * 2 * 2 * 2


def test_the_oracle_is_the_measure_of_all(compared: Comparison) -> None:
    for protocol in compared.protocols:
        assert compared.mean(SHARE, protocol, ORACLE) == 1.0
        assert all(0 <= compared.mean(SHARE, protocol, name) <= 1.001 for name in compared.strategies)
        assert compared.mean(SHARE, protocol, "best-first") > compared.mean(SHARE, protocol, "random")
        assert ORACLE not in compared.ranking(protocol)


def test_seeds_and_examples_count_neither_as_hits_nor_as_pages(compared: Comparison, small: Small) -> None:
    run = compared.run("words", ORACLE, "chess", 0)
    assert len(run.hits) == compared.budget
    assert run.relevant == len(small.relevant["chess"]) - 1
    assert run.hits[0], "the seed itself is left out, and what follows is relevant"
    examples = compared.run("examples", ORACLE, "chess", 0)
    assert examples.relevant == run.relevant - 3
    assert len(examples.hits) == compared.budget


def test_what_shifts_the_verdict_alone_shifts_no_page(compared: Comparison) -> None:
    for topic in compared.topics:
        usual = compared.run("words", "best-first", topic, 0)
        strict = compared.run("words", "best-first:threshold=0.5", topic, 0)
        assert usual.hits.tolist() == strict.hits.tolist()
        assert usual.confusion.total == strict.confusion.total == compared.budget
    pooled = compared.confusion("words", "best-first")
    assert pooled.total == compared.budget * len(compared.topics) * len(compared.draws)


def test_rivals_are_the_best_other_or_the_baseline(compared: Comparison) -> None:
    best, second = compared.ranking("words")[:2]
    assert compared.rival("words", best) == second
    assert compared.rival("words", "bfs") == best
    chosen = Comparison(compared.facts, compared.runs, budget=30, baseline="random")
    assert chosen.rival("words", best) == "random"
    paired = compared.paired("words", best, "random")
    assert paired.topics == 2
    assert paired.difference.mean == pytest.approx(
        compared.mean(SHARE, "words", best) - compared.mean(SHARE, "words", "random")
    )


def test_facts_say_what_was_compared(compared: Comparison, small: Small) -> None:
    facts = compared.facts
    with FrozenWeb.open(small.web) as web:
        assert facts.content_hash == web.content_hash
    assert (facts.pages, facts.hosts, facts.unknown_labels) == (120, 3, 0)
    assert facts.relevant == {"truffles": 40, "chess": 40}
    assert facts.settings["budget"] == "30"
    assert facts.versions["lagotto"]


def test_the_same_comparison_again_runs_nothing(
    asked: Request, compared: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lagotto.lab.experiments.saved_runs.process_pool", None)
    told: list[tuple[str, int, int]] = []
    again = compare(asked, lambda *progress: told.append(progress))
    for measure in (measure for measure in MEASURES if measure.name != "again_ms"):
        for name in compared.strategies:
            assert again.figures(measure, "words", name) == compared.figures(measure, "words", name)
    assert told[-1] == ("crawling", len(compared.runs), len(compared.runs))


def test_a_folder_of_pages_is_imported_once(small: Small, tmp_path: Path) -> None:
    source, output = tmp_path / "pages", tmp_path / "output"
    source.mkdir()
    with FrozenWeb.open(small.web) as web:
        lines = [json.dumps({"url": page.url, "html": page.body.decode()}) for page in web]
    (source / "pages.jsonl.zst").write_bytes(zstd.compress("\n".join(lines).encode()))
    request = Request(
        web=source,
        labels=(small.labels,),
        topics=(small.topics,),
        output=output,
        strategies=("bfs",),
        budget=5,
        jobs=1,
    )
    first = compare(request)
    assert first.strategies == list(BOUNDS)
    (frozen,) = output.glob("*.web")
    made = frozen.stat().st_mtime_ns
    compare(request)
    assert frozen.stat().st_mtime_ns == made


def test_unknown_labels_are_counted(asked: Request, tmp_path: Path) -> None:
    small = make_small(tmp_path, extra_labels="http://gone.example/,chess\nhttp://gone.example/,truffles\n")
    request = msgspec.structs.replace(
        asked, labels=(small.labels,), budget=3, draws=1, strategies=("bfs",), protocols=(Protocol.WORDS,)
    )
    request.output = tmp_path / "output"
    assert compare(request).facts.unknown_labels == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"strategies": ("clairvoyant",)}, "there is no strategy 'clairvoyant'"),
        ({"strategies": ("best-first:thresh=1",)}, "has no option 'thresh'"),
        ({"strategies": ("best-first:threshold",)}, "is no option; write it like best-first:option=value"),
        ({"strategies": ("oracle:x=1",)}, "the bound 'oracle' has no options"),
        ({"baseline": "hybrid"}, "the baseline 'hybrid' is not among the strategies compared"),
        ({"budget": 0}, "--budget must be at least 1"),
        ({"draws": 0}, "--draws must be at least 1"),
        ({"random_seed": -1}, "--random-seed must be at least 0"),
        ({"examples": 30}, "ask for at most 19 with --examples"),
        ({"web": Path("missing.web")}, "there is no web missing.web"),
        ({"labels": (Path("missing.csv"),)}, "cannot read the labels"),
        ({"topics": (Path("missing.json"),)}, "cannot read the topics"),
    ],
)
def test_requests_that_make_no_sense(asked: Request, change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        compare(msgspec.structs.replace(asked, **change))


def test_a_web_that_is_damaged_or_none(asked: Request, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.web"
    content = bytearray(asked.web.read_bytes())
    content[-20] ^= 255
    damaged.write_bytes(content)
    with pytest.raises(InputError, match="is damaged; import it again"):
        compare(msgspec.structs.replace(asked, web=damaged))
    with pytest.raises(InputError, match="is not a frozen web"):
        compare(msgspec.structs.replace(asked, web=asked.labels[0]))


def test_a_topic_without_labels(asked: Request, tmp_path: Path) -> None:
    topics = tmp_path / "topics.json"
    topics.write_text('{"knitting": {"words": "wool"}}')
    with pytest.raises(InputError, match="no page is labelled 'knitting'"):
        compare(msgspec.structs.replace(asked, topics=(topics,)))
