"""Tasks: one run each, as it is sent to a process of the lab.

A task is all that reaches the process in which a strategy runs. It holds what a user would give (words,
seeds, example pages, a query log, search results) and no label. Only the oracle's task holds the truth, and
it runs in processes of its own. A run with a simulated teacher asks the process that has the labels about
single pages.
"""

from __future__ import annotations

from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import xxhash
from msgspec import Struct

from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.registry import BUILT_IN, build_strategy, strategy_class
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.topic import Document, Topic
from lagotto.lab.experiments.bounds import Indegree, Oracle, Random
from lagotto.lab.experiments.draws import GrowingLog
from lagotto.lab.experiments.one_run import Extras, Replayed, replay
from lagotto.lab.experiments.replay import Analysis, read_page
from lagotto.lab.experiments.teacher import Address, answers_from, connect
from lagotto.lab.webs.analysis import class_hash, source_hash
from lagotto.lab.webs.web import FrozenWeb

RANDOM, INDEGREE, ORACLE = "random", "indegree", "oracle"
BOUNDS = (RANDOM, "bfs", INDEGREE, ORACLE)
"""What every comparison has."""

_encoder = msgspec.json.Encoder(order="deterministic")


class Task(Struct, frozen=True, kw_only=True):
    """One run, defined in full."""

    pages: str
    """Content hash of the analysed web."""
    strategy: str
    options: dict[str, Any] = {}
    words: str
    language: str = "en"
    seeds: tuple[str, ...]
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """Query log, which grows as the crawl goes on."""
    results: tuple[str, ...] = ()
    """Title and snippet of search results."""
    budget: int
    """Pages to fetch in all."""
    random_seed: int = 0
    truth: tuple[str, ...] = ()
    """The relevant pages, sorted: for the oracle alone."""
    marks: int = 0
    """Pages that a simulated teacher is asked about."""
    right: float = 1.0
    """Share of its answers that are right."""
    answers: str = ""
    """Digest of the labels by which it answers."""
    encoder: str = ""
    """Digest of the sentence encoder that judges all pages a second time; empty without one."""
    encode: bool = False
    """Whether the strategy reads with the encoder while it crawls."""

    def __post_init__(self) -> None:
        if self.truth and self.strategy != ORACLE:
            raise ValueError("only the oracle may know the truth")

    @property
    def key(self) -> str:
        """Digest of the task and of the code that runs it."""
        code = source_hash(
            *("base", "focus", "store", "crawling", "lab.experiments"),
        )
        return xxhash.xxh3_128_hexdigest(f"{code}{_own_code(self.strategy)}".encode() + _encoder.encode(self))


@cache
def _own_code(strategy: str) -> str:
    """Digest of what a strategy of another package is made of; empty for those that come with Lagotto."""
    if strategy in BUILT_IN or strategy in (RANDOM, INDEGREE, ORACLE):
        return ""
    return class_hash(strategy_class(strategy))


def strategy_of(task: Task, analysis: Analysis, query_log: Path | None = None) -> Strategy:
    """The strategy that a task names, with all that it may know."""
    if task.strategy == ORACLE:
        return Oracle(frozenset(task.truth))
    if task.strategy == RANDOM:
        return Random(task.random_seed)
    if task.strategy == INDEGREE:
        return Indegree()
    topic = Topic(
        task.words,
        language=task.language,
        relevant=[Document.from_page(read_page(analysis, url)) for url in task.examples],
        irrelevant=[Document.from_page(read_page(analysis, url)) for url in task.counter_examples],
        query_log=query_log,
        results=task.results,
    )
    return build_strategy(task.strategy, topic, task.options, task.random_seed)


class Tools(Struct, frozen=True):
    """What a process needs besides tasks."""

    analyses: list[Path]
    """The analysed webs."""
    encoder: Path | None = None
    """Folder of the sentence encoder."""
    desk: Address | None = None
    """Where a simulated teacher answers."""


_analyses: dict[str, FrozenWeb] = {}
_desks: list[Connection] = []
_encoders: list[Encoder] = []


def prepare(tools: Tools) -> None:
    """Prepare this process for tasks."""
    for path in tools.analyses:
        analysis = FrozenWeb.open(path)
        _analyses[analysis.content_hash] = analysis
    if tools.encoder is not None:
        _encoders.append(Encoder(tools.encoder))
    if tools.desk is not None:
        _desks.append(connect(tools.desk))


def run_task(task: Task, key: str) -> Replayed:
    """Run a task in this process; the desk knows it under the key."""
    analysis = _analyses[task.pages]
    extras = Extras(
        topic=Topic(task.words, language=task.language),
        encoder=_encoders[-1] if task.encoder else None,
        encode=task.encode,
        marks=task.marks,
        answer=answers_from(_desks[-1], key) if task.marks else None,
        random_seed=task.random_seed,
    )
    if not task.queries:
        return replay(strategy_of(task, analysis), analysis, task.seeds, task.budget, extras=extras)
    with TemporaryDirectory() as folder:
        log = GrowingLog(task.queries, Path(folder) / "queries.txt", task.budget)
        strategy = strategy_of(task, analysis, log.path)
        return replay(strategy, analysis, task.seeds, task.budget, fetched=log.fetched, extras=extras)
