"""Comparing strategies: from a web, labels and topics to judged runs."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable
from pathlib import Path

import msgspec
import xxhash

from lagotto.base.errors import InputError
from lagotto.base.urls import host_of
from lagotto.crawling.assembly import make_encoder
from lagotto.crawling.config import Config
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.draws import Drawing, TopicLog, read_logs
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.planning import Planned, Planning, Topics, sort_topics
from lagotto.lab.experiments.processes import usual_jobs
from lagotto.lab.experiments.request import Protocol, Request, Variant, read_variants
from lagotto.lab.experiments.results import Comparison, Facts
from lagotto.lab.experiments.saved_runs import Runs
from lagotto.lab.experiments.tasks import Task, Tools
from lagotto.lab.experiments.truth import Labels, LabTopic, read_all_labels, read_all_topics, read_topics
from lagotto.lab.experiments.verdicts import judge
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.graph import Graph, graph_of
from lagotto.lab.webs.importing import import_web, needs_import
from lagotto.lab.webs.web import FrozenWeb, input_errors

Tell = Callable[[str, int, int], None]
"""Told what is being done, and how much of how much."""


def compare(request: Request, tell: Tell = lambda what, done, total: None) -> Comparison:
    """Run all that is missing, judge all."""
    request.check()
    variants = read_variants(request.strategies, encode=request.encode)
    if request.baseline and request.baseline not in {variant.label for variant in variants}:
        raise InputError(f"the baseline '{request.baseline}' is not among the strategies compared")
    given = read_all_topics(request.topics)
    absent = read_topics(request.absent) if request.absent else {}
    encoder = _encoder(request)
    with _open_web(request, tell) as web:
        labels = read_all_labels(request.labels, web)
        topics = sort_topics(given, absent, labels)
        _make_output(request)
        analyses = _analyses(web, topics.every, request, tell)
        graph = graph_of(next(iter(analyses.values())))
        drawing = Drawing(web, graph, reach=request.budget, random_seed=request.random_seed)
        logs = _logs(web, topics.wanted, request)
        digest = _digest_of_folder(encoder.folder) if encoder else ""
        plan = list(Planning(request, topics, labels, logs, analyses, digest).plan(drawing, variants))
        folder = encoder.folder if encoder else None
        tools = Tools([analysis.path for analysis in analyses.values()], folder)
        runs = _run(plan, tools, request, tell)
        judged = {
            planned.key: judge(run, planned.draw, planned.relevant, request.budget)
            for planned, run in zip(plan, runs, strict=True)
        }
        facts = _facts(web, graph, topics, labels, request, variants, encoder)
    taught = {key: run for key, run in judged.items() if key.marks}
    of_absent = {key: run for key, run in judged.items() if key.topic in topics.absent}
    usual = {key: run for key, run in judged.items() if key not in taught and key not in of_absent}
    return Comparison(
        facts, usual, budget=request.budget, baseline=request.baseline, absent=of_absent, taught=taught
    )


def _encoder(request: Request) -> Encoder | None:
    encoder = make_encoder(Config(encoder=request.encoder))
    if encoder is None and request.encoder != "none":
        raise InputError("there is no sentence encoder; name its folder with --encoder, or none")
    return encoder


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


def _run(plan: list[Planned], tools: Tools, request: Request, tell: Tell) -> list[Replayed]:
    done: set[str] = set()
    keys = [planned.task.key for planned in plan]
    total = len(set(keys))

    def ran(task: Task, run: Replayed) -> None:
        done.add(task.key)
        tell("crawling", len(done), total)

    teachers = {key: planned.teacher for key, planned in zip(keys, plan, strict=True) if planned.task.marks}
    runs = Runs(request.runs or request.output / "runs")
    return runs.complete(
        [planned.task for planned in plan], tools, request.jobs or usual_jobs(), ran, teachers
    )


def _facts(
    web: FrozenWeb,
    graph: Graph,
    topics: Topics,
    labels: Labels,
    request: Request,
    variants: list[Variant],
    encoder: Encoder | None,
) -> Facts:
    packages = ("lagotto", "numpy", "turbohtml", "PyStemmer")
    return Facts(
        web=web.path.name,
        content_hash=web.content_hash,
        pages=len(web),
        hosts=len({host_of(url) for url in web.urls()}),
        links=len(graph.targets),
        relevant={name: len(labels.of(name)) for name in topics.wanted},
        words={name: topic.words for name, topic in topics.wanted.items()},
        unknown_labels=labels.unknown,
        settings=_settings(request, variants, encoder),
        versions={"Python": platform.python_version()}
        | {name: importlib.metadata.version(name) for name in packages},
        absent={name: topic.words for name, topic in topics.absent.items()},
        unlabelled=topics.unlabelled,
    )


def _settings(request: Request, variants: list[Variant], encoder: Encoder | None) -> dict[str, str]:
    examples = f"{request.examples} of either kind" if Protocol.EXAMPLES in request.protocols else "none"
    settings = {
        "budget": str(request.budget),
        "draws": str(request.draws),
        "protocols": ", ".join(request.protocols),
        "examples": examples,
        "seeds": str(request.seeding),
        "random seed": str(request.random_seed),
        "strategies": ", ".join(variant.label for variant in variants),
        "baseline": request.baseline or "the best other, and bfs",
        "labels": ", ".join(map(_named, request.labels)),
        "topics": ", ".join(map(_named, request.topics)),
        "encoder": encoder.name if encoder else "none",
    }
    if request.logs is not None and Protocol.LOG in request.protocols:
        settings["query logs"] = _named(request.logs)
    if request.absent is not None:
        settings["absent topics"] = _named(request.absent)
    if request.marks:
        settings["marks"] = ", ".join(map(str, request.marks))
        settings["right answers"] = ", ".join(f"{100 * right:g} %" for right in request.right)
    return settings


def _named(path: Path) -> str:
    """A file's name, and the digest of what it holds."""
    return f"{path.name} ({xxhash.xxh3_64_hexdigest(path.read_bytes())})"


def _digest_of_folder(folder: Path) -> str:
    hasher = xxhash.xxh3_128()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        hasher.update(file.name.encode())
        hasher.update(file.read_bytes())
    return hasher.hexdigest()
