"""Strategies of a comparison: a name, and options that differ from the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from lagotto.errors import InputError
from lagotto.lab.experiments.tasks import BOUNDS, INDEGREE, ORACLE, RANDOM
from lagotto.registry import build_strategy, names
from lagotto.topic import Topic

_NOT_REGISTERED = (RANDOM, INDEGREE, ORACLE)
PRESETS = {"earlier-focused": "hybrid:priority_queue=false:content_seen=false:expand=false"}
"""Names for variants that a paper compares with: the middle column in the paper of `hybrid`."""


class Variant(Struct, frozen=True):
    """A strategy with options, under the label that the report gives it."""

    label: str
    strategy: str
    options: dict[str, Any] = {}


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


def read_variants(texts: Iterable[str]) -> list[Variant]:
    """The strategies to compare (all registered ones if none is named), and the bounds."""
    given = [text for text in texts if text.strip()] or names()
    variants = {variant.label: variant for variant in map(read_variant, [*BOUNDS, *given])}
    return list(variants.values())
