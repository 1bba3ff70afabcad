"""Planning a comparison: which strategies run on which topics, from where, and what each run is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
import xxhash
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.draws import Draw, Drawing, TopicLog
from lagotto.lab.experiments.request import Protocol, Request, Variant
from lagotto.lab.experiments.results import RunKey
from lagotto.lab.experiments.tasks import INDEGREE, ORACLE, RANDOM, Task
from lagotto.lab.experiments.teacher import SimulatedTeacher
from lagotto.lab.experiments.truth import Labels, LabTopic
from lagotto.lab.webs.web import FrozenWeb

BLIND = (RANDOM, INDEGREE, ORACLE)
"""Bounds that judge no page."""


class Topics(Struct, frozen=True):
    """The topics of a comparison."""

    wanted: dict[str, LabTopic]
    absent: dict[str, LabTopic]
    """Topics that the web does not have."""
    unlabelled: tuple[str, ...]
    """Those of them that were given as ordinary topics, but no page has their label."""

    @property
    def every(self) -> dict[str, LabTopic]:
        """All of them."""
        return {**self.wanted, **self.absent}


def sort_topics(given: dict[str, LabTopic], absent: dict[str, LabTopic], labels: Labels) -> Topics:
    """Tell topics that the web has from those that it does not have."""
    for name in absent:
        if labels.pages.get(name):
            raise InputError(
                f"pages are labelled '{name}', so the web has that topic; leave it out of --absent"
            )
    unlabelled = tuple(name for name in given if not labels.pages.get(name))
    if len(unlabelled) == len(given):
        labels.of(unlabelled[0])  # Raises.
    wanted = {name: topic for name, topic in given.items() if name not in unlabelled}
    return Topics(wanted, {**{name: given[name] for name in unlabelled}, **absent}, unlabelled)


class Planned(Struct, frozen=True):
    """A run to be made, and by what it is judged."""

    key: RunKey
    draw: Draw
    task: Task
    relevant: frozenset[str]

    @property
    def teacher(self) -> SimulatedTeacher:
        """Who answers the questions of the run."""
        task = self.task
        return SimulatedTeacher(self.relevant, task.marks, task.right, task.random_seed)


class Planning:
    """Plans the runs of one request."""

    def __init__(
        self,
        request: Request,
        topics: Topics,
        labels: Labels,
        logs: Mapping[str, TopicLog],
        analyses: Mapping[tuple[str, ...], FrozenWeb],
        encoder: str = "",
    ) -> None:
        """`analyses` has the analysed web for each set of phrases; `encoder` is the encoder's digest."""
        self.request = request
        self.topics = topics
        self.labels = labels
        self.logs = logs
        self.analyses = analyses
        self.encoder = encoder

    def plan(self, drawing: Drawing, variants: Iterable[Variant]) -> Iterator[Planned]:
        """All runs: every strategy from the same starts, and those with a teacher as well."""
        found = list(variants)
        if self.request.marks and not any(variant.learns_marks for variant in found):
            raise InputError("none of the strategies learns from marks; compare scent, or leave out --marks")
        for protocol in self.request.protocols:
            for name in self.topics.wanted:
                yield from self._of_topic(drawing, protocol, name, found)
        for name in self.topics.absent:
            judging = [variant for variant in found if variant.strategy not in BLIND]
            yield from self._of_topic(drawing, Protocol.WORDS, name, judging)

    def _of_topic(
        self, drawing: Drawing, protocol: Protocol, name: str, variants: list[Variant]
    ) -> Iterator[Planned]:
        request, topic = self.request, self.topics.every[name]
        relevant = self.labels.pages.get(name, frozenset())
        examples = request.examples if protocol == Protocol.EXAMPLES else 0
        for number in range(request.draws):
            draw = drawing.draw(name, topic, relevant, number, request.seeding, examples)
            if protocol == Protocol.LOG:
                draw = msgspec.structs.replace(draw, queried=tuple(self.logs[name].pages))
            for variant in variants:
                key = RunKey(protocol, variant.label, name, number)
                task = self._task(key, draw, variant, relevant)
                yield Planned(key, draw, task, relevant)
                if variant.learns_marks and relevant:
                    yield from self._taught(key, draw, task, relevant)

    def _taught(self, key: RunKey, draw: Draw, task: Task, relevant: frozenset[str]) -> Iterator[Planned]:
        """The same run with a teacher, for each number of marks and share of right answers."""
        answers = xxhash.xxh3_128_hexdigest("\n".join(sorted(relevant)).encode())
        for marks in self.request.marks:
            for right in self.request.right:
                taught = msgspec.structs.replace(task, marks=marks, right=right, answers=answers)
                yield Planned(key._replace(marks=marks, right=right), draw, taught, relevant)

    def _task(self, key: RunKey, draw: Draw, variant: Variant, relevant: frozenset[str]) -> Task:
        request, topic = self.request, self.topics.every[key.topic]
        log = self.logs[key.topic] if key.protocol == Protocol.LOG else TopicLog([])
        truth = relevant - draw.given if variant.strategy == ORACLE else ()
        return Task(
            pages=self.analyses[Topic(topic.words, language=topic.language).phrases].content_hash,
            strategy=variant.strategy,
            options=variant.options,
            words=topic.words,
            language=topic.language,
            seeds=draw.seeds,
            examples=draw.examples,
            counter_examples=draw.counter_examples,
            queries=tuple(log.queries),
            results=tuple(f"{hit.title}\n{hit.content}" for hit in log.results),
            # Given pages do not count, so there must be room for all of them.
            budget=request.budget + len(draw.given),
            random_seed=request.random_seed + key.draw,
            truth=tuple(sorted(truth)),
            encoder=self.encoder if variant.judges_harvests else "",
            encode=variant.encode,
        )
