"""`lagotto explain`: why a page is here, or why it is not."""

from __future__ import annotations

import click
import msgspec

from lagotto.cli import printable
from lagotto.explaining import explain as explain_url
from lagotto.facts import PageFacts
from lagotto.reasons import describe, facts_of
from lagotto.records import SEED_SCORE
from lagotto.steering.sending import effect_at
from lagotto.steering.sentences import moment
from lagotto.store import storage_at
from lagotto.views import MarkedPage, PageDetails, Step, UrlHistory

SMALLEST_SHOWN = 0.001
MOST_SHOWN = 10
"""Parts of a link score that are shown, the strongest first; `--json` has them all."""


@click.command()
@click.argument("directory")
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
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
    for line in [*lines, *found.steering]:
        click.echo(printable(line))


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
    dates = [
        f"{name} {date}"
        for name, date in (("published", facts.published), ("modified", facts.modified))
        if date
    ]
    license = " ".join(filter(None, (facts.license_name, facts.license)))
    site = facts.opengraph.get("site_name", "")
    said = {
        "author": facts.author,
        "dates": ", ".join(dates),
        "site": site,
        "types": ", ".join(facts.types),
        "canonical URL": facts.canonical,
        "licence": f"{license} (by {facts.license_source})" if license else "",
        "note": facts.note,
    }
    lines = [f"{name:<14} {value}" for name, value in said.items() if value]
    return lines + [f"{'opts out of':<14} {each}" for each in facts.opt_outs]


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
