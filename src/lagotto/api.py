"""Synchronous calls for scripts and notebooks: crawl, resume, steer, feedback, outlook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from lagotto.base import notebook
from lagotto.base.records import FetchedRow
from lagotto.base.views import Judging, PageChoice
from lagotto.crawling import assembly
from lagotto.crawling import config as configuration
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.crawling.control import (
    Changed,
    answer,
    config_of,
    feedback,
    pause,
    preview,
    run_anywhere,
    run_to_end,
    steer,
    stop,
    unpause,
)
from lagotto.crawling.inputs import make_topic
from lagotto.crawling.merge import Merged, merge_crawls
from lagotto.crawling.monitoring import Monitor
from lagotto.crawling.rejudging import latest_judging
from lagotto.crawling.revisit.calls import RevisitResult, visit_all
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.memory import replay
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.teaching import choose_pages
from lagotto.focus.topic import words_of
from lagotto.harvest.export import export
from lagotto.harvest.export.options import with_subtopic
from lagotto.harvest.report import report
from lagotto.harvest.search import SearchResults, search
from lagotto.harvest.subtopics import Subtopics, subtopics
from lagotto.parse.stored import reading_texts
from lagotto.store import storage_at

T = TypeVar("T")


__all__ = [
    "Changed",
    "Crawl",
    "CrawlResult",
    "Question",
    "answer",
    "config_of",
    "crawl",
    "crawl_on_cluster",
    "export_crawl",
    "feedback",
    "judge",
    "judging_of",
    "merge",
    "outlook",
    "pause",
    "preview",
    "questions",
    "result_of",
    "resume",
    "revisit",
    "run_anywhere",
    "steer",
    "stop",
    "unpause",
]

SHOWN = 10
"""Pages that a result shows in a notebook."""


class Question(Struct, frozen=True):
    """A page worth asking about."""

    page: FetchedRow
    text: str


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

    def export(self, path: str | Path, *, format: str = "", force: bool = False, **options: Any) -> int:
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
            return await crawl.rejudge()

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
    directory: str | Path, path: str | Path, *, format: str = "", force: bool = False, **options: Any
) -> int:
    """Write a crawl to a file or folder in one of the formats of docs/exports.md; returns how many rows.

    Without a format the ending of the path says which; a path with none of them gets JSON lines.
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


def questions(directory: str | Path, n: int = 20, *, random_seed: int = 0) -> list[Question]:
    """Pages of a crawl whose marks would teach most, with their texts; pages marked before are left out."""
    with storage_at(directory).reader() as reader:
        marked = {mark.url for mark in reader.marks()}
        chosen = choose_pages(reader.rows(), n, marked, random_seed=random_seed)
        texts = reading_texts(reader, [row.seq for row in chosen])
        return [Question(row, text) for row, text in zip(chosen, texts, strict=True)]


def crawl_on_cluster(
    topic: str | list[str] = "", *, location: str | Path, cluster: str | int = "auto", **options: Any
) -> CrawlResult:
    """Crawl for a topic on several workers; `options` are those of `lagotto.crawl`.

    `location` is `postgresql://...?crawl=NAME`, or a directory, which then has a database of its own.
    """
    words = topic if isinstance(topic, str) else words_of(topic)
    run = ClusterRun(location, str(cluster), configuration.from_values({"topic": words, **options}))
    return result_of(run.location, run.run())


def result_of(location: str, why: str) -> CrawlResult:
    """What a crawl left behind that other processes ran."""
    with storage_at(location).reader() as reader:
        figures = reader.status()
    return CrawlResult(location, why, figures.pages, figures.relevant)


def _finish(crawl: Crawl) -> CrawlResult:
    why = run_to_end(crawl)
    stats = crawl.statistics
    place = crawl.storage.folder or crawl.location
    return CrawlResult(place, why, stats.pages, stats.relevant, crawl.ended_early)
