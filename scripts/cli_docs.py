"""Write docs/cli.md from the command line itself: `.venv/bin/python scripts/cli_docs.py`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
HEAD = """# The command line

Made from the commands themselves by `scripts/cli_docs.py`. Every command answers `--help`; wrong input gets
one sentence and exit code 2, a crawl that ends early exit code 3; all of them are listed
[here](troubleshooting.md#exit-codes).
"""


def sections(words: tuple[str, ...], command: click.Command) -> Iterator[str]:
    """A command's section, then those of its subcommands."""
    context = click.Context(command, info_name=" ".join(words))
    usage = " ".join(command.collect_usage_pieces(context))
    text = [f"## `{' '.join(words)}`", cleandoc(command.help or ""), f"```\n{' '.join(words)} {usage}\n```"]
    rows = [option_row(option) for option in command.params if isinstance(option, click.Option)]
    if rows:
        text.append("| option | meaning |\n|---|---|\n" + "\n".join(rows))
    yield "\n\n".join(part for part in text if part)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from sections((*words, name), child)


def option_row(option: click.Option) -> str:
    """One line of a table; alternatives such as on and off are shown side by side."""
    spellings = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    kind = "" if option.is_flag else f" {option.make_metavar(click.Context(click.Command('x')))}"
    meaning = (option.help or "").replace("|", "\\|")
    shown = option.show_default and option.default not in (None, ())
    default = f" Default: {option.default}." if shown else ""
    return f"| {spellings}{kind.replace('|', ' or ')} | {meaning}{default} |"


def page() -> str:
    """The whole page."""
    group = importlib.import_module("lagotto.cli").lagotto
    return "\n\n".join([HEAD.strip(), *sections(("lagotto",), group)]) + "\n"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
