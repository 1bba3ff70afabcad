"""The command line: one small module a group of commands, loaded when it is called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from lagotto.errors import LagottoError

COMMANDS = {
    "demo": "lagotto.cli.demo",
    "crawl": "lagotto.cli.crawl",
    "resume": "lagotto.cli.crawl",
    "status": "lagotto.cli.look",
    "explain": "lagotto.cli.explain",
    "export": "lagotto.cli.export",
    "doctor": "lagotto.cli.look",
    "strategies": "lagotto.cli.strategies",
}


class LazyGroup(click.Group):
    """Imports a command's module only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lagotto")
def lagotto() -> None:
    """Lagotto finds the pages on a topic and few others."""


def main() -> None:
    """Entry point: errors meant for people become one sentence and exit code 2."""
    try:
        lagotto.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except LagottoError as error:
        click.echo(f"lagotto: {printable(str(error))}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def printable(text: str) -> str:
    """Text from the web without what could drive a terminal: control characters are shown escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
