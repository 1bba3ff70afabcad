"""From a configuration to a crawl that can run: every object is made here and handed its parts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path

from lagotto.config import Config
from lagotto.crawling.conclude import Conclusions
from lagotto.crawling.events import Event
from lagotto.crawling.memory import Memory
from lagotto.crawling.seeding import SEED_SCORE, SeedWatch, seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.step import Watch
from lagotto.crawling.visit import Visitor
from lagotto.crawling.worker import Budget, Worker
from lagotto.fetch import PAGE_TYPES, SITEMAP_TYPES, Credentials, Delays, Guard, HttpFetcher, Timeouts
from lagotto.frontier import Frontier, Hosts, Scope, Shapes, Turns
from lagotto.parse.page import parse_page
from lagotto.parse.pool import ParserPool
from lagotto.records import Fetched, Lease, WarcPlace
from lagotto.seams import Fetcher, Parser, Store
from lagotto.strategies.base import Strategy
from lagotto.topic import Document, Library, Topic, Vocabularies, WeightTable, read_document, read_folder
from lagotto.urls import host_of, origin_of, seed_url, site_of

MOST_PARSERS = 4
"""Parser processes that one crawl can keep busy."""
MIN_ALIKE = 20
"""Pages that must look alike before a host is taken to make them up."""


def seed_urls(config: Config) -> list[str]:
    """Canonical URLs of the seeds, each once, in the order given."""
    return list(dict.fromkeys(seed_url(text) for text in config.seeds))


def seed_leases(config: Config) -> list[Lease]:
    """The seeds as leases, with the scores that search engines gave them, if they did."""
    scores = dict(zip(map(seed_url, config.seeds), config.seed_scores, strict=False))
    return [seed_lease(url, scores.get(url, SEED_SCORE)) for url in seed_urls(config)]


def make_topic(config: Config) -> Topic:
    """What is wanted, from words, files and what was saved under a name."""
    library = Library()
    saved = library.topic(config.saved_topic) if config.saved_topic else None
    return Topic(
        config.topic,
        phrases=config.phrases,
        language=config.language,
        query_log=Path(config.query_log) if config.query_log else None,
        relevant=_documents(config.examples),
        irrelevant=_documents(config.counter_examples),
        results=config.results,
        table=saved if isinstance(saved, WeightTable) else None,
        vocabularies=saved if isinstance(saved, Vocabularies) else None,
        network=library.network(config.network) if config.network else None,
    )


def _documents(paths: Sequence[str]) -> list[Document]:
    """Example pages from files and folders."""
    found: list[Document] = []
    for path in map(Path, paths):
        found += read_folder(path, parse_page) if path.is_dir() else [read_document(path, parse_page)]
    return found


def make_scope(config: Config, seeds: Sequence[str]) -> Scope:
    """Which links may enter the frontier."""
    return Scope(
        include=config.include,
        exclude=config.exclude,
        sites={site_of(host_of(url)) for url in seeds} if config.same_site else (),
        depth=config.depth,
        shapes=Shapes(limit=config.pattern_limit, hosts_per_site=config.hosts_per_site),
    )


def make_hosts(config: Config) -> Hosts:
    """What is remembered of hosts, and how much of them is wanted."""
    return Hosts(
        limit=config.host_limit,
        # Pages that all say the same are told from a trap by far fewer of them than URLs that look the same.
        alike_limit=max(MIN_ALIKE, config.pattern_limit // 20) if config.pattern_limit else 0,
        retry_wait=config.retry_wait,
        tries=config.retries + 1,
    )


def make_fetcher(config: Config, seeds: Sequence[str]) -> HttpFetcher:
    """The way out to the network."""
    return HttpFetcher(
        contact=config.contact,
        guard=Guard(config.allow_private),
        credentials=Credentials(
            headers=config.headers,
            origins=list(dict.fromkeys(map(origin_of, seeds))),
            auth=config.auth,
            cookies_file=Path(config.cookies) if config.cookies else None,
        ),
        proxy=config.proxy,
        verify_tls=not config.insecure,
        timeouts=_timeouts(config.timeout),
        max_size=config.max_size,
        accepted_types=PAGE_TYPES | SITEMAP_TYPES if config.sitemaps else PAGE_TYPES,
        limit_per_host=config.connections_per_host,
        obey_robots=config.obey_robots,
        accept_language=f"{config.language},*;q=0.5",
    )


def make_parser(config: Config, phrases: Sequence[str]) -> ParserPool:
    """Parser processes: as many as there are cores, up to what is of use."""
    size = config.parsers or min(os.cpu_count() or 2, MOST_PARSERS)
    return ParserPool(size=size, phrases=tuple(phrases), language=config.language)


def patience_of(config: Config, strategy: Strategy) -> float:
    """Seconds that hosts with better links are waited for: by default only where pages are limited."""
    if strategy.clearly_better == inf:
        return 0.0
    if config.patience != "auto":
        return config.patience
    in_haste = not config.max_pages or config.max_time or config.concurrency > Config().concurrency
    return 0.0 if in_haste else config.delay / 4


def make_frontier(
    config: Config,
    *,
    store: Store,
    hosts: Hosts,
    delay_of: Callable[[Lease], float],
    now: Callable[[], float],
    wall: Callable[[], float],
    resumed: bool,
    clearly_better: float,
) -> Frontier:
    """The queues of all hosts, and whose turn it is.

    A resumed crawl does not know whom it asked last, so everybody gets one delay first.
    """
    # Behind a proxy the targets' addresses are not known.
    ip_delay = 0.0 if config.proxy else config.ip_delay
    turns = Turns(
        connections_per_host=config.connections_per_host,
        ip_delay=ip_delay,
        quiet_until=now() + max(config.delay, ip_delay) if resumed else 0.0,
    )
    return Frontier(
        store,
        turns,
        now=now,
        wall=wall,
        delay_of=delay_of,
        pages_left=hosts.pages_left,
        clearly_better=clearly_better,
    )


def make_conclusions(
    config: Config,
    *,
    store: Store,
    strategy: Strategy,
    scope: Scope,
    hosts: Hosts,
    statistics: Statistics,
    wall: Callable[[], float],
    watch: Watch | None,
) -> Conclusions:
    """What becomes of visits."""
    return Conclusions(
        store=store,
        strategy=strategy,
        scope=scope,
        hosts=hosts,
        left_out=statistics.left_out,
        wall=wall,
        retries=config.retries,
        retry_wait=config.retry_wait,
        obey_nofollow=config.obey_nofollow,
        content_seen=config.content_seen and strategy.content_seen,
        watch=watch,
    )


def make_worker(
    config: Config,
    *,
    store: Store,
    strategy: Strategy,
    scope: Scope,
    fetcher: Fetcher,
    parser: Parser,
    statistics: Statistics,
    hosts: Hosts | None = None,
    keep: Callable[[Fetched], WarcPlace | None] | None = None,
    tell: Callable[[Event], None] = lambda _: None,
    behind: Callable[[], bool] = lambda: False,
    now: Callable[[], float] = time.monotonic,
    wall: Callable[[], float] = time.time,
    watch: Watch | None = None,
    look_around: Callable[[], object] = lambda: None,
    seeds: Sequence[str] = (),
    resumed: bool = False,
) -> Worker:
    """A worker for one machine; what the strategy had learned is restored from the store."""
    delays, patience = Delays(config.delay), patience_of(config, strategy)
    hosts = hosts or Hosts(retry_wait=config.retry_wait, tries=config.retries + 1)
    memory = Memory(strategy, store)
    memory.restore(statistics.pages)
    frontier = make_frontier(
        config,
        store=store,
        hosts=hosts,
        delay_of=lambda lease: delays.delay(lease.host, fetcher.crawl_delay(lease.url)),
        now=now,
        wall=wall,
        resumed=resumed,
        clearly_better=strategy.clearly_better if patience else inf,
    )
    return Worker(
        store=store,
        frontier=frontier,
        visitor=Visitor(
            frontier=frontier,
            fetcher=fetcher,
            parser=parser,
            scope=scope,
            hosts=hosts,
            delays=delays,
            now=now,
            tell=tell,
            obey_robots=config.obey_robots,
            sitemaps=config.sitemaps,
        ),
        conclusions=make_conclusions(
            config,
            store=store,
            strategy=strategy,
            scope=scope,
            hosts=hosts,
            statistics=statistics,
            wall=wall,
            watch=watch,
        ),
        memory=memory,
        statistics=statistics,
        budget=Budget(config.max_pages, config.max_time, config.max_bytes),
        now=now,
        keep=keep,
        tell=tell,
        behind=behind,
        concurrency=config.concurrency,
        patience=patience,
        # Once a page has come there is nothing to complain about.
        seeds=SeedWatch(() if statistics.pages else seeds),
        stop_by_itself=config.stop == "auto",
        look_around=look_around,
    )


def _timeouts(total: float) -> Timeouts:
    """Phases get their usual share, none more than the whole."""
    usual = Timeouts()
    if not total:
        return usual
    return Timeouts(
        connect=min(usual.connect, total),
        headers=min(usual.headers, total),
        idle=min(usual.idle, total),
        total=total,
    )
