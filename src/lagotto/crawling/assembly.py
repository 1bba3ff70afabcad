"""From a configuration to a crawl that can run: every object is made here and given its parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import inf
from pathlib import Path

from msgspec import Struct

from lagotto.base.errors import InputError, UnknownName
from lagotto.base.protocols import Fetcher, Parser, WorkerStore
from lagotto.base.urls import checksum, host_of, origin_of, shard_of, site_of
from lagotto.crawling.cluster.membership import Membership
from lagotto.crawling.cluster.shared_memory import SharedMemory
from lagotto.crawling.cluster.sharing import Sharing
from lagotto.crawling.config import Config, with_secrets
from lagotto.crawling.frontier import Frontier, HostRules, Hosts, Scope, Shapes, Sighting, Traps, Turns
from lagotto.crawling.worker.conclude import Conclusions
from lagotto.crawling.worker.events import Listeners
from lagotto.crawling.worker.memory import Memory
from lagotto.crawling.worker.redirects import Redirects
from lagotto.crawling.worker.seeding import SeedWatch
from lagotto.crawling.worker.statistics import Budget, Limits, Statistics
from lagotto.crawling.worker.visit import Visitor
from lagotto.crawling.worker.worker import Clock, Stages, Worker
from lagotto.fetch import PAGE_TYPES, SITEMAP_TYPES, Credentials, Delays, Guard, HttpFetcher, Timeouts
from lagotto.focus import registry
from lagotto.focus.judging.encoder import Encoder, check_folder, find_encoder
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.strategies.base import Strategy, reads_link_words
from lagotto.focus.teaching import Teacher
from lagotto.focus.topic import Topic
from lagotto.parse.pdf import PDF_TYPE
from lagotto.parse.pool import ParserPool

ENCODER_VARIABLE = "LAGOTTO_ENCODER"
"""Environment variable that says what `--encoder auto` means: a folder, or none."""
Conditions = Callable[[str], Sequence[tuple[str, str]]]
MOST_PARSERS = 4
"""Parser processes that one crawl can keep busy."""


def make_encoder(config: Config) -> Encoder | None:
    """The sentence encoder that the configuration or else the environment names; None without one."""
    wanted = _wanted_encoder(config)
    return None if wanted == "none" else find_encoder(None if wanted == "auto" else wanted)


def check_encoder(config: Config) -> None:
    """Refuse an encoder that cannot be loaded when it is needed, which is at the end of the crawl."""
    wanted = _wanted_encoder(config)
    if wanted not in ("auto", "none"):
        check_folder(Path(wanted))


def _wanted_encoder(config: Config) -> str:
    return os.environ.get(ENCODER_VARIABLE, "auto") if config.encoder == "auto" else config.encoder


def encoder_of_crawl(config: Config, strategy: Strategy) -> Encoder | None:
    """The encoder that the strategy reads with while the crawl runs; None if it does without."""
    if config.encode == "end":
        return None
    encoder = make_encoder(config)
    if encoder is None:
        raise InputError("there is no sentence encoder for --encode always; name its folder with --encoder")
    return encoder if strategy.use_encoder(encoder) else None


def make_teacher(config: Config) -> Teacher:
    """The language model that is asked about pages."""
    return Teacher(config.teacher, config.teacher_model, calls=config.teacher_calls)


def make_strategy(
    config: Config, topic: Topic, given: AnyStrategy | None = None, resumed: str = ""
) -> Strategy:
    """The strategy that the configuration names, or the one that is given as an object or a class.

    `resumed` is where the crawl is kept, if it is not a new one.
    """
    try:
        wanted = config.strategy if given is None else given
        return registry.build_strategy(wanted, topic, config.options, config.random_seed)
    except UnknownName as error:
        if not resumed or given is not None:
            raise
        raise UnknownName(
            f"the crawl in {resumed} needs the strategy '{config.strategy}', which is not installed; "
            "if it was passed from Python, pass it again, as in lagotto.resume(directory, strategy=...)"
        ) from error


def make_scope(config: Config, seeds: Sequence[str]) -> Scope:
    """Which links may enter the frontier."""
    return Scope(
        include=config.include,
        exclude=config.exclude,
        sites={site_of(host_of(url)) for url in seeds} if config.same_site else (),
        depth=config.depth,
        pdf=config.pdf,
        shapes=Shapes(limit=config.pattern_limit, hosts_per_site=config.hosts_per_site),
        traps=Traps(enabled=config.avoid_traps),
    )


def recall(scope: Scope, fetched: Iterable[tuple[str, int, int, str]], hosts: Hosts | None = None) -> int:
    """Count the pages that a crawl has fetched, so that its limits and traps are known again.

    Returns how many there were.
    """
    pages = 0
    for url, fingerprint, simhash, parent in fetched:
        pages += 1
        if hosts is not None:
            hosts.fetched(host_of(url))
        scope.shapes.count(url)
        scope.traps.count(Sighting(url, fingerprint, simhash, parent))
    return pages


def make_hosts(config: Config, rules: HostRules | None = None) -> Hosts:
    """What is remembered of hosts, and how many pages each may give."""
    return Hosts(
        rules=rules,
        limit=config.host_limit,
        retry_wait=config.retry_wait,
        tries=config.retries + 1,
    )


def make_fetcher(config: Config, seeds: Sequence[str], conditions: Conditions = lambda _: ()) -> HttpFetcher:
    """The way out to the network, with the secrets that can be found.

    `conditions` are headers that ask for a page only if it is not as we have it.
    """
    config, _ = with_secrets(config)
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
        accepted_types=_accepted_types(config),
        limit_per_host=config.connections_per_host,
        obey_robots=config.obey_robots,
        tdm_files=config.obey_opt_outs,
        accept_language=f"{config.language},*;q=0.5",
        conditions=conditions,
    )


def _accepted_types(config: Config) -> frozenset[str]:
    sitemaps = SITEMAP_TYPES if config.sitemaps else frozenset[str]()
    return PAGE_TYPES | sitemaps | ({PDF_TYPE} if config.pdf else frozenset[str]())


def make_parser(config: Config, phrases: Sequence[str], strategy: Strategy) -> ParserPool:
    """Parser processes: as many as there are cores, up to a limit."""
    size = config.parsers or min(os.cpu_count() or 2, MOST_PARSERS)
    return ParserPool(
        size=size,
        phrases=tuple(phrases),
        language=config.language,
        link_words=reads_link_words(strategy),
    )


def patience_of(config: Config, strategy: Strategy) -> float:
    """Seconds that hosts with better links are waited for: by default only where pages are limited."""
    if strategy.clearly_better == inf:
        return 0.0
    if config.patience != "auto":
        return config.patience
    return 0.0 if not config.max_pages or in_haste(config) else config.delay / 4


def in_haste(config: Config) -> bool:
    """Whether time counts more than which pages a limited budget is spent on."""
    return config.patience == 0 or bool(config.max_time) or config.concurrency > Config().concurrency


class OpenCrawl(Struct):
    """What a worker works with."""

    store: WorkerStore
    strategy: Strategy
    scope: Scope
    fetcher: Fetcher
    parser: Parser
    hosts: Hosts
    statistics: Statistics
    seeds: Sequence[str] = ()
    resumed: bool = False
    """Whether the crawl goes on where another process stopped."""
    recalled: int = 0
    """Pages that were fetched before and are counted already."""
    membership: Membership | None = None
    """This worker's place among others, if the crawl is shared."""
    again: Again | None = None
    """What is different where pages are visited again."""


class Again(Struct):
    """What is different in a worker that visits known pages again."""

    conclusions: Conclusions
    memory: Memory
    budget: Budget


async def make_worker(
    config: Config, crawl: OpenCrawl, listeners: Listeners | None = None, clock: Clock | None = None
) -> Worker:
    """A worker for an open crawl; what the strategy had learned is restored from the store."""
    listeners, clock = listeners or Listeners(), clock or _clock_of(crawl.membership)
    again = crawl.again
    limits = make_limits(config, crawl.strategy) if again is None else Limits(concurrency=config.concurrency)
    delays = Delays(config.delay)
    frontier = make_frontier(config, crawl, delays, limits, clock)
    sharing = make_sharing(config, crawl)
    if sharing is not None:
        await sharing.begin()
    await frontier.load()
    memory = again.memory if again else sharing.memory if sharing else Memory(crawl.strategy, crawl.store)
    await memory.restore(crawl.statistics.pages)
    redirects = Redirects(pattern_limit=config.pattern_limit)

    def may_ask(host: str) -> bool:
        return sharing is None or (sharing.safe and sharing.holds(host))

    visitor = Visitor(
        frontier=frontier,
        fetcher=crawl.fetcher,
        parser=crawl.parser,
        # What was fetched once is neither a trap nor too much.
        scope=None if again else crawl.scope,
        hosts=crawl.hosts,
        delays=delays,
        now=clock.now,
        wall=clock.wall,
        tell=listeners.tell,
        may_ask=may_ask,
        redirects=redirects,
        # The number of requests is not stored, so each concluded URL counts as one.
        requests=crawl.statistics.concluded,
        obey_robots=config.obey_robots,
        sitemaps=config.sitemaps and again is None,
    )
    visitor.hold(await crawl.store.host_waits())
    conclusions = again.conclusions if again else make_conclusions(config, crawl, redirects, clock, listeners)
    # Once a page has come, some seed could be fetched.
    seeds = SeedWatch(() if again or crawl.statistics.pages else crawl.seeds)
    stages = Stages(frontier, visitor, conclusions, memory, seeds)
    return Worker(
        crawl.store,
        stages,
        limits,
        statistics=crawl.statistics,
        budget=again.budget if again else None,
        listeners=listeners,
        clock=clock,
        sharing=sharing,
    )


def make_conclusions(
    config: Config, crawl: OpenCrawl, redirects: Redirects, clock: Clock, listeners: Listeners
) -> Conclusions:
    """What makes outcomes of visits."""
    return Conclusions(
        strategy=crawl.strategy,
        scope=crawl.scope,
        hosts=crawl.hosts,
        wall=clock.wall,
        redirects=redirects,
        retries=config.retries,
        retry_wait=config.retry_wait,
        obey_nofollow=config.obey_nofollow,
        obey_opt_outs=config.obey_opt_outs,
        content_seen=config.content_seen and crawl.strategy.content_seen,
        watch=listeners.scores,
    )


def _clock_of(membership: Membership | None) -> Clock:
    """This machine's clock; among others its wall clock is theirs, since they read times that it writes."""
    return Clock() if membership is None else Clock(now=membership.now, wall=membership.wall)


def make_sharing(config: Config, crawl: OpenCrawl) -> Sharing | None:
    """What keeps a worker in step with others; None if the crawl is not shared."""
    membership = crawl.membership
    if membership is None:
        return None
    memory = SharedMemory(
        crawl.strategy,
        membership.store,
        leads=lambda: membership.leads,
        mine=lambda host: shard_of(host) in membership.held,
    )

    counted: set[int] = set()
    """Pages that were counted since the worker began, by checksum."""

    def recount(shards: set[int]) -> None:
        for row in islice(crawl.store.reader().fetched(), crawl.recalled, None):
            id = checksum(row[0])
            if id not in counted and shard_of(host_of(row[0])) in shards:
                counted.add(id)
                recall(crawl.scope, [row], crawl.hosts)

    return Sharing(membership, memory, recount, counted, in_order=not in_haste(config))


def make_limits(config: Config, strategy: Strategy) -> Limits:
    """How much, how fast and how long."""
    return Limits(
        pages=config.max_pages,
        seconds=config.max_time,
        bytes=config.max_bytes,
        requests=config.max_requests,
        concurrency=config.concurrency,
        patience=patience_of(config, strategy),
        stop_by_itself=config.stop == "auto",
    )


def make_frontier(config: Config, crawl: OpenCrawl, delays: Delays, limits: Limits, clock: Clock) -> Frontier:
    """The queues of all hosts, and whose turn it is.

    A resumed crawl does not know whom it asked last, so every host gets one delay first.
    """
    # Behind a proxy the targets' addresses are not known.
    ip_delay = 0.0 if config.proxy else config.ip_delay
    membership = crawl.membership
    alone = membership is None
    quiet_until = clock.now() + max(config.delay, ip_delay) if crawl.resumed and alone else 0.0
    turns = Turns(
        connections_per_host=config.connections_per_host,
        ip_delay=ip_delay,
        quiet_until=quiet_until,
        quiet_of=None if membership is None else membership.quiet_until,
    )

    def pages_left(host: str) -> float:
        if membership is not None and not membership.may_ask(host):
            return 0.0
        return crawl.hosts.pages_left(host)

    return Frontier(
        crawl.store,
        turns,
        now=clock.now,
        wall=clock.wall,
        delay_of=lambda lease: delays.delay(lease.host, crawl.fetcher.crawl_delay(lease.url)),
        pages_left=pages_left,
        clearly_better=crawl.strategy.clearly_better if limits.patience else inf,
        boosts=crawl.hosts.rules.boosts,
        dead_ends=crawl.hosts.dead_ends,
    )


def _timeouts(total: float) -> Timeouts:
    """Time limits of the phases, none longer than that of the whole request."""
    usual = Timeouts()
    return Timeouts(
        connect=min(usual.connect, total),
        headers=min(usual.headers, total),
        idle=min(usual.idle, total),
        total=total,
    )
