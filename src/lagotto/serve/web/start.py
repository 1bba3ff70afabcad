"""Starting a crawl over HTTP: what can be chosen, how long it may take, and the start itself."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Struct

from lagotto.base.options import Change, Field
from lagotto.base.urls import host_of, seed_url
from lagotto.crawling.config import fields
from lagotto.focus import registry
from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.permissions import Permissions, bounds_of
from lagotto.serve.starting import NewCrawl, Seeds, Started, Starter, begin

ANSWER_TIME = 0.3
"""Seconds that a server takes to answer, in an estimate."""
FASTEST = 300.0
"""Pages a second that one process can take in."""


class StrategyOption(Struct):
    """An option of a strategy."""

    name: str
    default: Any
    meaning: str


class StrategyRow(Struct):
    """A strategy that can be chosen."""

    name: str
    summary: str
    options: list[StrategyOption]


class OptionRow(Struct):
    """An option of a crawl."""

    name: str
    group: str
    kind: str
    """`yes or no`, `whole number`, `number`, `text`, `list` or `choice`."""
    help: str
    default: Any
    default_in_words: str
    zero: str
    """What 0 means, if it means something special."""
    range: str
    """Which numbers it takes, in words."""
    least: float | None
    most: float | None
    """Largest number, or most values, that a request may set."""
    choices: list[str]
    settable: bool
    """Whether a request may set it when it starts a crawl."""
    change: Change
    """When another value takes effect, once a crawl has begun."""
    limit: bool
    """Whether it is one of the limits of a crawl, as GET /api/crawls/{name} has them."""
    form: Literal["", "plain", "advanced"]
    """Where the form for a new crawl has it."""


class EstimateRequest(Struct, forbid_unknown_fields=True):
    """What the duration depends on."""

    seeds: Seeds = []
    max_pages: Annotated[int, bounds_of("max_pages")] = 0
    delay: Annotated[float, bounds_of("delay")] = 1.0
    concurrency: Annotated[int, bounds_of("concurrency")] = 16


class Estimate(Struct):
    """How long a crawl may take; null without a limit of pages."""

    seconds_on_seed_hosts: float | None
    """If it stays on the hosts of the seeds."""
    seconds_on_more_hosts: float | None
    """If it finds ten times as many hosts."""
    hosts: int


@post("/crawls", status_code=201)
async def start_crawl(
    data: JSONBody[NewCrawl],
    folder: NamedDependency[CrawlFolder],
    starter: NamedDependency[Starter],
    permissions: NamedDependency[Permissions],
) -> Started:
    """Start a crawl in a process of its own; it goes on when this server ends."""
    return await asyncio.to_thread(begin, data, folder, starter, permissions)


@get("/strategies", sync_to_thread=True)
def list_strategies() -> list[StrategyRow]:
    """How links can be chosen, and what each way can be told."""
    return [_strategy(name) for name in registry.names()]


@get("/options", sync_to_thread=False)
def list_options() -> list[OptionRow]:
    """Every option of a crawl."""
    return [_option(field) for field in fields().values()]


@post("/estimate", status_code=200, sync_to_thread=False)
def estimate(data: JSONBody[EstimateRequest]) -> Estimate:
    """How long a crawl may take, by politeness alone: at most one request to a host in each delay."""
    hosts = len({host_of(seed_url(url)) for url in data.seeds}) or 1

    def seconds(hosts: int) -> float | None:
        if not data.max_pages:
            return None
        at_once = min(data.concurrency, hosts)
        speed = min(FASTEST, at_once / max(ANSWER_TIME, data.delay if data.concurrency >= hosts else 0.0))
        return data.max_pages / min(speed, hosts / data.delay if data.delay else speed)

    return Estimate(seconds(hosts), seconds(10 * hosts), hosts)


def _strategy(name: str) -> StrategyRow:
    cls = registry.strategy_class(name)
    options = [
        StrategyOption(option, default, cls.meanings.get(option, ""))
        for option, default in registry.options_of(cls).items()
    ]
    return StrategyRow(name, cls.summary, options)


def _option(field: Field) -> OptionRow:
    kinds = {bool: "yes or no", int: "whole number", float: "number", str: "text"}
    kind = "choice" if field.choices else "list" if field.many else kinds.get(field.kind, "text")
    return OptionRow(
        name=field.name,
        group=field.option.group,
        kind=kind,
        help=f"{field.option.help}.",
        default=field.value,
        default_in_words=field.default,
        zero=field.option.zero,
        range=field.range,
        least=field.option.least,
        most=field.most if field.number or field.many else None,
        choices=list(map(str, field.choices)),
        settable=field.option.http,
        change=field.option.change,
        limit=field.option.limit,
        form=field.option.form,
    )
