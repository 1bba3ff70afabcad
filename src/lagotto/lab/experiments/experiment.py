"""Comparing strategies: from a web, labels and topics to judged runs."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

import msgspec
import xxhash
from msgspec import Struct

from lagotto.errors import InputError
from lagotto.lab.experiments.draws import Draw, Drawing, Seeding
from lagotto.lab.experiments.judging import judge
from lagotto.lab.experiments.logs import TopicLog, read_logs
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.processes import usual_jobs
from lagotto.lab.experiments.results import Comparison, Facts, RunKey
from lagotto.lab.experiments.saved_runs import Runs
from lagotto.lab.experiments.tasks import ORACLE, Task
from lagotto.lab.experiments.truth import Labels, LabTopic, read_labels, read_topics
from lagotto.lab.experiments.variants import Variant, read_variants
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.graph import Graph, graph_of
from lagotto.lab.webs.importing import import_web, needs_import
from lagotto.lab.webs.web import FrozenWeb, input_errors
from lagotto.topic import Topic
from lagotto.urls import host_of

Tell = Callable[[str, int, int], None]
"""Told what is being done, and how much of how much."""


class Protocol(StrEnum):
    """What strategies are given, all alike."""

    WORDS = "words"
    """The topic's words, and seeds."""
    EXAMPLES = "examples"
    """The same, and pages on and off the topic: the inputs of most papers."""
    LOG = "log"
    """Words, seeds, a query log that grows and search results: the inputs of the paper of `dynamic`."""


class Request(Struct, kw_only=True):
    """All that defines a comparison."""

    web: Path
    """A frozen web, or a folder or file that one can be imported from."""
    labels: Path
    topics: Path
    output: Path
    strategies: tuple[str, ...] = ()
    """Names, with options after colons; all registered ones if empty."""
    budget: int = 500
    draws: int = 1
    protocols: tuple[Protocol, ...] = (Protocol.WORDS,)
    examples: int = 50
    """Example pages of either kind."""
    logs: Path | None = None
    """Query logs and search results of the topics, for the protocol `log`."""
    seeding: Seeding = Seeding.GIVEN
    random_seed: int = 0
    baseline: str = ""
    jobs: int = 0

    def check(self) -> None:
        """Refuse what makes no sense."""
        for option, least in {"budget": 1, "draws": 1, "examples": 1, "jobs": 0, "random_seed": 0}.items():
            if getattr(self, option) < least:
                raise InputError(f"--{option.replace('_', '-')} must be at least {least}")
        if Protocol.LOG in self.protocols and self.logs is None:
            raise InputError(
                "the protocol 'log' needs query logs; make them with scripts/make_query_logs.py, "
                "and give them with --logs FILE"
            )


class _Start(Struct, frozen=True):
    """A topic in a draw under a protocol: where every strategy starts alike."""

    protocol: Protocol
    topic: str
    number: int
    draw: Draw


def compare(request: Request, tell: Tell = lambda what, done, total: None) -> Comparison:
    """Run all that is missing, judge all."""
    request.check()
    variants = read_variants(request.strategies)
    if request.baseline and request.baseline not in {variant.label for variant in variants}:
        raise InputError(f"the baseline '{request.baseline}' is not among the strategies compared")
    topics = read_topics(request.topics)
    with _open_web(request, tell) as web:
        labels = read_labels(request.labels, web)
        for name in topics:
            labels.of(name)
        _make_output(request)
        analyses = _analyses(web, topics, request, tell)
        graph = graph_of(next(iter(analyses.values())))
        logs = _logs(web, topics, request)
        starts = list(_starts(web, graph, topics, labels, logs, request))
        planned = {
            RunKey(start.protocol, variant.label, start.topic, start.number): (
                start,
                _task(start, variant, topics[start.topic], analyses, labels, logs, request),
            )
            for start in starts
            for variant in variants
        }
        runs = _run([task for _, task in planned.values()], list(analyses.values()), request, tell)
        judged = {
            key: judge(run, start.draw, labels.of(start.topic), request.budget)
            for (key, (start, _)), run in zip(planned.items(), runs, strict=True)
        }
        facts = _facts(web, graph, topics, labels, request, variants)
    return Comparison(facts, judged, budget=request.budget, baseline=request.baseline)


def _make_output(request: Request) -> None:
    with input_errors(f"cannot write to {request.output}"):
        request.output.mkdir(parents=True, exist_ok=True)


def _open_web(request: Request, tell: Tell) -> FrozenWeb:
    """The frozen web, imported into the output folder when it is not frozen yet."""
    source = request.web
    if not needs_import(source):
        return FrozenWeb.open(source)
    inside = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
    state = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in inside]
    mark = xxhash.xxh3_64_hexdigest(msgspec.json.encode(state))
    frozen = request.output / f"{source.resolve().name.partition('.')[0]}-{mark}.web"
    if not frozen.exists():
        _make_output(request)
        import_web([source], frozen, lambda pages, share: tell("importing", int(1000 * share), 1000))
    return FrozenWeb.open(frozen)


def _analyses(
    web: FrozenWeb, topics: dict[str, LabTopic], request: Request, tell: Tell
) -> dict[tuple[str, ...], FrozenWeb]:
    """The analysed web, once for each set of phrases that topics have; mostly that is none."""
    folder = web.path.parent if os.access(web.path.parent, os.W_OK) else request.output
    sets = dict.fromkeys(
        [(), *(Topic(topic.words, language=topic.language).phrases for topic in topics.values())]
    )
    return {
        phrases: analysis_of(
            web,
            folder,
            phrases,
            jobs=request.jobs,
            progress=lambda done, total: tell("analysing pages", done, total),
        )
        for phrases in sets
    }


def _logs(web: FrozenWeb, topics: dict[str, LabTopic], request: Request) -> dict[str, TopicLog]:
    """The query log of each topic, its pages under the URLs that the web counts them by."""
    if request.logs is None or Protocol.LOG not in request.protocols:
        return {}
    found = read_logs(request.logs)
    for name in topics:
        if name not in found or not found[name].queries:
            raise InputError(f"{request.logs} holds no query for the topic '{name}'")
    resolved = {
        name: [url for page in log.pages if (url := web.resolve(page))] for name, log in found.items()
    }
    return {name: msgspec.structs.replace(log, pages=resolved[name]) for name, log in found.items()}


def _starts(
    web: FrozenWeb,
    graph: Graph,
    topics: dict[str, LabTopic],
    labels: Labels,
    logs: dict[str, TopicLog],
    request: Request,
) -> Iterator[_Start]:
    drawing = Drawing(web, graph, reach=request.budget, random_seed=request.random_seed)
    for protocol in request.protocols:
        examples = request.examples if protocol == Protocol.EXAMPLES else 0
        for name, topic in topics.items():
            for number in range(request.draws):
                draw = drawing.draw(name, topic, labels.of(name), number, request.seeding, examples)
                if protocol == Protocol.LOG:
                    draw = msgspec.structs.replace(draw, queried=tuple(logs[name].pages))
                yield _Start(protocol, name, number, draw)


def _task(
    start: _Start,
    variant: Variant,
    topic: LabTopic,
    analyses: dict[tuple[str, ...], FrozenWeb],
    labels: Labels,
    logs: dict[str, TopicLog],
    request: Request,
) -> Task:
    log = logs[start.topic] if start.protocol == Protocol.LOG else TopicLog([])
    relevant = labels.of(start.topic) - start.draw.given if variant.strategy == ORACLE else ()
    return Task(
        pages=analyses[Topic(topic.words, language=topic.language).phrases].content_hash,
        strategy=variant.strategy,
        options=variant.options,
        words=topic.words,
        language=topic.language,
        seeds=start.draw.seeds,
        examples=start.draw.examples,
        counter_examples=start.draw.counter_examples,
        queries=tuple(log.queries),
        results=tuple(f"{hit.title}\n{hit.content}" for hit in log.results),
        # Given pages do not count, so there must be room for all of them.
        budget=request.budget + len(start.draw.given),
        random_seed=request.random_seed + start.number,
        truth=tuple(sorted(relevant)),
    )


def _run(tasks: list[Task], analyses: list[FrozenWeb], request: Request, tell: Tell) -> list[Replayed]:
    done: set[str] = set()
    total = len({task.key for task in tasks})

    def ran(task: Task, run: Replayed) -> None:
        done.add(task.key)
        tell("crawling", len(done), total)

    runs = Runs(request.output / "runs")
    return runs.complete(tasks, [analysis.path for analysis in analyses], request.jobs or usual_jobs(), ran)


def _facts(
    web: FrozenWeb,
    graph: Graph,
    topics: dict[str, LabTopic],
    labels: Labels,
    request: Request,
    variants: list[Variant],
) -> Facts:
    settings = {
        "budget": str(request.budget),
        "draws": str(request.draws),
        "protocols": ", ".join(request.protocols),
        "examples": f"{request.examples} of either kind"
        if Protocol.EXAMPLES in request.protocols
        else "none",
        "seeds": str(request.seeding),
        "random seed": str(request.random_seed),
        "strategies": ", ".join(variant.label for variant in variants),
        "baseline": request.baseline or "the best other, and bfs",
        "labels": f"{request.labels.name} ({_digest(request.labels)})",
        "topics": f"{request.topics.name} ({_digest(request.topics)})",
    }
    if request.logs is not None and Protocol.LOG in request.protocols:
        settings["query logs"] = f"{request.logs.name} ({_digest(request.logs)})"
    packages = ("lagotto", "numpy", "turbohtml", "PyStemmer")
    return Facts(
        web=web.path.name,
        content_hash=web.content_hash,
        pages=len(web),
        hosts=len({host_of(url) for url in web.urls()}),
        links=len(graph.targets),
        relevant={name: len(labels.of(name)) for name in topics},
        words={name: topic.words for name, topic in topics.items()},
        unknown_labels=labels.unknown,
        settings=settings,
        versions={"Python": platform.python_version()}
        | {name: importlib.metadata.version(name) for name in packages},
    )


def _digest(path: Path) -> str:
    return xxhash.xxh3_64_hexdigest(path.read_bytes())
