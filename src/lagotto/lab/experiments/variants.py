"""Strategies of a comparison: a name, and options that differ from the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct, structs

from lagotto.errors import InputError
from lagotto.lab.experiments.tasks import BOUNDS, INDEGREE, ORACLE, RANDOM
from lagotto.registry import build_strategy, names, strategy_class
from lagotto.strategies.base import Strategy
from lagotto.topic import Topic

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
