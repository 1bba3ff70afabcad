"""The topic's table and how it changed, the commands that steered the crawl, its configuration."""

from __future__ import annotations

from typing import Any

import msgspec

from lagotto.crawling.config import fields
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import line
from lagotto.focus.topic.history import changes, spread
from lagotto.harvest.report.facts import Facts
from lagotto.harvest.report.figures import share_bar
from lagotto.harvest.report.html import Html, element, join, pairs, table
from lagotto.harvest.report.words import count

VERSIONS = 4
KEYWORDS = 20
COMMANDS = 50


def topic_table(facts: Facts) -> Html:
    """The words by which the crawl judged, and what became of them."""
    head = element("h2", "The topic, as the crawl learned it")
    if not facts.tables:
        said = "The strategy keeps no table of words, or has learned none yet."
        return element("section", head, element("p", said), id="topic")
    shown = spread(facts.tables, VERSIONS)
    found = changes(shown)
    rows = [
        (
            change.keyword,
            *(f"{weight:.2f}" if weight else "\u2013" for weight in change.weights),
            share_bar(change.weights[-1]),
            change.word if len(shown) > 1 else "",
        )
        for change in found[:KEYWORDS]
    ]
    last = facts.tables[-1]
    intro = (
        f"{count(len(facts.tables), 'version')} of the table ({last.table.source}); the columns are "
        f"after how many pages. {count(len(last.table), 'keyword')} in the last one."
    )
    heads = ("Keyword", *(f"{version.pages:,}" for version in shown), "", "")
    numbers = range(1, len(shown) + 1)
    return element("section", head, element("p", intro), table(heads, rows, numbers=numbers), id="topic")


def steering(facts: Facts) -> Html:
    """Commands that users sent, marks counted together."""
    sent = [each for each in facts.commands if not isinstance(commands.decode(each.content), commands.Mark)]
    marks = len(facts.commands) - len(sent)
    if not facts.commands:
        return Html("")
    items = [element("li", line(each)) for each in sent[-COMMANDS:]]
    if marks:
        on = sum(mark.on for mark in facts.marks)
        now = f"of those that count now, {on} on topic, {len(facts.marks) - on} off"
        items.append(element("li", f"{count(marks, 'mark')} sent; {now}"))
    return element("section", element("h2", "How it was steered"), element("ul", join(items)), id="steered")


def configuration(facts: Facts) -> Html:
    """Options that differ from their defaults, all of them in full below."""
    usual = {name: msgspec.to_builtins(field.value) for name, field in fields().items()}
    given = msgspec.to_builtins(facts.config)
    changed = {name: value for name, value in given.items() if value != usual.get(name)}
    rows: list[tuple[str | Html, str]] = [
        (element("code", name), _value(value)) for name, value in changed.items()
    ]
    encoder = facts.judging.encoder if facts.judging else ""
    made = [
        ("Lagotto", facts.version),
        ("Judged by", facts.judging.strategy if facts.judging else facts.config.strategy),
        ("Encoder", encoder),
        ("Crawl", facts.location),
        ("Report made", facts.made_at),
    ]
    whole = msgspec.toml.encode(given).decode()
    return element(
        "section",
        element("h2", "Configuration"),
        pairs(made),
        element("h3", "Options that were set"),
        pairs(rows) if rows else element("p", "All options have their default."),
        element("details", element("summary", "All options"), element("pre", _lines(whole))),
        id="configuration",
    )


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _lines(whole: str) -> Html:
    """Lines of a text, each on its own: `text` would make one of them."""
    return join(element("span", f"{each} ") for each in whole.splitlines())
