"""Why a URL is in a crawl, or why it is not: how it was found, scored and judged, and what users said."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from lagotto.base.errors import UnknownName
from lagotto.base.protocols import Reader
from lagotto.base.reasons import describe_left_out
from lagotto.base.text import tokens
from lagotto.base.text.stems import terms_of
from lagotto.base.urls import host_of, seed_url
from lagotto.base.views import MarkedPage, UrlHistory
from lagotto.crawling import assembly
from lagotto.crawling.config import Config
from lagotto.crawling.inputs import seed_urls
from lagotto.crawling.steering.effect import InEffect
from lagotto.focus import registry
from lagotto.focus.topic import table_from_words
from lagotto.focus.topic.history import KIND, TableVersion


class Explanation(Struct):
    """All that can be said about a URL."""

    url: str
    story: UrlHistory | None
    """None if the crawl has never met it."""
    link_parts: tuple[str, ...]
    """Names of the parts of a link score, in their order."""
    mark: MarkedPage | None
    """What a user said of it."""
    steering: list[str]
    """What commands of users say about it: patterns, rules for its host."""
    stated: list[tuple[str, str]] = []
    """What the page says of itself, as names and values."""
    unknown: str = ""
    """Why the crawl has never met it."""
    matched: dict[str, float] = {}
    """Words of its text that belong to the topic -> their weights."""
    topic_version: int = 0
    """Version of the weight table that these are from, counted from 1; 0: the user's words."""


def explain(reader: Reader, effect: InEffect, url: str) -> Explanation:
    """Everything about a URL."""
    wanted = seed_url(url)
    history = reader.history(wanted)
    page = history.page if history is not None else None
    text = "" if page is None else reader.text(page.number) or ""
    language = page.language if page is not None else ""
    return Explanation(
        url=wanted,
        story=history,
        link_parts=part_names(effect.config.strategy),
        mark=next((mark for mark in reader.marks() if mark.url == wanted), None),
        steering=steering_lines(wanted, effect),
        stated=page.facts.told() if page is not None and page.facts is not None else [],
        unknown="" if history is not None else _never_met(wanted, effect.config, reader),
        matched=matched_words(reader, effect.config, text, language),
        topic_version=len(reader.versions(KIND)),
    )


def part_names(strategy: str) -> tuple[str, ...]:
    """Names of the parts of a link score; none if the strategy is not installed."""
    try:
        return registry.strategy_class(strategy).link_parts
    except UnknownName:
        return ()


def steering_lines(url: str, effect: InEffect) -> list[str]:
    """What users' commands say about a URL: patterns that it matches or not, rules for its host."""
    config = effect.config
    lines = [f"excluded by    {pattern}" for pattern in config.exclude if re.search(pattern, url)]
    if config.include and not any(re.search(pattern, url) for pattern in config.include):
        lines.append(f"not included   by {' or '.join(config.include)}")
    if rules := effect.rules.sentences(host_of(url)):
        lines.append(f"host rules     {', '.join(rules)}")
    return lines


def matched_words(reader: Reader, config: Config, text: str, language: str) -> dict[str, float]:
    """Words of a text that the topic's weight table has, as they are written there -> their weights."""
    weights = topic_weights(reader, config)
    terms = terms_of(language or config.language)
    found = {}
    for token in dict.fromkeys(tokens(text)):
        if weight := max((weights.get(term, 0.0) for term in terms.of(token)), default=0.0):
            found[token] = weight
    return found


def topic_weights(reader: Reader, config: Config) -> Mapping[str, float]:
    """The weight table in force: the newest that the crawl has kept, else the user's words."""
    versions = reader.versions(KIND)
    if versions:
        return TableVersion.from_json(versions[-1].content).table
    return table_from_words(config.topic, language=config.language) if config.topic else {}


def _never_met(url: str, config: Config, reader: Reader) -> str:
    """What can be said about a URL that is not in the crawl."""
    scope = assembly.make_scope(config, seed_urls(config))
    assembly.recall(scope, reader.fetched())
    refused = scope.refuses(url, depth=1) or scope.shapes.refuses(url)
    trapped = scope.traps.refuses(url)
    if refused is not None or trapped is not None:
        why = f"{refused}: {describe_left_out(refused)}" if refused else str(trapped)
        return f"{url} is not in the crawl: the scope refuses it ({why})"
    return f"{url} is not in the crawl: no fetched page linked to it, or the strategy left its link out"
