"""What judging, scoring and learning cost a page as a crawl grows: 1,000, 10,000 and 40,000 pages of debdocs.

    python benchmarks/bench_strategies.py [--topic astronomy] [STRATEGY ...]

Every strategy meets the same pages in the same shuffled order, so that the pages are of one kind throughout
and only what was learned before differs. Those with a shelf expand their best page after every ten. Printed
are microseconds of CPU a page over the last thousand before each mark, and the size of what a snapshot keeps.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time
from collections.abc import Sequence

import msgspec
from measuring import OUTPUT
from webs import task, web_path

from lagotto.lab.analysis import analysis_of
from lagotto.lab.web import FrozenWeb
from lagotto.records import Lease, Page
from lagotto.registry import build_strategy
from lagotto.strategies.base import Strategy
from lagotto.topic import Topic
from lagotto.urls import checksum, host_of

MARKS = (1_000, 10_000, 40_000)
WINDOW = 1_000
EXPAND_AFTER = 10
STRATEGIES = ("bfs", "best-first", "static", "dynamic", "priority", "neural", "hybrid", "linkrank")
_decoder = msgspec.msgpack.Decoder(Page)


class Shelf:
    """Ranks of pages whose links wait, the best on top."""

    def __init__(self) -> None:
        self._ranks: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []

    def put(self, page_id: int, rank: float) -> None:
        """Shelve a page, or give it another rank."""
        self._ranks[page_id] = rank
        heapq.heappush(self._heap, (-rank, page_id))

    def pop(self) -> int:
        """Take the best page."""
        while True:
            rank, page_id = heapq.heappop(self._heap)
            if self._ranks.get(page_id) == -rank:
                del self._ranks[page_id]
                return page_id

    def __contains__(self, page_id: int) -> bool:
        return page_id in self._ranks


def costs(strategy: Strategy, analysis: FrozenWeb, urls: Sequence[str]) -> list[float]:
    """CPU microseconds a page in the window before each mark."""
    shelf = Shelf()
    spent: list[float] = []
    for number, url in enumerate(urls, 1):
        body = analysis.get(url)
        assert body is not None, f"{url} is not in its own web"
        page = _decoder.decode(body)
        lease = Lease(checksum(url), url, host_of(url), depth=0 if number <= 2 else 1)
        started = time.process_time()
        judgement = strategy.judge(page)
        strategy.score(page, judgement, lease)
        sample = strategy.sample(page, judgement, lease)
        if sample is not None:
            strategy.learn(sample)
        used = time.process_time() - started
        if judgement.shelf is not None:
            shelf.put(lease.id, judgement.shelf)
            if number % EXPAND_AFTER == 0:
                used += expand(strategy, shelf)
        spent.append(1e6 * used)
    marks = [mark for mark in MARKS if mark <= len(urls)]
    return [sum(spent[mark - WINDOW : mark]) / WINDOW for mark in marks]


def expand(strategy: Strategy, shelf: Shelf) -> float:
    """Expand the best page; returns the strategy's CPU seconds."""
    page_id = shelf.pop()
    started = time.process_time()
    ranks = list(strategy.expanded(page_id))
    used = time.process_time() - started
    for other, rank in ranks:
        if other in shelf:
            shelf.put(other, rank)
    return used


def main() -> None:
    """Measure the strategies one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--topic", default="astronomy")
    parser.add_argument("--pages", type=int, default=MARKS[-1])
    arguments = parser.parse_args()
    words = task("debdocs", arguments.topic).words
    analysis = analysis_of(FrozenWeb.open(web_path("debdocs")), OUTPUT)
    urls = list(analysis.urls())
    random.Random(7).shuffle(urls)
    print("strategy    " + "".join(f"{mark:>9,}" for mark in MARKS if mark <= arguments.pages) + "    state")
    print("              us CPU a page               KiB")
    for name in arguments.strategies:
        strategy = build_strategy(name, Topic(words), {})
        figures = "".join(f"{cost:9.0f}" for cost in costs(strategy, analysis, urls[: arguments.pages]))
        print(f"{name:12}{figures} {len(strategy.save()) / 1024:8.0f}", flush=True)


if __name__ == "__main__":
    main()
