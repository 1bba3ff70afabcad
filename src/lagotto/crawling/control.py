"""Acting on a crawl from a script: change it, pause it, stop it, mark its pages, run it to its end.

Each call sends commands. A crawl that runs takes them after its next commit; one that does not run is opened
for a moment, so that it takes them at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from msgspec import Struct

from lagotto.base.batch import Patterns
from lagotto.base.errors import InputError
from lagotto.base.urls import seed_url
from lagotto.base.views import Matching, TakenCommand
from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand
from lagotto.crawling.steering.compose import compose, from_changes
from lagotto.crawling.steering.effect import deliver, effect_at
from lagotto.store import storage_at

T = TypeVar("T")

JUDGED_AT_ONCE = 20_000
"""Pages up to which a crawl that does not run is judged again as soon as a mark or new words come in."""


class Changed(Struct, frozen=True):
    """What marks have changed."""

    flipped: dict[str, bool]
    """Other pages whose verdict changed -> the new one."""
    relevant_before: int
    relevant_now: int
    running: bool
    """Whether the crawl runs, and so judges its pages again by itself."""


def steer(directory: str | Path, *, who: str = "", **changes: Any) -> list[TakenCommand]:
    """Change a crawl, running or not; returns the commands as it took them.

    `changes` are options of `Config`, such as `max_pages`, `max_time`, `max_bytes`, `delay`, `ip_delay` and
    `concurrency`, and: `add_seeds`, `exclude`, `unexclude`, `include`, `uninclude`, `block_hosts`,
    `unblock_hosts` (lists), `boost_hosts` and `limit_hosts` (host -> number), `words` (`"solar=2 -nuclear"`,
    or word -> weight).
    """
    storage = storage_at(directory)
    found = from_changes(effect_at(storage), changes)
    if not found:
        raise InputError("there is nothing to change; name an option, such as max_pages")
    return _deliver(directory, found, who)


def preview(directory: str | Path, *, exclude: Sequence[str] = (), include: Sequence[str] = ()) -> Matching:
    """Which queued links further patterns would set aside: how many, and some of them; changes nothing."""
    storage = storage_at(directory)
    effect = effect_at(storage)
    for command in compose(effect, exclude=exclude, include=include):
        effect.change(command)
    with storage.reader() as reader:
        return reader.refused_by(Patterns(effect.config.include, effect.config.exclude))


def pause(directory: str | Path, *, who: str = "") -> TakenCommand:
    """Have a crawl send no more requests until `unpause`, also if it is killed and resumed."""
    return _deliver(directory, [commands.Pause()], who)[0]


def unpause(directory: str | Path, *, who: str = "") -> TakenCommand:
    """Let a paused crawl go on."""
    return _deliver(directory, [commands.Unpause()], who)[0]


def stop(directory: str | Path, *, who: str = "") -> TakenCommand:
    """Have the process that runs a crawl finish what is under way and end; `resume` goes on."""
    storage = storage_at(directory)
    effect_at(storage)
    if not storage.running():
        raise InputError(f"no crawl runs in {storage.location}, so there is nothing to stop")
    return _deliver(directory, [commands.Stop()], who)[0]


def feedback(directory: str | Path, url: str, *, on: bool | None, who: str = "") -> TakenCommand:
    """Mark a page of a crawl as on or off topic, or take a mark back (None).

    The mark counts more than any model. If the strategy learns from it, the queued links are ranked anew; if
    it does not, the outcome of the command says why.
    """
    storage, wanted = storage_at(directory), seed_url(url)
    with storage.reader() as reader:
        history = reader.history(wanted)
    if history is None or history.page is None or history.page.relevance is None:
        raise InputError(f"{wanted} is no page of the crawl in {storage.location}, so it cannot be marked")
    if on is None and history.page.mark is None:
        raise InputError(f"{wanted} is not marked, so there is no mark to take back")
    return _deliver(directory, [commands.Mark(wanted, on)], who)[0]


def answer(directory: str | Path, answers: Mapping[str, bool | None], *, who: str = "") -> Changed:
    """Mark pages as on or off topic, or take marks back (None), all at once, and say what that changed.

    A crawl that does not run is judged again at once. One that runs learns from the marks, and judges its
    pages again in due time.
    """
    before = _verdicts(directory)
    _deliver(directory, [commands.Mark(url, on) for url, on in answers.items()], who)
    after = _verdicts(directory)
    flipped = {url: after[url] for url, verdict in before.items() if verdict != after[url]}
    return Changed(
        {url: on for url, on in flipped.items() if url not in answers},
        sum(before.values()),
        sum(after.values()),
        storage_at(directory).running(),
    )


def _verdicts(directory: str | Path) -> dict[str, bool]:
    with storage_at(directory).reader() as reader:
        return {row.url: row.relevant for row in reader.rows() if row.relevant is not None}


def _deliver(directory: str | Path, found: Sequence[AnyCommand], who: str) -> list[TakenCommand]:
    async def open_and_close() -> None:
        async with Crawl.resume(directory) as crawl:
            if teaches and crawl.config.judge_again and crawl.statistics.pages <= JUDGED_AT_ONCE:
                await crawl.rejudge()

    teaches = any(isinstance(command, commands.Mark | commands.EditTopic) for command in found)

    return deliver(storage_at(directory), found, who, lambda: run_anywhere(open_and_close))


def config_of(location: str | Path) -> Config:
    """The configuration of a crawl that is in effect."""
    return effect_at(storage_at(location)).config


def run_to_end(crawl: Crawl) -> str:
    """Open a crawl, run it, close it; returns why it ended."""

    async def to_the_end() -> str:
        async with crawl:
            return await crawl.run()

    return run_anywhere(to_the_end)


def run_anywhere(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, in a thread of its own where an event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return uvloop.run(main())
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(uvloop.run, main()).result()
