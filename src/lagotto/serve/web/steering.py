"""Steering a crawl over HTTP: pause, go on, stop, resume, change; what was sent, and what came of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs

from lagotto import api as calls
from lagotto.base.errors import InputError
from lagotto.base.options import Change
from lagotto.base.views import Matching, QueuedLink, TakenCommand
from lagotto.crawling.config import fields
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import phrase
from lagotto.serve.permissions import bounds_of
from lagotto.serve.starting import Starter
from lagotto.serve.web.open_crawls import Watched

Patterns = Annotated[list[str], Meta(max_length=100)]
Hosts = Annotated[list[str], Meta(max_length=1000)]


class _Changes(Struct, forbid_unknown_fields=True):
    """What can be changed while a crawl runs, besides options."""

    add_seeds: Annotated[list[str], Meta(max_length=1000)] | UnsetType = UNSET
    exclude: Patterns | UnsetType = UNSET
    unexclude: Patterns | UnsetType = UNSET
    include: Patterns | UnsetType = UNSET
    uninclude: Patterns | UnsetType = UNSET
    block_hosts: Hosts | UnsetType = UNSET
    unblock_hosts: Hosts | UnsetType = UNSET
    boost_hosts: dict[str, float] | UnsetType = UNSET
    limit_hosts: dict[str, int] | UnsetType = UNSET
    words: Annotated[str, Meta(max_length=10_000)] | UnsetType = UNSET

    def given(self) -> dict[str, Any]:
        """What is to be changed, by name."""
        return {name: value for name, value in structs.asdict(self).items() if value is not UNSET}


def _options() -> list[tuple[str, Any, Any]]:
    """Fields for the options that requests may set and that change at once."""
    return [
        (name, (Annotated[field.kind, bounds_of(name)] if field.number else field.kind) | UnsetType, UNSET)
        for name, field in fields().items()
        if field.option.http and field.option.change == Change.AT_ONCE
    ]


if TYPE_CHECKING:
    Changes = _Changes
else:
    Changes = defstruct(
        "Changes",
        _options(),
        bases=(_Changes,),
        module=__name__,
        namespace={"__doc__": "What can be changed while a crawl runs; each as in docs/steering.md."},
        forbid_unknown_fields=True,
    )


class CommandRequest(Struct, forbid_unknown_fields=True):
    """Exactly one of these."""

    pause: Literal[True] | UnsetType = UNSET
    unpause: Literal[True] | UnsetType = UNSET
    stop: Literal[True] | UnsetType = UNSET
    resume: Literal[True] | UnsetType = UNSET
    """Start a process that goes on with the crawl."""
    steer: Changes | UnsetType = UNSET


class SentCommand(Struct):
    """A command, who sent it, and what came of it."""

    n: int
    command: str
    """In words."""
    who: str
    at: float
    taken_at: float | None
    """Null while the crawl has not taken it."""
    applied: bool
    outcome: str


class PatternPreview(Struct, forbid_unknown_fields=True):
    """Patterns to try."""

    exclude: Patterns = []
    include: Patterns = []


class Preview(Struct):
    """Queued links that patterns would set aside."""

    count: int
    examples: list[QueuedLink]


@get("/crawls/{name:str}/commands")
async def list_commands(crawl: NamedDependency[Watched]) -> list[SentCommand]:
    """All commands ever sent, oldest first."""
    return await crawl.read(lambda reader: [as_sent(each) for each in reader.commands()])


@post("/crawls/{name:str}/commands", status_code=200)
async def send_command(
    crawl: NamedDependency[Watched], data: JSONBody[CommandRequest], starter: NamedDependency[Starter]
) -> list[SentCommand]:
    """Send a command, and tell how the crawl took it; `resume` answers with an empty list."""
    given = {name: value for name, value in structs.asdict(data).items() if value is not UNSET}
    if len(given) != 1:
        raise InputError("name exactly one of pause, unpause, stop, resume and steer")
    if data.steer is not UNSET:
        return await change(crawl, data.steer.given())
    if data.resume is not UNSET:
        await asyncio.to_thread(starter.resume, crawl.name, crawl.location)
        crawl.remembered.forget()
        return []
    act = {"pause": calls.pause, "unpause": calls.unpause, "stop": calls.stop}[next(iter(given))]
    taken = await asyncio.to_thread(act, crawl.location)
    crawl.remembered.forget()
    return [as_sent(taken)]


@post("/crawls/{name:str}/preview", status_code=200)
async def preview(crawl: NamedDependency[Watched], data: JSONBody[PatternPreview]) -> Preview:
    """Which queued links further patterns would set aside; changes nothing."""
    found: Matching = await asyncio.to_thread(
        calls.preview, crawl.location, exclude=data.exclude, include=data.include
    )
    return Preview(found.count, found.examples)


async def change(crawl: Watched, changes: dict[str, Any]) -> list[SentCommand]:
    """Change a crawl, running or not."""
    taken = await asyncio.to_thread(calls.steer, crawl.location, **changes)
    crawl.remembered.forget()
    return [as_sent(each) for each in taken]


def as_sent(sent: TakenCommand) -> SentCommand:
    """A command as the API tells it."""
    said = phrase(commands.decode(sent.content))
    return SentCommand(sent.n, said, sent.who, sent.at, sent.taken_at, sent.applied, sent.outcome)
