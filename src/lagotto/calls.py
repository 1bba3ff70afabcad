"""Synchronous calls for scripts and notebooks: crawl, resume, steer, feedback, outlook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from msgspec import Struct

from lagotto import assembly, notebook
from lagotto import config as configuration
from lagotto.api import Crawl
from lagotto.batch import Patterns
from lagotto.config import Config
from lagotto.crawling.memory import replay
from lagotto.crawling.rejudging import latest_judging
from lagotto.errors import InputError
from lagotto.export import export
from lagotto.export.by_subtopic import with_subtopic
from lagotto.export.contents import reading_texts
from lagotto.grouping import Subtopics, subtopics
from lagotto.merging import Merged, merge_crawls
from lagotto.monitoring import Monitor
from lagotto.records import FetchedRow
from lagotto.registry import AnyStrategy
from lagotto.reporting import report
from lagotto.revisiting.calls import RevisitResult, visit_all
from lagotto.searching import SearchResults, search
from lagotto.steering import commands
from lagotto.steering.commands import AnyCommand
from lagotto.steering.compose import compose, from_changes
from lagotto.steering.sending import deliver, effect_at
from lagotto.store import storage_at
from lagotto.teaching import choose_pages
from lagotto.topic import words_of
from lagotto.urls import seed_url
from lagotto.views import Judging, Matching, PageChoice, TakenCommand
from lagotto.wanted import make_topic

T = TypeVar("T")


SHOWN = 10
"""Pages that a result shows in a notebook."""
JUDGED_AT_ONCE = 20_000
"""Pages up to which a crawl that does not run is judged again as soon as a mark or new words come in."""


class Question(Struct, frozen=True):
    """A page worth asking about."""

    page: FetchedRow
    text: str


class Changed(Struct, frozen=True):
    """What marks have changed."""

    flipped: dict[str, bool]
    """Other pages whose verdict changed -> the new one."""
    relevant_before: int
    relevant_now: int
    running: bool
    """Whether the crawl runs, and so judges its pages again by itself."""


class CrawlResult(Struct):
    """What a finished crawl left behind."""

    directory: Path | str
    """Where the crawl is kept."""
    why: str
    pages_fetched: int
    relevant: int
    ended_early: list[str] = []
    """What stopped a crawl that ended after a handful of pages, and what would help."""

    @property
    def harvest_ratio(self) -> float:
        """Relevant pages divided by fetched pages."""
        return self.relevant / self.pages_fetched if self.pages_fetched else 0.0

    def pages(self, *, relevant_only: bool = False, with_text: bool = False) -> Iterator[FetchedRow]:
        """Concluded URLs in fetch order."""
        with storage_at(self.directory).reader() as reader:
            yield from reader.rows(relevant_only=relevant_only, with_text=with_text)

    def export(self, path: str | Path, *, format: str = "jsonl", force: bool = False, **options: Any) -> int:
        """Write the crawl to a file or folder; see `lagotto.export_crawl`."""
        return export_crawl(self.directory, path, format=format, force=force, **options)

    def report(self, path: str | Path, *, force: bool = False) -> Path:
        """Write what was asked and found to one HTML page; see `lagotto.report`."""
        return report(self.directory, path, force=force)

    def subtopics(self, *, number: int | None = None, rebuild: bool = False) -> Subtopics:
        """The pages on topic sorted into groups with names; see `lagotto.subtopics`."""
        return subtopics(self.directory, number=number, rebuild=rebuild)

    def search(self, query: str = "", **options: Any) -> SearchResults:
        """Search the pages; `options` are those of `lagotto.search`."""
        return search(self.directory, query, **options)

    def _repr_html_(self) -> str:
        """The figures and the most relevant pages, as a notebook shows them."""
        figures = f"{self.pages_fetched:,} pages, {self.relevant:,} relevant ({self.harvest_ratio:.0%})"
        with storage_at(self.directory).reader() as reader:
            best = reader.chosen_pages(PageChoice(relevant=True), "relevance", limit=SHOWN).numbers
            rows = [
                [f"{page.row.relevance:.2f}", notebook.link(page.row.url, page.row.title or page.row.url)]
                for page in reader.pages_at(best)
            ]
        said = f"<p>{escape(str(self.directory))}: {figures}; {escape(self.why)}</p>"
        return said + (notebook.table(["relevance", "page"], rows) if rows else "")


def crawl(
    topic: str | Sequence[str] = "",
    *,
    directory: str | Path,
    seeds: Sequence[str] | str = (),
    strategy: AnyStrategy | None = None,
    monitor: Monitor | None = None,
    **options: Any,
) -> CrawlResult:
    """Crawl for a topic and return what was found; `options` are those of `Config`, as in docs/options.md.

    The topic is a line of words with phrases in quotes, or a list in which a phrase is one element.
    `strategy` is a name, or an object or a class derived from `lagotto.Strategy`. `monitor` says what is told
    of the crawl while it runs, as in docs/monitoring.md.
    Works in scripts and in notebooks, where an event loop is already running.
    """
    words = topic if isinstance(topic, str) else words_of(topic)
    config = configuration.from_values({"topic": words, "seeds": seeds, **options})
    return _finish(Crawl(config, directory, strategy=strategy, monitor=monitor))


def judge(directory: str | Path, *, encoder: str = "", strategy: AnyStrategy | None = None) -> Judging | None:
    """Judge all pages of a crawl again by what is known now; None if its strategy judges no page twice.

    `encoder` is the folder of a sentence encoder, `auto` or `none`, instead of what the crawl says.
    """
    changes: dict[str, Any] = {"encoder": encoder} if encoder else {}
    crawl = Crawl.resume(directory, strategy=strategy, **changes)

    async def to_the_end() -> Judging | None:
        async with crawl:
            return await crawl.judge()

    return run_anywhere(to_the_end)


def judging_of(directory: str | Path) -> Judging | None:
    """What the last judging of all pages found, as it is stored: verdicts, presence, precision, recall.

    Nothing is computed, so it may be read at any time, also while the crawl runs. None if there was none yet.
    """
    with storage_at(directory).reader() as reader:
        return latest_judging(reader)


def resume(
    directory: str | Path,
    *,
    strategy: AnyStrategy | None = None,
    monitor: Monitor | None = None,
    **changes: Any,
) -> CrawlResult:
    """Go on with a crawl; `changes` are what `steer` takes, such as `max_pages`, and are kept as commands.

    A strategy that was given as an object or a class must be given again.
    """
    return _finish(Crawl.resume(directory, strategy=strategy, monitor=monitor, **changes))


def revisit(directory: str | Path, **options: Any) -> RevisitResult:
    """Visit the pages of a crawl again and keep what changed; see docs/revisit.md.

    `options` are `max_pages`, `max_time`, `every` (mean seconds between two visits to a page), `due` (only
    pages whose interval is over), `watch` (go on until `max_time` or `lagotto.stop`), and how to ask, such
    as `delay` and `proxy`.
    """
    return run_anywhere(lambda: visit_all(directory, **options))


def merge(first: str | Path, second: str | Path, directory: str | Path) -> Merged:
    """Make one crawl of two, in a new directory, and judge its pages again.

    Topic, strategy and options are those of the first.
    """
    merged = run_anywhere(lambda: merge_crawls(first, second, directory))
    if merged.pages and merged.config.judge_again:
        judge(directory)
    return merged


def export_crawl(
    directory: str | Path, path: str | Path, *, format: str = "jsonl", force: bool = False, **options: Any
) -> int:
    """Write a crawl to a file or folder in one of the formats of docs/exports.md; returns how many rows.

    `options` are those of `lagotto export` with underscores, such as `relevant_only=True` or `top=100`.
    A path that exists is replaced only with `force`.
    """

    def topic() -> str:
        return config_of(directory).in_words()

    storage = storage_at(directory)
    with storage.reader() as reader:
        options = with_subtopic(storage, reader, options)
        return export(reader, format, Path(path), force=force, topic=topic, **options)


def outlook(directory: str | Path, *, strategy: AnyStrategy | None = None) -> dict[str, float]:
    """How the crawl in a directory is doing by its strategy's own judgement, also while it runs.

    Among other things: `expected`, relevant pages a fetch that the best links promise; `marginal`, what the
    latest fetches brought; `recall`, the share of relevant pages that is fetched. Some strategies have none.
    """
    with storage_at(directory).reader() as reader:
        learned = reader.learned()
    config = config_of(directory)
    made = assembly.make_strategy(config, make_topic(config), strategy, str(directory))
    replay(made, learned)
    return made.outlook()


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


def questions(directory: str | Path, n: int = 20, *, random_seed: int = 0) -> list[Question]:
    """Pages of a crawl whose marks would teach most, with their texts; pages marked before are left out."""
    with storage_at(directory).reader() as reader:
        marked = {mark.url for mark in reader.marks()}
        chosen = choose_pages(reader.rows(), n, marked, random_seed=random_seed)
        texts = reading_texts(reader, [row.seq for row in chosen])
        return [Question(row, text) for row, text in zip(chosen, texts, strict=True)]


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
                await crawl.judge()

    teaches = any(isinstance(command, commands.Mark | commands.EditTopic) for command in found)

    return deliver(storage_at(directory), found, who, lambda: run_anywhere(open_and_close))


def config_of(location: str | Path) -> Config:
    """The configuration of a crawl that is in effect."""
    return effect_at(storage_at(location)).config


def _finish(crawl: Crawl) -> CrawlResult:
    async def to_the_end() -> CrawlResult:
        async with crawl:
            why = await crawl.run()
        stats = crawl.statistics
        place = crawl.storage.folder or crawl.location
        return CrawlResult(place, why, stats.pages, stats.relevant, crawl.ended_early)

    return run_anywhere(to_the_end)


def run_anywhere(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, in a thread of its own where an event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return uvloop.run(main())
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(uvloop.run, main()).result()
