"""Options of commands, made from what `Config` declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from lagotto.base.options import Field, Option
from lagotto.crawling.config import fields

Decorator = Callable[..., Any]


DIRECTORY = click.argument("directory")
WORDS = click.option("--words", help='Words with weights: solar=2 wind "heat pump"=0.5 -nuclear (removed).')
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")


def config_options(after: Mapping[str, Sequence[Decorator]]) -> list[Decorator]:
    """Options that start a crawl, in the order of their declaration; `after` a group come others."""
    found: list[Decorator] = []
    for group, members in groupby(fields().values(), key=lambda field: field.option.group):
        found += [_option(field, help_text(field)) for field in members]
        found += after.get(group, ())
    return found


def change_options(wanted: Callable[[Option], bool]) -> list[Decorator]:
    """Options for a crawl that has begun: those whose declaration is wanted, in its order."""
    return [
        _option(field, f"{field.option.help}{f'; 0: {field.option.zero}' if field.option.zero else ''}.")
        for field in fields().values()
        if wanted(field.option)
    ]


def with_options(*options: Decorator) -> Decorator:
    """A decorator that gives a command all these options, in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the user gave on the command line."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in options.items()
        if value not in (None, ())
    }


def _option(field: Field, help: str) -> Decorator:
    """An option without a default: what is not given is left to the configuration file."""
    if not field.spellings:
        return lambda command: command
    return click.option(
        field.spellings,
        field.name,
        type=_type(field),
        default=None,
        multiple=field.many or field.kind == dict[str, Any],
        metavar=field.option.metavar or None,
        help=help,
    )


def help_text(field: Field) -> str:
    """What it does, with its default."""
    return f"{field.option.help}{f' (default: {field.default})' if field.default else ''}."


def _type(field: Field) -> Any:
    """What click makes of the words on the command line; None for a pair such as `--robots/--no-robots`."""
    if field.choices:
        return click.Choice(field.choices)
    if field.kind is bool:
        return None
    if field.kind in (int, float):
        return field.kind
    return float if "float" in str(field.kind) and not field.many else str
