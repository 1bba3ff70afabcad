"""The one place where names become strategies.

Built-in strategies are named here with their modules and imported only when used; other packages
add theirs through the entry point group `lagotto.strategies`.
"""

from __future__ import annotations

import inspect
from copy import deepcopy
from importlib import import_module
from importlib.metadata import entry_points
from math import isfinite
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lagotto.base.errors import InputError, UnknownName
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.topic import Topic

GROUP = "lagotto.strategies"
AnyStrategy = str | Strategy | type[Strategy]
"""How a strategy may be given: by its name, as an object, or as a class."""

BUILT_IN = {
    "scent": "lagotto.focus.strategies.scent:Scent",
    "bfs": "lagotto.focus.strategies.simple:BreadthFirst",
    "best-first": "lagotto.focus.strategies.simple:BestFirst",
    "static": "lagotto.focus.strategies.static:Static",
    "dynamic": "lagotto.focus.strategies.dynamic:Dynamic",
    "priority": "lagotto.focus.strategies.simple:Priority",
    "neural": "lagotto.focus.strategies.neural:Neural",
    "hybrid": "lagotto.focus.strategies.hybrid:Hybrid",
    "linkrank": "lagotto.focus.strategies.linkrank:LinkRank",
}


def names() -> list[str]:
    """Names of all strategies, built-in ones first."""
    return [*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP))]


def strategy_class(name: str) -> type[Strategy]:
    """The class behind a name."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found: type[Strategy] = getattr(import_module(module), attribute)
        return found
    for point in entry_points(group=GROUP):
        if point.name == name:
            loaded: type[Strategy] = point.load()
            return loaded
    raise UnknownName(f"there is no strategy '{name}'; there are: {', '.join(names())}")


def options_of(cls: type[Strategy]) -> dict[str, Any]:
    """The options a strategy takes, with their defaults."""
    parameters = list(inspect.signature(cls).parameters.values())
    return {p.name: p.default for p in parameters if p.name != "topic"}


def name_of(strategy: AnyStrategy) -> str:
    """Name of a strategy; one that is given as an object or a class must have a name of its own."""
    if isinstance(strategy, str):
        return strategy
    cls = strategy if isinstance(strategy, type) else type(strategy)
    if not issubclass(cls, Strategy):
        raise InputError(f"{cls.__name__} is no strategy; derive it from lagotto.Strategy, or give a name")
    name = getattr(cls, "name", "")
    if not name:
        raise InputError(f'the strategy {cls.__name__} has no name; write name = "..." in the class')
    if name in names() and strategy_class(name) is not cls:
        raise InputError(f"there is another strategy '{name}'; give {cls.__name__} a name of its own")
    return str(name)


def build_strategy(
    strategy: AnyStrategy, topic: Topic, options: dict[str, Any], random_seed: int = 0
) -> Strategy:
    """Make a strategy for a topic; one that draws at random has the seed, if its options say no other.

    An object is copied, so that a crawl does not change what it was given.
    """
    name = name_of(strategy)
    if isinstance(strategy, Strategy):
        if options:
            raise InputError(f"the strategy '{name}' is an object; give it its options when you make it")
        return deepcopy(strategy)
    cls = strategy_class(strategy) if isinstance(strategy, str) else strategy
    known = options_of(cls)
    if "seed" in known:
        options = {"seed": random_seed, **options}
    for option, value in options.items():
        if option not in known:
            takes = ", ".join(known) or "none"
            raise InputError(f"the strategy '{name}' has no option '{option}'; its options: {takes}")
        if not _fits(value, known[option]):
            kind = type(known[option]).__name__
            raise InputError(f"option '{option}' of '{name}' takes a {kind}, not {value!r}")
        if isinstance(value, float) and not isfinite(value):
            raise InputError(f"option '{option}' of '{name}' takes a number that is finite, not {value}")
        choices = _choices(cls, option)
        if choices and value not in choices:
            either = ", ".join(map(str, choices))
            raise InputError(f"option '{option}' of '{name}' is one of {either}, not {value!r}")
    return cls(topic, **options)  # type: ignore[call-arg]


def _fits(value: object, default: object) -> bool:
    if default is None or isinstance(value, type(default)):
        return True
    return isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool)


def _choices(cls: type[Strategy], option: str) -> tuple[object, ...]:
    """The values that an option may have, where its type lists them."""
    try:
        hint = get_type_hints(cls.__init__).get(option)
    except NameError:  # annotated with what only type checkers import
        return ()
    return get_args(hint) if get_origin(hint) is Literal else ()
