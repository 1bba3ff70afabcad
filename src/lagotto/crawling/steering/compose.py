"""Commands from what a user asks for; what makes no sense is refused before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from inspect import signature
from math import isfinite
from typing import Any

from lagotto.base.errors import InputError
from lagotto.base.options import Change
from lagotto.base.urls import canonical, host_of, seed_url
from lagotto.crawling.config import by_name, fields, from_values, public_values
from lagotto.crawling.frontier.scope import compile_pattern
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand
from lagotto.crawling.steering.effect import InEffect
from lagotto.focus.registry import strategy_class
from lagotto.focus.strategies.base import Strategy

_ENTRY = re.compile(
    r"""(?P<minus>-?)(?:"(?P<phrase>[^"]+)"|(?P<word>[^\s"=]+))(?:=(?P<weight>\S*))?(?:\s+|$)"""
)
_HINT = 'write words like this: solar=2 wind "heat pump"=0.5 -nuclear'


def parse_words(text: str) -> dict[str, float]:
    """Word or quoted phrase -> weight, 1 where none is given; a minus sign stands for 0, which removes it.

    >>> parse_words('solar=2 wind "heat pump"=0.5 -nuclear')
    {'solar': 2.0, 'wind': 1.0, 'heat pump': 0.5, 'nuclear': 0.0}
    """
    words: dict[str, float] = {}
    at, text = 0, text.strip()
    while at < len(text):
        entry = _ENTRY.match(text, at)
        if entry is None:
            raise InputError(f"'{text[at:]}' cannot be read as words; {_HINT}")
        at = entry.end()
        word = " ".join((entry["phrase"] or entry["word"]).split())
        words[word] = 0.0 if entry["minus"] else _weight(word, entry["weight"])
        if entry["minus"] and entry["weight"] is not None:
            raise InputError(f"a word that is removed has no weight; write -{word}")
    check_words(words)
    return words


def check_words(words: dict[str, float]) -> None:
    """Refuse weights that make no sense."""
    if not words:
        raise InputError(f"there is no word; {_HINT}")
    for word, weight in words.items():
        if not isfinite(weight) or weight < 0:
            raise InputError(f"the weight of '{word}' must be a number from 0 up, not {weight:g}")


def _weight(word: str, given: str | None) -> float:
    if given is None:
        return 1.0
    try:
        return float(given)
    except ValueError:
        raise InputError(f"the weight of '{word}' must be a number, not '{given}'; {_HINT}") from None


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
    options = by_name({name: value for name, value in changes.items() if name not in steered})
    if "seeds" in options:
        steered["add_seeds"] = [*steered.get("add_seeds", ()), *options.pop("seeds")]
    return compose(effect, options=options, **steered)


_STEERED = set(signature(compose).parameters) - {"effect", "options"}
"""Changes that are commands of their own."""


def set_options(values: Mapping[str, Any], effect: InEffect) -> commands.SetOptions:
    """The command that replaces options of the configuration in effect; it holds no passwords and keys."""
    for name, field in fields().items():
        if name in values and field.option.change == Change.NEVER:
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
