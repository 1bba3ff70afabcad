"""The command line: one small module a group of commands, loaded when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from lagotto.base.errors import LagottoError
from lagotto.crawling.secrets import without_passwords

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

COMMANDS = {
    "demo": ("lagotto.cli.demo", "Crawl a small web made on the spot, with and without a focus."),
    "crawl": ("lagotto.cli.crawl", "Crawl for the pages on a topic."),
    "worker": ("lagotto.cli.crawl", "Work on a crawl that many workers share."),
    "resume": ("lagotto.cli.crawl", "Go on with a crawl where it stopped."),
    "revisit": ("lagotto.cli.keep", "Visit the pages of a crawl again, and keep what changed."),
    "merge": ("lagotto.cli.keep", "Make one crawl of two."),
    "diff": ("lagotto.cli.keep", "Show what changed on a page between two visits."),
    "status": ("lagotto.cli.look", "Say how a crawl stands, also while it runs."),
    "explain": ("lagotto.cli.look", "Tell how a URL was found, scored and judged."),
    "pause": ("lagotto.cli.steer", "Send no more requests until `unpause`."),
    "unpause": ("lagotto.cli.steer", "Go on after `pause`."),
    "stop": ("lagotto.cli.steer", "End the process that runs a crawl."),
    "steer": ("lagotto.cli.steer", "Change a crawl: budget, politeness, seeds, scope, hosts, words."),
    "feedback": ("lagotto.cli.teach", "Say of a page whether it is on topic."),
    "ask": ("lagotto.cli.teach", "Ask about the pages that teach most, one key each."),
    "judge": ("lagotto.cli.teach", "Judge all pages of a crawl again by what is known now."),
    "export": ("lagotto.cli.deliver", "Write the pages of a crawl in another format."),
    "serve": ("lagotto.cli.serve", "Show crawls in the browser, and to programs."),
    "report": ("lagotto.cli.deliver", "Write what a crawl was asked and what it found to one HTML page."),
    "subtopics": ("lagotto.cli.find", "Sort the pages on topic into groups with names."),
    "search": ("lagotto.cli.find", "Search the pages of a crawl."),
    "mcp": ("lagotto.cli.serve", "Offer crawls to agents by the Model Context Protocol."),
    "migrate": ("lagotto.cli.keep", "Bring a crawl of an older format up to date."),
    "doctor": ("lagotto.cli.look", "Check a crawl directory for damage."),
    "seeds": ("lagotto.cli.seeds", "Ask search engines for URLs to start from."),
    "topic": ("lagotto.cli.topic", "Build, show and list topics."),
    "train": ("lagotto.cli.train", "Train a network on example pages."),
    "strategies": ("lagotto.cli.look", "List the strategies and their options."),
    "lab": ("lagotto.cli.lab", "Freeze webs, serve them, compare strategies on them."),
}
"""Command -> its module, and what it does: `--help` must not import them all."""


class LazyGroup(click.Group):
    """Imports a command's module only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lagotto")
def lagotto() -> None:
    """Lagotto finds the pages on a topic and few others."""


def main() -> None:
    """Entry point: errors meant for people become one sentence and exit code 2."""
    try:
        code = lagotto.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except LagottoError as error:
        click.echo(f"lagotto: {printable(str(error))}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"lagotto: {printable(f'{place}{error.strerror or error}')}", err=True)
        sys.exit(2)
    # A command that ends early with a code of its own returns it.
    sys.exit(code if isinstance(code, int) else 0)


def printable(text: str) -> str:
    """Text without passwords and what could drive a terminal: control characters are shown escaped."""
    hidden = without_passwords(text)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in hidden)


def counted(count: int, thing: str) -> str:
    """A number of things, in words.

    >>> counted(1, "page"), counted(1200, "page")
    ('1 page', '1200 pages')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar on standard error that vanishes when the work is done; nothing is shown without a terminal."""
    from rich.console import Console  # Only for commands that show one.
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
