"""The topic of a crawl: its words in force, how they were edited, and how the weight table changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from litestar import get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.base.protocols import Reader
from lagotto.base.views import TakenCommand
from lagotto.crawling import inputs as wanted
from lagotto.crawling.config import Config
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import phrase
from lagotto.focus.registry import strategy_class
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.parts.words import Edits, focus_table
from lagotto.focus.topic import WeightTable
from lagotto.focus.topic.history import KIND, TableVersion, changes, read_versions, spread
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.steering import SentCommand, change

VERSIONS = 40
"""Versions of the weight table that are told, spread over the crawl."""
CHANGES = 12
"""Words that rose or fell most from one version to the next."""


class Word(Struct):
    """A word of the topic."""

    word: str
    weight: float


class WordChange(Struct):
    """A word whose weight changed."""

    word: str
    before: float
    now: float


class TopicVersion(Struct):
    """The weight table after so many pages, and what changed since the version before it."""

    version: int
    pages: int
    changes: list[WordChange]


class TopicEdit(Struct):
    """A user's change of the words."""

    n: int
    """Number of the command; rolling back to it takes back all later ones."""
    edit: str
    who: str
    at: float


class CrawlTopic(Struct):
    """What a crawl looks for now."""

    words: list[Word]
    """What the user said, with all edits."""
    table: list[Word]
    """The weight table in force, which a strategy that learns fills with more words."""
    source: str
    """What the table was made from."""
    editable: bool
    """Whether the strategy takes other words."""
    versions: list[TopicVersion]
    edits: list[TopicEdit]


class WordEdit(Struct, forbid_unknown_fields=True):
    """Words with weights, such as `solar=2 "heat pump" -nuclear`."""

    words: Annotated[str, Meta(min_length=1, max_length=10_000)]


class RollBack(Struct, forbid_unknown_fields=True):
    """The last edit that stays; 0 takes back all."""

    edit: Annotated[int, Meta(ge=0, le=2**53)]


@get("/crawls/{name:str}/topic")
async def show_topic(crawl: NamedDependency[Watched]) -> CrawlTopic:
    """The topic's words, its weight table, and how both changed."""

    def ask(reader: Reader) -> CrawlTopic:
        config = crawl.effect(reader).config
        versions = read_versions(version.content for version in reader.versions(KIND))
        edits = _edits(reader)
        said = _words(config, [edit for _, edit in edits])
        return CrawlTopic(
            words=_listed(said),
            table=_listed(versions[-1].table if versions else None),
            source=versions[-1].table.source if versions else "",
            editable=strategy_class(config.strategy).edit is not Strategy.edit,
            versions=_versions(spread(versions, VERSIONS)),
            edits=[TopicEdit(sent.n, phrase(edit), sent.who, sent.at) for sent, edit in edits],
        )

    return await crawl.remembered.get("topic", lambda: crawl.read_all(ask))


@patch("/crawls/{name:str}/topic")
async def edit_topic(crawl: NamedDependency[Watched], data: JSONBody[WordEdit]) -> list[SentCommand]:
    """Give words of the topic other weights, add some, remove some."""
    return await change(crawl, {"words": data.words})


@post("/crawls/{name:str}/topic/rollback", status_code=200)
async def roll_back(crawl: NamedDependency[Watched], data: JSONBody[RollBack]) -> list[SentCommand]:
    """Take back all edits after one of them."""

    def ask(reader: Reader) -> dict[str, float]:
        config, edits = crawl.effect(reader).config, _edits(reader)
        if data.edit and data.edit not in {sent.n for sent, _ in edits}:
            raise InputError(
                f"there is no edit {data.edit} of the topic; GET .../topic lists them, 0 is none"
            )
        now = _words(config, [edit for _, edit in edits])
        before = _words(config, [edit for sent, edit in edits if sent.n <= data.edit])
        if now is None or before is None:
            raise InputError("the topic of this crawl has no words")
        readable = {**before.readable, **now.readable}
        return {
            readable[term]: before.get(term, 0.0)
            for term in [*before, *now]
            if before.get(term, 0.0) != now.get(term, 0.0)
        }

    words = await crawl.read_all(ask)
    return await change(crawl, {"words": words}) if words else []


def _edits(reader: Reader) -> list[tuple[TakenCommand, commands.EditTopic]]:
    """The edits of the topic that were applied, oldest first."""
    decoded = [(sent, commands.decode(sent.content)) for sent in reader.commands() if sent.applied]
    return [(sent, command) for sent, command in decoded if isinstance(command, commands.EditTopic)]


def _words(config: Config, edits: Sequence[commands.EditTopic]) -> WeightTable | None:
    """The user's words after some edits; None if the topic has none, or its files are gone."""
    try:
        table = focus_table(wanted.make_topic(config))
    except InputError:
        return None
    edited = Edits(config.language)
    for edit in edits:
        edited.add(edit.words)
    return edited.apply(table)


def _listed(table: WeightTable | None) -> list[Word]:
    return [] if table is None else [Word(table.readable[term], weight) for term, weight in table.items()]


def _versions(versions: Sequence[TableVersion]) -> list[TopicVersion]:
    found = []
    for number, version in enumerate(versions, 1):
        before = versions[number - 2] if number > 1 else version
        moved = [each for each in changes([before, version]) if each.difference]
        moved.sort(key=lambda each: -abs(each.difference))
        shown = [WordChange(each.keyword, each.weights[0], each.weights[-1]) for each in moved[:CHANGES]]
        found.append(TopicVersion(number, version.pages, shown))
    return found
