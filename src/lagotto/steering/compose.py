"""Commands from what a user asks for; what makes no sense is refused before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from lagotto.config import by_name, from_values, public_values
from lagotto.errors import InputError
from lagotto.frontier.scope import compile_pattern
from lagotto.registry import strategy_class
from lagotto.steering import commands
from lagotto.steering.commands import AnyCommand
from lagotto.steering.in_effect import InEffect
from lagotto.steering.words import check_words, parse_words
from lagotto.strategies.base import Strategy
from lagotto.urls import canonical, host_of, seed_url

FIXED = (
    "topic",
    "phrases",
    "language",
    "examples",
    "counter_examples",
    "query_log",
    "results",
    "saved_topic",
    "network",
    "strategy",
    "options",
    "random_seed",
    "seed_scores",
)
"""Options that a crawl keeps from its start to its end: what was learned depends on them."""
_STEERED = (
    "add_seeds",
    "exclude",
    "unexclude",
    "include",
    "uninclude",
    "block_hosts",
    "unblock_hosts",
    "boost_hosts",
    "limit_hosts",
    "words",
)
"""Changes that are commands of their own."""


def compose(
    effect: InEffect,
    *,
    options: Mapping[str, Any] | None = None,
    add_seeds: Iterable[str] = (),
    exclude: Iterable[str] = (),
    unexclude: Iterable[str] = (),
    include: Iterable[str] = (),
    uninclude: Iterable[str] = (),
    block_hosts: Iterable[str] = (),
    unblock_hosts: Iterable[str] = (),
    boost_hosts: Mapping[str, float] | None = None,
    limit_hosts: Mapping[str, int] | None = None,
    words: str | Mapping[str, float] = "",
) -> list[AnyCommand]:
    """Commands that change a crawl for which `effect` holds now; `options` are those of `Config`."""
    found: list[AnyCommand] = []
    if options:
        found.append(set_options(options, effect))
    if seeds := [seed_url(url) for url in add_seeds]:
        found.append(commands.AddSeeds(seeds))
    found += [commands.Exclude(check_pattern(pattern)) for pattern in exclude]
    found += [commands.Unexclude(_listed(pattern, effect.config.exclude, "exclude")) for pattern in unexclude]
    found += [commands.Include(check_pattern(pattern)) for pattern in include]
    found += [commands.Uninclude(_listed(pattern, effect.config.include, "include")) for pattern in uninclude]
    found += [commands.BlockHost(check_host(host)) for host in block_hosts]
    found += [
        commands.UnblockHost(_listed(check_host(host), sorted(effect.rules.blocked), "blocked host"))
        for host in unblock_hosts
    ]
    found += [_boost(host, amount) for host, amount in (boost_hosts or {}).items()]
    found += [_limit(host, pages) for host, pages in (limit_hosts or {}).items()]
    if words:
        found.append(edit_topic(words, effect.config.strategy))
    return found


def from_changes(effect: InEffect, changes: Mapping[str, Any]) -> list[AnyCommand]:
    """Commands from named changes: what `compose` takes, and options of `Config`; `seeds` are added."""
    steered = {name: value for name, value in changes.items() if name in _STEERED}
    options = by_name({name: value for name, value in changes.items() if name not in _STEERED})
    if "seeds" in options:
        steered["add_seeds"] = [*steered.get("add_seeds", ()), *options.pop("seeds")]
    return compose(effect, options=options, **steered)


def set_options(values: Mapping[str, Any], effect: InEffect) -> commands.SetOptions:
    """The command that replaces options of the configuration in effect; it holds no passwords and keys."""
    for name in values:
        if name in FIXED:
            spelled = name.replace("_", "-")
            raise InputError(
                f"{spelled} cannot be changed once a crawl has begun; start another, or give --words"
            )
    from_values(dict(values), effect.config).check()
    return commands.SetOptions(public_values(values))


def edit_topic(words: str | Mapping[str, float], strategy: str) -> commands.EditTopic:
    """The command that changes words, typed as `solar=2 -nuclear` or given as word -> weight."""
    if strategy_class(strategy).edit is Strategy.edit:
        raise InputError(f"strategy '{strategy}' has no words that could be changed")
    if isinstance(words, str):
        return commands.EditTopic(parse_words(words))
    check_words(dict(words))
    return commands.EditTopic(dict(words))


def check_pattern(pattern: str) -> str:
    """A regular expression that can be compiled."""
    compile_pattern(pattern)
    return pattern


def check_host(text: str) -> str:
    """A host with its port, as politeness sees it: `example.org` or `example.org:8080`.

    >>> check_host("Example.ORG:80")
    'example.org'
    """
    typed = text.strip()
    url = None if set(typed) & set("/?#@\\ ") or not typed else canonical(f"http://{typed}/")
    if url is None:
        raise InputError(f"'{text}' is not a host; write it like example.org or example.org:8080")
    return host_of(url).removesuffix(":443")


def host_with_number(text: str, kind: type[int] | type[float]) -> tuple[str, Any]:
    """`example.org=2` as host and number."""
    host, equals, number = text.rpartition("=")
    try:
        value = kind(number)
    except ValueError:
        equals = ""
    if not equals:
        wanted = "a whole number" if kind is int else "a number"
        raise InputError(f"'{text}' must be written HOST=NUMBER, with {wanted}")
    return host, value


def _boost(host: str, amount: float) -> commands.BoostHost:
    if not isfinite(amount):
        raise InputError(f"a host cannot be boosted by {amount}; give a number such as 2 or -1")
    return commands.BoostHost(check_host(host), float(amount))


def _limit(host: str, pages: int) -> commands.LimitHost:
    if pages < 0:
        raise InputError(f"a host cannot be limited to {pages} pages; give a number from 0 up (0: no limit)")
    return commands.LimitHost(check_host(host), pages)


def _listed(value: str, listed: list[str], what: str) -> str:
    """The value, if it is in effect now and can be taken back."""
    if value in listed:
        return value
    there_is = f"in effect: {', '.join(listed)}" if listed else "none is in effect"
    raise InputError(f"there is no {what} '{value}' to take back; {there_is}")
