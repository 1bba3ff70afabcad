"""`lagotto pause`, `unpause`, `stop` and `steer`: commands to a crawl, running or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from lagotto import api as calls
from lagotto.base.errors import InputError
from lagotto.base.options import Change
from lagotto.base.views import Matching, TakenCommand
from lagotto.cli import printable
from lagotto.cli.options import DIRECTORY, WORDS, change_options, given, with_options
from lagotto.crawling.steering.commands import answer
from lagotto.crawling.steering.compose import host_with_number


@click.command()
@DIRECTORY
def pause(directory: str) -> None:
    """Have the crawl in DIRECTORY send no more requests until `lagotto unpause`.

    Requests under way are finished. A paused crawl stays paused when it is killed and resumed, and the time
    does not count for --max-time.
    """
    say([calls.pause(directory)])


@click.command()
@DIRECTORY
def unpause(directory: str) -> None:
    """Let the crawl in DIRECTORY go on after `lagotto pause`."""
    say([calls.unpause(directory)])


@click.command()
@DIRECTORY
def stop(directory: str) -> None:
    """End the process that runs the crawl in DIRECTORY, as Ctrl-C would; `lagotto resume` goes on."""
    say([calls.stop(directory)])


@click.command()
@DIRECTORY
@with_options(*change_options(lambda option: option.change == Change.AT_ONCE))
@click.option("--add-seed", "add_seeds", multiple=True, metavar="URL", help="Fetch this URL before any link.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Set aside URLs that match this.")
@click.option("--unexclude", multiple=True, metavar="REGEX", help="Take back an exclude pattern.")
@click.option("--include", multiple=True, metavar="REGEX", help="Set aside URLs that match no such pattern.")
@click.option("--uninclude", multiple=True, metavar="REGEX", help="Take back an include pattern.")
@click.option("--preview", is_flag=True, help="Only show which queued URLs the patterns would set aside.")
@click.option("--block-host", "block_hosts", multiple=True, metavar="HOST", help="Ask this host no more.")
@click.option("--unblock-host", "unblock_hosts", multiple=True, metavar="HOST", help="Ask it again.")
@click.option(
    "--boost-host",
    "boost_hosts",
    multiple=True,
    metavar="HOST=AMOUNT",
    help="Add this to its link scores when hosts are compared; 0: no longer.",
)
@click.option(
    "--limit-host",
    "limit_hosts",
    multiple=True,
    metavar="HOST=PAGES",
    help="Fetch at most so many of its pages; 0: no longer.",
)
@WORDS
def steer(directory: str, preview: bool, **options: Any) -> None:
    """Change the crawl in DIRECTORY: budget, politeness, seeds, scope, hosts, words of the topic.

    A crawl that runs takes it up at once; a stopped one is opened, changed and closed.
    """
    asked = given(options)
    for name, kind in (("boost_hosts", float), ("limit_hosts", int)):
        if name in asked:
            asked[name] = dict(host_with_number(text, kind) for text in asked[name])
    if not asked:
        raise InputError("there is nothing to change; `lagotto steer --help` lists what can be")
    if preview:
        show_preview(calls.preview(directory, **_only_patterns(asked)))
    else:
        say(calls.steer(directory, **asked))


def say(taken: Iterable[TakenCommand]) -> None:
    """One line for each command; a command that was not applied is an error."""
    refused = []
    for each in taken:
        click.echo(printable(answer(each)), err=each.taken_at is not None and not each.applied)
        if each.taken_at is not None and not each.applied:
            refused.append(each)
    if refused:
        click.get_current_context().exit(2)


def show_preview(found: Matching) -> None:
    """Which queued links would be set aside."""
    click.echo(f"{found.count} queued links would be set aside; nothing is changed yet")
    for link in found.examples:
        click.echo(printable(f"  {link.score:.3f}  {link.url}"))
    if found.count > len(found.examples):
        click.echo(f"  and {found.count - len(found.examples)} more")


def _only_patterns(asked: dict[str, Any]) -> dict[str, Any]:
    if set(asked) - {"exclude", "include"}:
        raise InputError("--preview shows what --exclude and --include would do; give it with these alone")
    return asked
