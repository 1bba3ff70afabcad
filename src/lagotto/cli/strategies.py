"""`lagotto strategies`."""

from __future__ import annotations

import click

from lagotto import registry


@click.command()
@click.option("--options/--no-options", "with_options", default=False, help="Show their options as well.")
def strategies(with_options: bool) -> None:
    """List the strategies, with their options if wanted."""
    for name in registry.names():
        cls = registry.strategy_class(name)
        click.echo(f"{name:<12} {cls.summary}")
        if with_options:
            for option, default in registry.options_of(cls).items():
                meaning = cls.meanings.get(option, "")
                click.echo(f"             {option} = {default!r}{f'  ({meaning})' if meaning else ''}")
