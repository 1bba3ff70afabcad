"""`lagotto status`."""

from __future__ import annotations

from shlex import quote

import click
import msgspec

from lagotto import calls
from lagotto import config as configuration
from lagotto.cli import counted, printable
from lagotto.cli.progress import outlook_line
from lagotto.cli.scores import score_text
from lagotto.config import Config
from lagotto.crawling.rejudging import latest_judging
from lagotto.reasons import describe_counted
from lagotto.steering import commands
from lagotto.steering.in_effect import InEffect, in_effect
from lagotto.steering.sentences import line
from lagotto.store import storage_at
from lagotto.views import Status, TakenCommand

LAST = 5
"""Commands that are shown, the latest ones."""
LIMITS = ("max_pages", "max_time", "max_bytes", "delay", "ip_delay", "concurrency")
"""Options that are shown, if they are not 0."""


@click.command()
@click.argument("directory")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@click.option("--next", "upcoming", type=int, default=5, show_default=True, help="How many links to show.")
@click.option(
    "--outlook", "with_outlook", is_flag=True, help="Also what the strategy makes of it; takes longer."
)
def status(directory: str, as_json: bool, upcoming: int, with_outlook: bool) -> None:
    """Say how the crawl in DIRECTORY stands, also while it runs."""
    storage = storage_at(directory)
    with storage.reader() as reader:
        figures, judging, sent = reader.status(), latest_judging(reader), reader.commands()
        effect = in_effect(configuration.decode(storage.config(), directory), sent)
        outlook = calls.outlook(directory) if with_outlook else {}
        if as_json:
            more: dict[str, object] = {"judging": judging, "paused": effect.paused}
            more |= {"limits": limits(effect.config), "commands": [_as_object(each) for each in sent[-LAST:]]}
            more |= {"outlook": outlook} if with_outlook else {}
            click.echo(msgspec.json.encode(msgspec.structs.asdict(figures) | more))
            return
        judged = [("judged", judging.sentence())] if judging is not None else []
        for name, value in [*_lines(figures), *judged, *_steering_lines(effect, sent, directory)]:
            click.echo(f"{name:<14} {printable(value)}")
        if with_outlook:
            said = outlook_line(outlook) or "this strategy has none of its own"
            click.echo(f"{'outlook':<14} {said}")
        for trap, links in figures.traps.items():
            click.echo(f"trap           {printable(trap)} ({counted(links, 'link')} refused)")
        for link in reader.best_queued(upcoming):
            click.echo(f"next           {score_text(link.score)}  {printable(link.url)}")


def _lines(figures: Status) -> list[tuple[str, str]]:
    return [
        ("pages", f"{figures.pages} with status 200, {figures.concluded} URLs concluded"),
        ("relevant", f"{figures.relevant} (harvest ratio {figures.harvest_ratio:.2f})"),
        ("frontier", _frontier(figures)),
        ("hosts", str(figures.hosts)),
        ("bytes", f"{figures.bytes:,}"),
        *_revisits(figures),
        *(
            ("no page", f"{count:>7}  {reason}: {describe_counted(reason)}")
            for reason, count in figures.reasons.items()
        ),
    ]


def limits(config: Config) -> dict[str, float]:
    """The limits in effect, by their names."""
    return {name.replace("_", "-"): getattr(config, name) for name in LIMITS}


def _revisits(figures: Status) -> list[tuple[str, str]]:
    """Visits to pages that were fetched before, if there were any."""
    if not figures.revisits:
        return []
    found = f"{figures.changed} found a page changed"
    return [("revisits", f"{figures.revisits}, {found}; {figures.gone} pages are gone")]


def _frontier(figures: Status) -> str:
    said = f"{figures.queued} queued ({figures.deferred} to be retried), {figures.held} held"
    return f"{said}, {figures.aside} set aside" if figures.aside else said


def _steering_lines(effect: InEffect, sent: list[TakenCommand], directory: str) -> list[tuple[str, str]]:
    """What holds now, and the commands that made it so."""
    paused = f"yes; go on with `lagotto unpause {quote(directory)}`" if effect.paused else "no"
    shown = [f"{name} {value:g}" for name, value in limits(effect.config).items() if value]
    lines = [("paused", paused), ("limits", ", ".join(shown))]
    lines += [("exclude", pattern) for pattern in effect.config.exclude]
    lines += [("include", pattern) for pattern in effect.config.include]
    rules = effect.rules
    for host in sorted({*rules.blocked, *rules.boosts, *rules.limits}):
        lines.append(("host", f"{host}: {', '.join(rules.sentences(host))}"))
    return lines + [("command", line(each)) for each in sent[-LAST:]]


def _as_object(sent: TakenCommand) -> dict[str, object]:
    """A command as JSON has it."""
    fields = msgspec.structs.asdict(sent)
    content = fields.pop("content")
    return fields | {"command": None if commands.decode(content) is None else msgspec.Raw(content)}
