"""New seeds for a crawl that has dried up: search engines are asked by what its topic table says now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.crawling import inputs as wanted
from lagotto.crawling.config import with_secrets
from lagotto.crawling.control import config_of, run_anywhere, run_to_end, steer
from lagotto.crawling.seeds.named import KEYWORDS, ask_engines, search_query
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.worker import EMPTY, HOSTS_GONE
from lagotto.focus.topic import words_of
from lagotto.focus.topic.history import KIND, read_versions
from lagotto.store import storage_at

ROUNDS = 3
"""Times that engines are asked at most, while the crawl dries up again."""


class Refill(Struct):
    """What engines were asked once, and what they named."""

    query: str
    named: dict[str, list[str]]
    """Engine -> URLs that it named."""
    new: list[str]
    """URLs that the crawl did not know."""
    failed: dict[str, str]
    """Engine -> why it gave nothing."""


class EngineShare(Struct):
    """What an engine has brought to a crawl."""

    engine: str
    named: int
    new: int
    fetched: int
    relevant: int

    def sentence(self) -> str:
        """For a person."""
        found = f"{self.new} new, {self.fetched} fetched, {self.relevant} on topic"
        return f"{self.engine} named {self.named} URLs: {found}"


def dried_up(why: str) -> bool:
    """Whether a crawl ended because it had nothing left to fetch."""
    return why.startswith((EMPTY, HOSTS_GONE))


def current_query(directory: str | Path, turn: int = 0) -> str:
    """The heaviest keywords of the topic table as it is now, others each turn; without a table the words."""
    with storage_at(directory).reader() as reader:
        versions = read_versions([version.content for version in reader.versions(KIND)])
    if not versions:
        return search_query(wanted.make_topic(config_of(directory)))
    table = versions[-1].table
    keywords = [table.readable[keyword] for keyword in list(table)]
    return words_of(keywords[turn * KEYWORDS : (turn + 1) * KEYWORDS] or keywords[:KEYWORDS])


def refill(directory: str | Path, engines: Sequence[str] = (), *, limit: int = 10, turn: int = 0) -> Refill:
    """Ask engines by what the topic table says now, and queue the URLs that the crawl does not know."""
    config, _ = with_secrets(config_of(directory))
    query = current_query(directory, turn)
    agreement = run_anywhere(
        lambda: ask_engines(
            query, engines=engines, limit=limit, proxy=config.proxy, allow_private=config.allow_private
        )
    )
    named: dict[str, list[str]] = {name: [] for name in agreement.answered}
    for seed in agreement.seeds:
        for placing in seed.placings:
            named[placing.engine].append(seed.url)
    with storage_at(directory).reader() as reader:
        new = [seed.url for seed in agreement.seeds if reader.history(seed.url) is None]
    if new:
        steer(directory, add_seeds=new)
    return Refill(query, named, new, {failure.engine: failure.why for failure in agreement.failed})


def run_and_refill(
    run: Callable[[], str],
    directory: str | Path,
    engines: Sequence[str] = (),
    *,
    limit: int = 10,
    tell: Callable[[Refill], None] = lambda _: None,
) -> list[Refill]:
    """Run a crawl; whenever it has dried up, ask engines and go on, three times at most.

    `run` goes on with the crawl and returns why it ended.
    """
    refills: list[Refill] = []
    why = run()
    while dried_up(why) and len(refills) < ROUNDS:
        refills.append(refill(directory, engines, limit=limit, turn=len(refills)))
        tell(refills[-1])
        if refills[-1].new:
            why = run()
    return refills


def grow(
    directory: str | Path, *, engines: Sequence[str] = (), limit: int = 10, **changes: Any
) -> list[EngineShare]:
    """Go on with a crawl as `lagotto.resume` does, and ask engines for seeds whenever it has dried up.

    Returns what each engine has brought. `changes` are those of `lagotto.resume`.
    """
    waiting = [changes]

    def run() -> str:
        return run_to_end(Crawl.resume(directory, **(waiting.pop() if waiting else {})))

    refills = run_and_refill(run, directory, engines, limit=limit)
    with storage_at(directory).reader() as reader:
        return shares(reader, refills)


def shares(reader: Reader, refills: Sequence[Refill]) -> list[EngineShare]:
    """What each engine has brought, by what became of the URLs that were new."""
    new = {url for each in refills for url in each.new}
    named: dict[str, set[str]] = {}
    for each in refills:
        for engine, urls in each.named.items():
            named.setdefault(engine, set()).update(urls)
    found = []
    for engine, said in named.items():
        brought = said & new
        pages = [history.page for url in brought if (history := reader.history(url)) and history.page]
        fetched = [page for page in pages if page.status == 200]
        relevant = sum(bool(page.relevant) for page in fetched)
        found.append(EngineShare(engine, len(said), len(brought), len(fetched), relevant))
    return found
