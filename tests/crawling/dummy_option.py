"""A program with one more option than Lagotto has, which says where that option can be found.

It declares the option before anything that reads declarations is imported, as a change of `Config` would, and
prints what each place makes of it as a JSON object.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec

from lagotto.base.errors import InputError
from lagotto.base.options import Change, Option
from lagotto.crawling import config as configuration

PROJECT = Path(__file__).parents[2]
CHANGE, HTTP, SECRET = Change(sys.argv[1]), sys.argv[2] == "http", sys.argv[3] == "secret"


OPTION = Option(
    "Thing that was just thought of",
    "Budget",
    CHANGE,
    http=HTTP,
    secret=SECRET,
    hide=(lambda _: "${LAGOTTO_KEY}") if SECRET else None,
    limit=not SECRET,
    form="advanced",
    revisit=True,
    metavar="FILE",
    least=None if SECRET else 0,
    most=None if SECRET else 10,
)
FIELD = ("key_file", Annotated[str, OPTION], "") if SECRET else ("key_file", Annotated[int, OPTION], 0)
Wider = msgspec.defstruct(
    "Wider", [FIELD], bases=(configuration.Config,), kw_only=True, forbid_unknown_fields=True
)
setattr(configuration, "Config", Wider)  # noqa: B010
configuration.fields.cache_clear()


def refusal(ask: Any, *arguments: Any, **named: Any) -> str:
    """What is said against it; empty if nothing is."""
    try:
        ask(*arguments, **named)
    except (InputError, NotImplementedError, msgspec.ValidationError) as error:
        return str(error)
    return ""


def help_of(name: str) -> str:
    """What `--help` of a command says."""
    import click

    from lagotto.cli import lagotto

    context = click.Context(lagotto)
    command = lagotto.get_command(context, name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=name))


async def resumed(value: Any) -> Any:
    """The value in effect when a crawl is resumed with another one, or why it cannot be."""
    from lagotto.crawling.session import Crawl
    from tests.crawling.test_crawl import html
    from tests.site import Site

    async with Site({"/": html("birds")}) as site:
        folder, seeds = Path("crawl"), [f"http://{site.hosts[0]}/"]
        config = configuration.from_values(
            {"topic": "birds", "seeds": seeds, "delay": 0, "allow_private": ["127.0.0.0/8"], "parsers": 1}
        )
        async with Crawl(config, folder) as crawl:
            await crawl.run()
        try:
            async with Crawl.resume(folder, key_file=value) as crawl:
                return crawl.config.key_file  # type: ignore[attr-defined]
        except NotImplementedError as error:
            return str(error)


def main() -> None:
    """Look everywhere."""
    import runpy

    from lagotto.crawling.revisit.session import _checked
    from lagotto.crawling.steering.apply import change_at_once
    from lagotto.crawling.steering.compose import compose
    from lagotto.crawling.steering.effect import InEffect
    from lagotto.serve.permissions import Permissions
    from lagotto.serve.web.start import list_options
    from lagotto.serve.web.steering import Changes

    value: Any = "key" if SECRET else 3
    config = configuration.from_values({"key_file": value})
    page = runpy.run_path(str(PROJECT / "scripts" / "option_docs.py"))["page"]()
    rows = {row.name: row for row in cast(Any, list_options.fn)()}
    found = {
        "toml": configuration.encode(config).decode(),
        "docs": next((line for line in page.splitlines() if line.startswith("| `key_file`")), ""),
        "crawl": "--key-file FILE" in help_of("crawl"),
        "resume": "--key-file FILE" in help_of("resume"),
        "steer": "--key-file FILE" in help_of("steer"),
        "steered": refusal(compose, InEffect(config), options={"key_file": value}),
        "taken": refusal(change_at_once, _Worker(), config, "key_file"),
        "secret": configuration.secrets_in({"key_file": value, "add_seeds": []}),
        "revisit": refusal(_checked, {"key_file": value}),
        "limits": configuration.limits_of(config).get("key_file"),
        "http": refusal(Permissions().checked, {"key_file": value}),
        "too_much": refusal(Permissions().checked, {"key_file": 11}),
        "schema": "key_file" in Changes.__struct_fields__,
        "dashboard": rows["key_file"],
        "resumed": "" if CHANGE == Change.NEVER else asyncio.run(resumed(value)),
    }
    sys.stdout.buffer.write(msgspec.json.encode(found))


class _Worker:
    """Takes every value that is set on it."""

    def __getattr__(self, name: str) -> Any:
        return self


if __name__ == "__main__":
    main()
