"""`lagotto explain`: why a page is here, or why it is not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from lagotto import assembly, registry
from lagotto import config as configuration
from lagotto.cli import printable
from lagotto.config import CONFIG_FILE, Config
from lagotto.crawling.feedback import marks_in
from lagotto.records import Reason
from lagotto.store import CrawlReader
from lagotto.store.stories import PageStory, Step, Story
from lagotto.urls import seed_url

_WITHOUT_ANCHOR: dict[str, str] = {
    Reason.REDIRECT: "redirected here",
    Reason.SITEMAP: "named by the sitemap",
}

SMALLEST_SHOWN = 0.001
MOST_SHOWN = 10
"""Parts of a link score that are shown, the strongest first; `--json` has them all."""


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
def explain(directory: Path, url: str, as_json: bool) -> None:
    """Tell the story of URL in the crawl in DIRECTORY: how it was found, scored and judged."""
    wanted = seed_url(url)
    with CrawlReader.open(directory) as reader:
        story = reader.story(wanted)
    config = configuration.load(directory / CONFIG_FILE)
    names = registry.strategy_class(config.strategy).link_parts
    if as_json:
        click.echo(msgspec.json.encode({"url": wanted, "story": story, "link_parts": names}))
    elif story is None:
        click.echo(never_met(wanted, config))
    else:
        for line in [*story_lines(story, names), *mark_lines(directory, wanted)]:
            click.echo(printable(line))


def never_met(url: str, config: Config) -> str:
    """What can be said about a URL that is not in the crawl."""
    scope = assembly.make_scope(config, assembly.seed_urls(config))
    refused = scope.refuses(url, depth=1)
    if refused is not None:
        return printable(f"{url} is not in the crawl: the scope refuses it ({refused})")
    return printable(
        f"{url} is not in the crawl: no fetched page linked to it, or the strategy left its link out"
    )


def story_lines(story: Story, names: tuple[str, ...]) -> list[str]:
    """The story as lines: discovery path, score, verdict, reasons."""
    lines = [story.url, f"state          {story.state}"]
    if story.waiting_for:
        lines.append(f"waiting for    {story.waiting_for}, tried {story.attempts} times")
    lines.append("discovery path")
    before = ""
    for number, step in enumerate(story.path):
        how = "seed" if number == 0 else f'link "{step.anchor}"'
        how = _WITHOUT_ANCHOR.get(before, how)
        lines += _step_lines(number, step, names, how)
        before = step.reason
    if story.page is not None:
        lines += _page_lines(story.page)
    return lines


def mark_lines(directory: Path, url: str) -> list[str]:
    """What users said of the page."""
    return [
        f"marked         {'on' if mark.on else 'off'} topic by the user, {_when(mark.at)}"
        for mark in marks_in(directory)
        if mark.url == url
    ]


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _step_lines(number: int, step: Step, names: tuple[str, ...], how: str) -> list[str]:
    judged = "" if step.relevance is None else f", relevance {step.relevance:.3f}"
    lines = [f"  {number:>3}  {step.url}", f"       {how}, link score {step.score:.3f}{judged}"]
    if step.parts and names:
        parts = [part for part in zip(names, step.parts, strict=False) if abs(part[1]) >= SMALLEST_SHOWN]
        strongest = sorted(parts, key=lambda part: -abs(part[1]))[:MOST_SHOWN]
        lines.append("       " + ", ".join(f"{name} {value:+.3f}" for name, value in strongest))
    return lines


def _page_lines(page: PageStory) -> list[str]:
    when = _when(page.fetched_at)
    lines = [f"fetched        {when}, status {page.status}, {page.size} bytes, {page.content_type}"]
    if page.reason:
        lines.append(f"reason         {page.reason} {page.detail}".rstrip())
    if page.title:
        lines.append(f"title          {page.title}")
    if page.relevance is not None:
        verdict = "on topic" if page.relevant else "off topic"
        lines.append(f"verdict        {verdict}, relevance {page.relevance:.3f}")
        strongest = sorted(page.judged.items(), key=lambda part: -abs(part[1]))
        lines += [f"  {name:<28} {value:.4f}" for name, value in strongest]
    if page.near_duplicate_of:
        lines.append(f"nearly the same as {page.near_duplicate_of}")
    if page.rank is not None:
        lines.append(f"on the shelf   rank {page.rank:.4f}")
    if page.place is not None:
        lines.append(f"kept in        {page.place.file} at {page.place.offset}")
    return lines
