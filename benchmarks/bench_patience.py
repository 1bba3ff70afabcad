"""Benefit and cost of waiting for hosts with better links (`--patience`).

    python benchmarks/bench_patience.py [--pages 400]

Crawls with `scent` over HTTP on loopback, with at most ten requests a second to a host. That is ten times the
usual rate, to keep crawls short; only patience as a share of the delay matters. Pages are judged by labels.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import uvloop
from figures import Figures, Table, publish
from webs import DATA, task, web_path

from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import PageDone
from lagotto.lab.demo.web import DemoWeb
from lagotto.lab.experiments.truth import read_labels
from lagotto.lab.serving.server import WebServer
from lagotto.lab.webs.web import FrozenWeb, Web

DELAY = 0.1
SHARES = (0.0, 0.1, 0.25, 0.5, 1.0)
"""Patience as a share of the delay."""
TOPICS = ("astronomy", "networking", "games")


class Place(NamedTuple):
    """A web to crawl, the topic, and its labels."""

    name: str
    web: Web
    words: str
    seeds: list[str]
    hits: Callable[[Iterable[str]], int]


class Run(NamedTuple):
    """The result of a crawl."""

    relevant: int
    seconds: float


@contextmanager
def places() -> Iterator[list[Place]]:
    """The demo's web, and topics of the documentation of Debian packages."""
    demo = DemoWeb(1)
    words, seeds = demo.topics()["truffles"]
    found = [Place("the demo's web", demo, words, list(seeds), lambda urls: sum(demo.hits("truffles", urls)))]
    with FrozenWeb.open(web_path("debdocs")) as web:
        labels = read_labels(DATA / "webs" / "debdocs" / "labels.csv", web)
        for topic in TOPICS:
            hits = partial(count_hits, labels.of(topic))
            found.append(Place(f"debdocs, {topic}", web, *task("debdocs", topic), hits))
        yield found


def count_hits(wanted: frozenset[str], urls: Iterable[str]) -> int:
    """Relevant pages among those fetched."""
    return len(wanted & {*urls})


async def crawl(place: Place, pages: int, patience: float) -> Run:
    """One crawl of so many pages."""
    urls = []
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
        async with WebServer(place.web) as server:
            config = configuration.from_values(
                {
                    "topic": place.words,
                    "seeds": place.seeds,
                    "proxy": server.proxy,
                    "delay": DELAY,
                    "patience": patience,
                    "max_pages": pages,
                }
            )
            started = time.perf_counter()
            async with Crawl(config, Path(folder) / "crawl") as crawl:
                async for event in crawl:
                    if isinstance(event, PageDone) and event.status == 200:
                        urls.append(event.url)
    return Run(place.hits(urls), time.perf_counter() - started)


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=400)
    pages = parser.parse_args().pages
    runs: dict[str, list[Run]] = {}
    with places() as found:
        for place in found:
            for share in SHARES:
                run = uvloop.run(crawl(place, pages, share * DELAY))
                runs.setdefault(place.name, []).append(run)
                print(f"{place.name}, patience {share:g}: {run.relevant} in {run.seconds:.1f} s", flush=True)
    publish(figures(runs, pages))


def figures(runs: dict[str, list[Run]], pages: int) -> Figures:
    """The table: a column for each share."""
    head = ["", *(f"{share:g} x the delay" for share in SHARES)]
    rows = [
        [name, *(f"{run.relevant} in {run.seconds:.0f} s" for run in of_place)]
        for name, of_place in runs.items()
    ]
    hasty, usual = (sum(of_place[at].relevant for of_place in runs.values()) for at in (0, 2))
    return Figures(
        name="patience",
        sentences=[
            f"With a quarter of the delay, the default where pages are limited, {pages} pages hold "
            f"{usual / hasty:.1f} times as many relevant ones as without patience."
        ],
        tables=[Table(f"Relevant ones of {pages} pages, and seconds, by patience", head, rows)],
        measured=json.loads(json.dumps(runs)),
    )


if __name__ == "__main__":
    main()
