"""How long it takes to judge all pages of a crawl again, without an encoder.

    python benchmarks/bench_judge.py [--pages 100000]

A crawl of made-up pages is written into a store, `scent` learns from the first ones, and all of them are
judged again and stored. The aim is less than a minute for 100,000 pages.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from lagotto.base.batch import Batch
from lagotto.base.records import Lease, NewLink, Outcome, Page
from lagotto.base.urls import SHARDS, checksum, host_of
from lagotto.crawling.rejudging import judge_pages, store_verdicts
from lagotto.crawling.worker.process import one_numpy_thread
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.store import storage_at

LEARNED = 2000
"""Pages that the strategy learns from."""
WORDS_A_PAGE = 400
LINKS_A_PAGE = 30
AT_ONCE = 500


def made_up_pages(count: int) -> Iterator[Page]:
    """Pages of random words, one in five about the topic, on a thousand hosts."""
    from lagotto.parse.page import parse_page

    draw = random.Random(1)
    vocabulary = [f"word{number}" for number in range(20_000)]
    weights = [1.0 / (rank + 10) for rank in range(len(vocabulary))]
    for number in range(count):
        chosen = draw.choices(vocabulary, weights, k=WORDS_A_PAGE)
        if number % 5 == 0:
            chosen[::20] = ["solar", "power"] * (len(chosen[::20]) // 2)
        links = "".join(
            f'<a href="http://h{other % 1000}.example/{other}">{draw.choice(vocabulary)}</a> '
            for other in draw.sample(range(count), min(LINKS_A_PAGE, count))
        )
        body = f"<title>{chosen[0]} {chosen[1]}</title><p>{' '.join(chosen)}</p>{links}"
        yield parse_page(f"http://h{number % 1000}.example/{number}", body.encode())


def outcome_of(page: Page, strategy: Scent, lease: Lease, *, learn: bool) -> Outcome:
    """The page as it would be committed."""
    judgement = strategy.judge(page)
    if learn:
        strategy.score(page, judgement, lease)
        strategy.learn(strategy.sample(page, judgement, lease))
    links = [
        NewLink(checksum(link.url), link.url, host_of(link.url), 0.5, [], 1, page.url) for link in page.links
    ]
    return Outcome(lease, 1.0, status=200, page=page, judgement=judgement, links=links)


async def measure(folder: Path, count: int) -> None:
    """Fill a store, judge it again, and print what that took."""
    strategy = Scent(Topic("solar power"))
    store = await storage_at(folder / "crawl").create(b"")
    await store.acquire(range(SHARDS), "local")
    batch: list[Outcome] = []
    for number, page in enumerate(made_up_pages(count)):
        lease = seed_lease(page.url)
        lease.depth = 1 if number else 0
        batch.append(outcome_of(page, strategy, lease, learn=number < LEARNED))
        if len(batch) == AT_ONCE or number == count - 1:
            await store.commit(Batch(seeds=[outcome.lease for outcome in batch]))
            await store.commit(Batch(outcomes=batch))
            batch = []
    began, cpu = time.perf_counter(), time.process_time()
    with one_numpy_thread():
        found = judge_pages(store.reader(), strategy, language="en")
    assert found is not None
    judged = time.process_time()
    await store_verdicts(store, found)
    stored = time.process_time()
    await store.close()
    print(
        f"{len(found.judgements):,} pages judged again in {time.perf_counter() - began:.1f} s "
        f"({judged - cpu:.1f} s of CPU to judge, {stored - judged:.1f} s to store; "
        f"{1000 * (stored - cpu) / count:.2f} ms a page)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100_000)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), asked.pages))


if __name__ == "__main__":
    main()
