"""`lagotto explain`: why a page is here, or why it is not."""

from __future__ import annotations

from shlex import quote

import click
import msgspec

from lagotto import api as calls
from lagotto.base.facts import PageFacts
from lagotto.base.protocols.storage import Severity
from lagotto.base.reasons import describe, describe_counted, facts_of, is_error, was_asked
from lagotto.base.records import SEED_SCORE
from lagotto.base.views import MarkedPage, PageDetails, Status, Step, TakenCommand, UrlHistory
from lagotto.cli import counted, printable
from lagotto.cli.options import DIRECTORY, JSON
from lagotto.cli.progress import outlook_line, score_text
from lagotto.crawling import config as configuration
from lagotto.crawling.config import Config
from lagotto.crawling.rejudging import latest_judging
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import line, moment
from lagotto.crawling.steering.effect import InEffect, effect_at, in_effect
from lagotto.focus import registry
from lagotto.harvest.explain import explain as explain_url
from lagotto.store import storage_at

LAST = 5
"""Commands that are shown, the latest ones."""


@click.command()
@DIRECTORY
@JSON
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
        ("asked for", _asked(figures)),
        ("frontier", _frontier(figures)),
        ("hosts", str(figures.hosts)),
        ("bytes", f"{figures.bytes:,}"),
        *_revisits(figures),
        *(
            ("no page", f"{count:>7}  {reason}: {describe_counted(reason)}")
            for reason, count in figures.reasons.items()
        ),
    ]


def _asked(figures: Status) -> str:
    """What the pages cost in requests."""
    asked = figures.asked
    missed = sum(n for reason, n in figures.reasons.items() if was_asked(reason) and is_error(reason))
    harvest = figures.relevant / asked if asked else 0.0
    return f"{asked} URLs, {missed} of them without a page (harvest per request {harvest:.2f})"


def limits(config: Config) -> dict[str, float]:
    """The limits in effect, by their names."""
    return {name.replace("_", "-"): value for name, value in configuration.limits_of(config).items()}


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


SMALLEST_SHOWN = 0.001
MOST_SHOWN = 10
"""Parts of a link score that are shown, the strongest first; `--json` has them all."""


@click.command()
@DIRECTORY
@click.argument("url")
@JSON
def explain(directory: str, url: str, as_json: bool) -> None:
    """Explain URL in the crawl in DIRECTORY: how it was found, scored and judged."""
    storage = storage_at(directory)
    with storage.reader() as reader:
        found = explain_url(reader, effect_at(storage), url)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    history = found.story
    lines = [found.unknown] if history is None else history_lines(history, found.link_parts, found.mark)
    for sentence in [*lines, *found.steering]:
        click.echo(printable(sentence))


def history_lines(history: UrlHistory, names: tuple[str, ...], mark: MarkedPage | None = None) -> list[str]:
    """The history as lines: discovery path, score, verdict, reasons."""
    lines = [history.url, f"state          {history.state}"]
    if history.waiting_for:
        reason, _, detail = history.waiting_for.partition(" ")
        lines.append(f"waiting        {describe(reason, detail)}; tried {history.attempts} times")
    lines.append("discovery path")
    before = ""
    for number, step in enumerate(history.path):
        how = "seed" if number == 0 else f'link "{step.anchor}"'
        facts = facts_of(before)
        how = facts.leads if facts and facts.leads else how
        lines += _step_lines(number, step, names, how)
        before = step.reason
    if history.page is not None:
        lines += _page_lines(history.page, mark)
    return lines


def _step_lines(number: int, step: Step, names: tuple[str, ...], how: str) -> list[str]:
    judged = "" if step.relevance is None else f", relevance {step.relevance:.3f}"
    scored = "" if step.score >= SEED_SCORE else f", link score {step.score:.3f}"
    lines = [f"  {number:>3}  {step.url}", f"       {how}{scored}{judged}"]
    if step.parts and names:
        parts = [part for part in zip(names, step.parts, strict=False) if abs(part[1]) >= SMALLEST_SHOWN]
        strongest = sorted(parts, key=lambda part: -abs(part[1]))[:MOST_SHOWN]
        lines.append("       " + ", ".join(f"{name} {value:+.3f}" for name, value in strongest))
    return lines


def facts_lines(facts: PageFacts) -> list[str]:
    """What a page says of itself, as lines."""
    return [f"{name:<14} {value}" for name, value in facts.told()]


def _page_lines(page: PageDetails, mark: MarkedPage | None) -> list[str]:
    when = moment(page.fetched_at)
    lines = [f"fetched        {when}, status {page.status}, {page.size} bytes, {page.content_type}"]
    if page.reason:
        lines.append(f"reason         {page.reason}: {describe(page.reason, page.detail)}")
    if page.title:
        lines.append(f"title          {page.title}")
    lines += [] if page.facts is None else facts_lines(page.facts)
    if page.relevance is not None:
        verdict = "on topic" if page.relevant else "off topic"
        if mark is not None:
            verdict += f", as marked by {mark.who or 'a user'} at {moment(mark.at)}"
        lines.append(f"verdict        {verdict}, relevance {page.relevance:.3f}")
        if page.relevance_at_fetch is not None and page.relevance_at_fetch != page.relevance:
            lines.append(f"at the fetch   relevance {page.relevance_at_fetch:.3f}; judged again since")
        strongest = sorted(page.judged.items(), key=lambda part: -abs(part[1]))
        lines += [f"  {name:<28} {value:.4f}" for name, value in strongest]
    if page.near_duplicate_of:
        lines.append(f"nearly the same as {page.near_duplicate_of}")
    if page.rank is not None:
        lines.append(f"on the shelf   rank {page.rank:.4f}")
    if page.place is not None:
        lines.append(f"kept in        {page.place.file} at {page.place.offset}")
    return lines


@click.command()
@DIRECTORY
@click.option("--accept", "accepted", is_flag=True, help="Accept a changed but sound database as it is.")
def doctor(directory: str, accepted: bool) -> None:
    """Check the crawl in DIRECTORY for damage: database, WARC files, lock, configuration."""
    storage = storage_at(directory)
    if accepted:
        storage.accept()
    findings = storage.examine()
    for finding in findings:
        click.echo(f"{finding.severity:<8} {printable(finding.sentence)}")
    if any(finding.severity == Severity.ERROR for finding in findings):
        raise click.exceptions.Exit(1)


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
