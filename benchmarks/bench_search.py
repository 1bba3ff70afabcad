"""What a search index costs: CPU a page to make it, CPU a query at 100,000 pages.

    python benchmarks/bench_search.py [--pages 100000] [--queries 300] [--directory PATH]

The pages are those of debdocs, repeated: in every copy a fifth of the lines of a page come from other pages.
They are put into a store without being fetched. A query is measured with all that `lagotto search` does
after its start: looking for new pages, ranking, snippets of ten pages. `--directory` keeps the crawl.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from figures import Aim, Figures, Table, count, publish
from webs import web_path

from lagotto.base.batch import Batch
from lagotto.base.protocols import Store
from lagotto.base.records import Judgement, Lease, Outcome, Page
from lagotto.base.text import stop_words, words
from lagotto.base.urls import SHARDS, checksum, host_of
from lagotto.harvest.search import Search
from lagotto.lab.webs.web import FrozenWeb
from lagotto.parse.page import parse_page
from lagotto.store import storage_at

SOURCES = 5000
"""Pages of debdocs that the others are made of."""
BATCH = 500
"""Pages of a commit of the store."""
LOTS, LOT = 3, 2000
"""Pages that come when the index is there already: so many times so many."""
MOST_INDEXING = 0.3
MOST_QUERY = 10.0


def main() -> None:
    """Make a crawl, index it and search it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--directory", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
        directory = arguments.directory or Path(folder) / "crawl"
        if not storage_at(directory).exists():
            asyncio.run(fill(directory, arguments.pages))
        run(directory, arguments.queries)


def run(directory: Path, queries: int) -> None:
    """Index and search a crawl, and publish the figures."""
    drawn = random.Random(7)
    with storage_at(directory).reader() as reader:
        pages = reader.status().pages
        titles = [row.title for row in reader.rows() if drawn.random() < 0.05]
    start = time.process_time()
    with Search(directory, rebuild=True) as crawl:
        whole = 1000 * (time.process_time() - start) / pages
        print(f"indexed {count(pages)} pages: {whole:.3f} ms of CPU a page", flush=True)
        later = asyncio.run(grow(directory, crawl))
        print(f"indexed {count(LOTS * LOT)} more as they came: {later:.3f} ms of CPU a page", flush=True)
        kinds = {
            name: [measured(crawl, query) for query in some] for name, some in asked(titles, drawn, queries)
        }
    size = sum(path.stat().st_size for path in (directory / "index").iterdir()) / 2**20
    publish(figures(pages, whole, later, kinds, size))


def asked(titles: list[str], drawn: random.Random, number: int) -> Iterator[tuple[str, list[str]]]:
    """Queries of several kinds, made of words of titles."""

    def some(most: int) -> list[str]:
        while True:
            found = [word for word in words(drawn.choice(titles)) if word not in stop_words("en")]
            if len(found) >= most:
                start = drawn.randrange(len(found) - most + 1)
                return found[start : start + most]

    yield "one word", [some(1)[0] for _ in range(number)]
    yield "three words", [" ".join(some(3)) for _ in range(number)]
    yield "a phrase", [f'"{" ".join(some(2))}"' for _ in range(number)]
    yield "either of two words, relevant", [" OR ".join(some(2)) + " relevant:yes" for _ in range(number)]
    yield "a host", [f"{some(1)[0]} host:debian.org" for _ in range(number)]


def measured(crawl: Search, query: str) -> float:
    """Milliseconds of CPU of a search."""
    start = time.process_time()
    crawl.search(query)
    return 1000 * (time.process_time() - start)


def figures(pages: int, whole: float, later: float, kinds: dict[str, list[float]], size: float) -> Figures:
    """The results as tables and aims."""
    slowest = max(float(np.percentile(times, 95)) for times in kinds.values())
    rows = [
        [name, *(f"{np.percentile(times, share):.1f}" for share in (50, 95, 99))]
        for name, times in kinds.items()
    ]
    return Figures(
        name="search",
        sentences=[
            f"The index of {count(pages)} pages takes {size:,.0f} MiB. Making it cost {whole:.2f} ms of CPU "
            f"a page, and {later:.2f} ms for pages that came later, {count(LOT)} at a time."
        ],
        tables=[Table("CPU milliseconds a query", ["query", "median", "95 %", "99 %"], rows)],
        aims=[
            Aim(
                "indexing, ms of CPU a page", f"under {MOST_INDEXING}", f"{whole:.2f}", whole < MOST_INDEXING
            ),
            Aim("search, ms, 95 %", f"under {MOST_QUERY:g}", f"{slowest:.1f}", slowest < MOST_QUERY),
        ],
        measured={"whole": whole, "later": later, **kinds},
    )


async def grow(directory: Path, crawl: Search) -> float:
    """Add pages to the crawl and to its index by turns; milliseconds of CPU a page that the index took."""
    store = await storage_at(directory).open()
    await store.acquire(range(SHARDS), "local")
    spent = 0.0
    made = pages(LOTS * LOT, random.Random(11), f"later{time.time_ns()}")
    for _ in range(LOTS):
        for _ in range(LOT // BATCH):
            await put(store, [next(made) for _ in range(BATCH)])
        start = time.process_time()
        crawl.refresh()
        spent += time.process_time() - start
    await store.close()
    return 1000 * spent / (LOTS * LOT)


async def fill(directory: Path, number: int) -> None:
    """A crawl of so many pages."""
    store = await storage_at(directory).create(b"")
    await store.acquire(range(SHARDS), "local")
    made = pages(number, random.Random(5), "copy")
    for start in range(0, number, BATCH):
        await put(store, [page for _, page in zip(range(min(BATCH, number - start)), made, strict=False)])
    await store.close()


async def put(store: Store, some: list[Page]) -> None:
    """Commit pages as if they had been fetched."""
    leases = [Lease(checksum(page.url), page.url, host_of(page.url)) for page in some]
    await store.commit(Batch(seeds=leases))
    now = time.time()
    outcomes = [
        Outcome(lease, now, 200, page=page, judgement=Judgement(lease.id % 100 / 100, lease.id % 100 > 60))
        for lease, page in zip(leases, some, strict=True)
    ]
    await store.commit(Batch(outcomes=outcomes))


def pages(number: int, drawn: random.Random, name: str) -> Iterator[Page]:
    """Pages of debdocs, over and over, changed in every copy."""
    with FrozenWeb.open(web_path("debdocs")) as web:
        urls = list(web.urls())
        chosen = drawn.sample(urls, min(SOURCES, len(urls)))
        stored = [page for url in chosen if (page := web.page(url)) is not None]
        sources = [parse_page(page.url, page.body, page.content_type) for page in stored]
    for n in range(number):
        source, other = sources[n % len(sources)], drawn.choice(sources)
        lines, others = source.text.split("\n"), other.text.split("\n")
        text = "\n".join(drawn.choice(others) if drawn.random() < 0.2 else line for line in lines)
        yield Page(
            f"{source.url}{'&' if '?' in source.url else '?'}{name}={n}",
            source.title,
            headings=source.headings,
            text=text,
            language=source.language,
            fingerprint=n + 1,
        )


if __name__ == "__main__":
    main()
