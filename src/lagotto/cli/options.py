"""Options of commands, made from what `Config` declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from lagotto.base.options import Field
from lagotto.crawling.config import fields

Decorator = Callable[..., Any]


def config_options(*groups: str, defaults: bool = True) -> list[Decorator]:
    """Options of the named groups, in the order of their declaration; their help may tell the defaults."""
    return [
        _option(field, help_text(field) if defaults else f"{field.option.help}.")
        for group in groups
        for field in fields().values()
        if field.option.group == group and field.spellings
    ]


def with_options(*options: Decorator) -> Decorator:
    """A decorator that gives a command all these options, in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _option(field: Field, help: str) -> Decorator:
    """An option without a default: what is not given is left to the configuration file."""
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
