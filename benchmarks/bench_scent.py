"""CPU time of `scent` per page, by part, and its longest calls.

    python benchmarks/bench_scent.py [--pages 2000] [--links 1000000]

The pages of a generated web have 300 terms and 50 links each: to the menu of their host, to other pages of
it, fetched or not, to one that is fetched soon, and to any page. A first crawl of `--pages` measures the CPU
time of all calls per page. A second crawl measures it by part, which adds some overhead. A third crawl, of
`--links` links, measures the longest single calls. The time of ten million additions shows the speed of the
machine. Pages are hashed, as the parser returns them.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from measuring import OUTPUT, memory

from lagotto.base.batch import Batch, Snapshot
from lagotto.base.hashing import hash_link, hash_page
from lagotto.base.records import Lease, Link, Page
from lagotto.base.urls import checksum, host_of
from lagotto.crawling.worker.process import collecting_seldom
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.strategies.scent import samples as sampling
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_model import LinkModel
from lagotto.focus.topic import Topic
from lagotto.lab.checks.store_calls import hold_all, outcome, queue, restored, seed, top
from lagotto.store import storage_at
from lagotto.store.sql.learned import PIECE

HOSTS = 40
LINKS = 50
MENU, MET, OWN = 12, 13, 15
"""Number of links to the first pages of the host, to fetched and to any pages of it; others go anywhere."""
SOON = 17
"""Each page links to the one that is fetched this many pages later, so that fetched pages have links."""
TERMS = 300
VOCABULARY = [f"term{number}" for number in range(20_000)]
PATHS = ("body>div.menu>ul>li>a", "body>div.text>p>a", "body>div.text>ul>li>a")
TEXTS = 500
"""Number of texts that pages share, so that generating the web is fast."""
SNAPSHOT_EVERY = 1000
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Page)


class Result(msgspec.Struct):
    """The measured figures."""

    yardstick: float
    """CPU seconds of ten million additions in a loop, before and after the first crawl."""
    pages: int
    all: float
    """Milliseconds of CPU a page."""
    milliseconds: dict[str, float]
    """The same by part."""
    links: int
    longest: dict[str, float]
    """Milliseconds of CPU of the longest call, including other parts called by it."""
    snapshot_megabytes: float
    write: float
    """Wall-clock milliseconds of the longest transaction that writes a part of it."""
    resident_megabytes: float


class Web:
    """Pages by number; a quarter of them are on topic."""

    def __init__(self, pages: int) -> None:
        self._random = random.Random(1)
        self._far = 20 * pages
        self._texts = [self._terms() for _ in range(TEXTS)]

    def page(self, number: int) -> Page:
        """Generate the page of this number."""
        pick = self._random
        terms = dict(self._texts[number % TEXTS])
        if number % 4 == 0:
            terms["heron"] = 3
        host = number % HOSTS
        numbers = [host + HOSTS * at for at in range(MENU)]
        numbers += [host + HOSTS * pick.randrange(number // HOSTS + 1) for _ in range(MET)]
        numbers += [host + HOSTS * pick.randrange(self._far // HOSTS) for _ in range(OWN)]
        targets = dict.fromkeys([*numbers, number + SOON])
        while len(targets) < LINKS:
            targets[pick.randrange(self._far)] = None
        links = [self._link(target, at) for at, target in enumerate(targets)]
        titled = ["heron"] if number % 8 == 0 else []
        made = Page(url=_url(number), terms=terms, title_terms=titled, links=links)
        hash_page(made)
        # As the parser returns pages: hashed, and with separate string objects.
        return _decoder.decode(_encoder.encode(made))

    def _link(self, target: int, at: int) -> Link:
        pick = self._random
        words = ["heron"] if target % 4 == 0 and pick.random() < 0.3 else []
        link = Link(
            url=_url(target),
            path=PATHS[0] if at < MENU else PATHS[1 + at % 2],
            anchor_terms=words + self._words(3),
            context_terms=self._words(14),
            url_terms=["page"],
        )
        hash_link(link)
        return link

    def _terms(self) -> dict[str, int]:
        return dict(Counter(self._words(3 * TERMS)).most_common(TERMS))

    def _words(self, n: int) -> list[str]:
        """Random words, common ones more often: the logarithm of a term's rank is uniform."""
        return [VOCABULARY[int(len(VOCABULARY) ** self._random.random()) - 1] for _ in range(n)]


def _url(number: int) -> str:
    return f"http://host{number % HOSTS}.example/{number // HOSTS % 10}/{number}.html"


class Stopwatch:
    """CPU time of calls, without that of measured calls inside them."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.longest: dict[str, float] = {}
        self._inside = 0.0

    def watch(self, owner: Any, method: str, part: str) -> None:
        """Measure a method under the name of a part."""
        setattr(owner, method, self.timed(getattr(owner, method), part))

    def timed(self, call: Callable[..., Any], part: str) -> Callable[..., Any]:
        """The same call, measured."""

        def watched(*arguments: Any, **named: Any) -> Any:
            outside, self._inside = self._inside, 0.0
            started = time.process_time()
            try:
                return call(*arguments, **named)
            finally:
                taken = time.process_time() - started
                self.spent[part] = self.spent.get(part, 0.0) + taken - self._inside
                self.longest[part] = max(self.longest.get(part, 0.0), taken)
                self._inside = outside + taken

        return watched


PARTS = (
    (Judge, "read", "read text"),
    (sampling, "new_links", "read links"),
    (Judge, "fit", "fit judge"),
    (LinkModel, "revise", "look at links"),
    *((Scent, method, method) for method in ("judge", "score", "sample", "learn", "revisions", "save")),
)


def read(strategy: Scent, page: Page, lease: Lease) -> None:
    """Call the strategy as a crawl does for a page."""
    judgement = strategy.judge(page)
    strategy.score(page, judgement, lease)
    strategy.learn(strategy.sample(page, judgement, lease))
    strategy.revisions()


def crawl(pages: int, read: Callable[[Scent, Page, Lease], None], snapshot_every: int = 0) -> Scent:
    """Crawl this many pages."""
    web, strategy = Web(pages), Scent(Topic("heron bird"))
    for number in range(pages):
        page = web.page(number)
        lease = Lease(checksum(page.url), page.url, host_of(page.url), depth=0 if number < 2 else 1)
        read(strategy, page, lease)
        if snapshot_every and number % snapshot_every == snapshot_every - 1:
            strategy.save()
    return strategy


def crawl_by_parts(pages: int, snapshot_every: int = 0) -> tuple[Scent, Stopwatch]:
    """The same, measured by part."""
    watch = Stopwatch()
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in PARTS]
    for owner, name, part in PARTS:
        watch.watch(owner, name, part)
    try:
        return crawl(pages, read, snapshot_every), watch
    finally:
        for owner, name, method in kept:
            setattr(owner, name, method)


async def longest_write(state: bytes) -> float:
    """Wall-clock seconds of the longest transaction while a snapshot is written three times.

    The third one replaces an earlier one, as all later ones do.
    """
    longest = 0.0
    pieces = len(state) // PIECE
    with TemporaryDirectory() as folder:
        store = await hold_all(await storage_at(Path(folder) / "crawl").create(b""))
        await queue(store, [seed(f"http://host.example/{number}") for number in range(3 * pieces)])
        for _ in range(3):
            leases = await top(store, "host.example", pieces)
            batches = [Batch(snapshot=Snapshot(state)), *(Batch(outcomes=[outcome(each)]) for each in leases)]
            for batch in batches:
                started = time.perf_counter()
                await store.commit(batch)
                longest = max(longest, time.perf_counter() - started)
            assert (await restored(store))[0] == state
        await store.close()
    return longest


def yardstick() -> float:
    """CPU seconds of ten million additions."""
    started, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - started


def main() -> None:
    """Measure, print and save the figures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--links", type=int, default=1_000_000)
    asked = options.parse_args()
    before = yardstick()
    whole = Stopwatch()
    with collecting_seldom():
        crawl(asked.pages, whole.timed(read, "all"))
    after = yardstick()
    with collecting_seldom():
        _, watch = crawl_by_parts(asked.pages)
    parts = {part: 1000 * spent / asked.pages for part, spent in sorted(watch.spent.items())}
    with collecting_seldom():
        strategy, watch = crawl_by_parts(asked.links // LINKS, SNAPSHOT_EVERY)
    state = strategy.save()
    result = Result(
        yardstick=round((before + after) / 2, 2),
        pages=asked.pages,
        all=round(1000 * whole.spent["all"] / asked.pages, 4),
        milliseconds={part: round(spent, 4) for part, spent in parts.items()},
        links=asked.links,
        longest={part: round(1000 * spent, 1) for part, spent in sorted(watch.longest.items())},
        snapshot_megabytes=round(len(state) / 1e6, 1),
        write=round(1000 * asyncio.run(longest_write(state)), 1),
        resident_megabytes=round(memory(), 1),
    )
    print(f"{asked.pages:,} pages: milliseconds of CPU a page")
    for part, spent in [("all", result.all), *parts.items()]:
        print(f"  {part:<16}{spent:8.3f}")
    print(f"{asked.links:,} links: longest call, milliseconds of CPU")
    for part, longest in result.longest.items():
        print(f"  {part:<16}{longest:8.1f}")
    print(f"longest transaction that writes a part of a snapshot: {result.write} ms by the clock")
    print(f"snapshot {result.snapshot_megabytes} MB, process {result.resident_megabytes} MiB")
    print(f"ten million additions took {result.yardstick} s")
    OUTPUT.mkdir(exist_ok=True)
    (OUTPUT / "scent.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)))


if __name__ == "__main__":
    main()
