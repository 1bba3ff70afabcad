"""What is asked of a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from lagotto.base.errors import InputError
from lagotto.focus.registry import build_strategy, names, strategy_class
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.draws import Seeding
from lagotto.lab.experiments.tasks import BOUNDS, INDEGREE, ORACLE, RANDOM

_NOT_REGISTERED = (RANDOM, INDEGREE, ORACLE)
READING = "+ encoder"
"""What the label of a strategy says that reads with an encoder while it crawls."""
PRESETS = {"earlier-focused": "hybrid:priority_queue=false:content_seen=false:expand=false"}
"""Names for variants that a paper compares with: the middle column in the paper of `hybrid`."""


class Variant(Struct, frozen=True):
    """A strategy with options, under the label that the report gives it."""

    label: str
    strategy: str
    options: dict[str, Any] = {}
    encode: bool = False
    """Whether it reads with a sentence encoder while it crawls."""

    @property
    def learns_marks(self) -> bool:
        """Whether it learns from what a user says of single pages."""
        return self._does("feedback")

    @property
    def judges_harvests(self) -> bool:
        """Whether it judges all pages together again, for which it can use a sentence encoder."""
        return self._does("rejudge")

    @property
    def reads_with_encoder(self) -> bool:
        """Whether it can read with a sentence encoder while it crawls."""
        return self._does("use_encoder")

    def _does(self, method: str) -> bool:
        if self.strategy in _NOT_REGISTERED:
            return False
        return getattr(strategy_class(self.strategy), method) is not getattr(Strategy, method)


def read_variant(text: str) -> Variant:
    """Read a name with options after colons.

    >>> read_variant("hybrid:size=100:expand=false").options
    {'size': 100, 'expand': False}
    """
    label = text.strip()
    name, colon, more = label.partition(":")
    name, *pairs = (PRESETS.get(name, name) + colon + more).split(":")
    options: dict[str, Any] = {}
    for pair in pairs:
        option, sign, value = pair.partition("=")
        if not sign:
            raise InputError(f"'{pair}' in '{text}' is no option; write it like {name}:option=value")
        try:
            options[option.strip()] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[option.strip()] = value
    if name not in _NOT_REGISTERED:
        # Built once here, so that a wrong name or option is reported before anything runs.
        build_strategy(name, Topic("truffles"), options)
    elif options:
        raise InputError(f"the bound '{name}' has no options")
    return Variant(label, name, options)


def read_variants(texts: Iterable[str], *, encode: bool = False) -> list[Variant]:
    """The strategies to compare (all registered ones if none is named), and the bounds.

    With `encode` those that can read with a sentence encoder are there a second time, reading with it.
    """
    given = [text for text in texts if text.strip()] or names()
    variants = {variant.label: variant for variant in map(read_variant, [*BOUNDS, *given])}
    reading = [variant for variant in variants.values() if encode and variant.reads_with_encoder]
    for variant in reading:
        label = f"{variant.label} {READING}"
        variants[label] = structs.replace(variant, label=label, encode=True)
    if encode and not reading:
        raise InputError("none of the strategies reads with an encoder while it crawls; compare scent")
    return list(variants.values())


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
    labels: tuple[Path, ...]
    topics: tuple[Path, ...]
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
    absent: Path | None = None
    """Topics that the web does not have."""
    marks: tuple[int, ...] = ()
    """Numbers of pages that a simulated teacher is asked about, each in runs of its own."""
    right: tuple[float, ...] = (1.0,)
    """Shares of the teacher's answers that are right."""
    encoder: str = "none"
    """Sentence encoder that judges all pages a second time: a folder, auto or none."""
    encode: bool = False
    """Whether strategies that can read with the encoder while they crawl are compared reading as well."""
    random_seed: int = 0
    baseline: str = ""
    jobs: int = 0
    runs: Path | None = None
    """Folder in which finished runs are kept, which comparisons may share; `runs` in the output if None."""

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
        if any(marks < 1 for marks in self.marks):
            raise InputError("--marks must be at least 1")
        if not self.right or not all(0.0 <= right <= 1.0 for right in self.right):
            raise InputError("--right must be from 0 to 1")
        if self.encode and self.encoder == "none":
            raise InputError("--encode always needs an encoder; name one with --encoder auto or a folder")
