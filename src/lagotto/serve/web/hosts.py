"""Hosts that a crawl knows: what they gave, what they promise, who cites them, and what a user decided."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.base.protocols import Reader
from lagotto.base.views import KnownHost
from lagotto.crawling.frontier.shapes import shape_of
from lagotto.crawling.steering.compose import check_host
from lagotto.crawling.steering.effect import InEffect
from lagotto.focus.registry import strategy_class
from lagotto.serve.web.open_crawls import Watched
from lagotto.serve.web.pages import Limit, Offset, Search
from lagotto.serve.web.steering import Hosts, SentCommand, change

Decision = Literal["in", "out", "undecided"]
HostOrder = Literal["promise", "citations", "pages", "relevant", "queued", "name"]
BOOST = 2.0
"""What is added to the link scores of a host that is in."""
MOST_PATTERNS = 5000
"""URL patterns that are kept, those with most pages."""


class HostRow(Struct):
    """A host in the list."""

    host: str
    pages: int
    relevant: int
    queued: int
    best_score: float | None
    """Highest score of a link that waits."""
    citations: int
    """Its URLs that were found on pages of other hosts."""
    decision: Decision
    """`in` is boosted, `out` is blocked."""
    rules: list[str]


class HostRows(Struct):
    """Some of the hosts."""

    rows: list[HostRow]
    total: int
    next: int | None


class Decisions(Struct, forbid_unknown_fields=True, rename={"ins": "in"}):
    """What is decided about hosts: ask `in` hosts first, `out` hosts no more, the others by their links."""

    ins: Hosts = []
    out: Hosts = []
    undecided: Hosts = []
    boost: Annotated[float, Meta(gt=0, le=1000)] = BOOST
    """What is added to the link scores of hosts that are in."""


class LinkRow(Struct):
    """A link that waits, with what its score is made of."""

    url: str
    score: float
    parts: dict[str, float]
    positive: bool
    """Whether the strategy expects a relevant page there."""
    parent: str
    anchor: str
    depth: int


class PatternRow(Struct):
    """Pages whose URLs look alike."""

    pattern: str
    """A URL with `#` for all that varies."""
    pages: int
    relevant: int


class PatternRows(Struct):
    """Some of the patterns, those with most pages first."""

    rows: list[PatternRow]
    total: int
    next: int | None


@get("/crawls/{name:str}/hosts")
async def list_hosts(
    crawl: NamedDependency[Watched],
    sort: FromQuery[HostOrder] = "promise",
    decision: FromQuery[Decision | None] = None,
    search: Search = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> HostRows:
    """Hosts in an order; `search` is part of the name."""
    known = await crawl.remembered.get(
        "hosts", lambda: crawl.read_all(lambda reader: reader.known_hosts()), least=2.0
    )
    effect = await crawl.read(crawl.effect)
    rows = [_row(host, effect) for host in known if search.lower() in host.host]
    chosen = [row for row in rows if decision in (None, row.decision)]
    chosen.sort(key=lambda row: (_key(row, sort), row.host))
    shown = chosen[offset : offset + limit]
    return HostRows(shown, len(chosen), offset + limit if offset + limit < len(chosen) else None)


@post("/crawls/{name:str}/hosts", status_code=200)
async def decide_hosts(crawl: NamedDependency[Watched], data: JSONBody[Decisions]) -> list[SentCommand]:
    """Decide about hosts, several at once."""
    effect = await crawl.read(crawl.effect)
    ins, out, undecided = (
        [check_host(host) for host in hosts] for hosts in (data.ins, data.out, data.undecided)
    )
    if len({*ins, *out, *undecided}) < len(ins) + len(out) + len(undecided):
        raise InputError("a host is named twice; decide once about each")
    rules = effect.rules
    boosts = dict.fromkeys(ins, data.boost)
    boosts |= {host: 0.0 for host in [*out, *undecided] if host in rules.boosts}
    changes = {
        "block_hosts": [host for host in out if host not in rules.blocked],
        "unblock_hosts": [host for host in [*ins, *undecided] if host in rules.blocked],
        "boost_hosts": boosts,
    }
    given = {name: value for name, value in changes.items() if value}
    return await change(crawl, given) if given else []


@get("/crawls/{name:str}/links")
async def list_links(crawl: NamedDependency[Watched], host: Search = "", n: Limit = 50) -> list[LinkRow]:
    """The best links that wait, over all hosts or of one."""

    def ask(reader: Reader) -> list[LinkRow]:
        strategy = strategy_class(crawl.effect(reader).config.strategy)
        return [
            LinkRow(
                url=link.url,
                score=link.score,
                parts=dict(zip(strategy.link_parts, link.parts, strict=False)),
                positive=link.score > strategy.positive_above,
                parent=link.parent,
                anchor=link.anchor,
                depth=link.depth,
            )
            for link in reader.best_queued(n, host)
        ]

    return await crawl.remembered.get(("links", host, n), lambda: crawl.read_all(ask))


@get("/crawls/{name:str}/patterns")
async def list_patterns(
    crawl: NamedDependency[Watched], search: Search = "", offset: Offset = 0, limit: Limit = 50
) -> PatternRows:
    """Harvest by URL pattern; `search` is part of the pattern."""

    def ask(reader: Reader) -> list[PatternRow]:
        pages: Counter[str] = Counter()
        relevant: Counter[str] = Counter()
        for row in reader.rows():
            if row.status == 200 and not row.reason:
                shape = shape_of(row.url)
                pages[shape] += 1
                relevant[shape] += bool(row.relevant)
        return [
            PatternRow(shape, count, relevant[shape]) for shape, count in pages.most_common(MOST_PATTERNS)
        ]

    found = await crawl.remembered.get("patterns", lambda: crawl.read_all(ask), least=5.0)
    chosen = [row for row in found if search in row.pattern]
    end = offset + limit
    return PatternRows(chosen[offset:end], len(chosen), end if end < len(chosen) else None)


def _row(host: KnownHost, effect: InEffect) -> HostRow:
    rules = effect.rules
    boosted = rules.boosts.get(host.host, 0.0) > 0
    return HostRow(
        host=host.host,
        pages=host.pages,
        relevant=host.relevant,
        queued=host.queued,
        best_score=host.best,
        citations=host.citations,
        decision="out" if host.host in rules.blocked else "in" if boosted else "undecided",
        rules=list(rules.sentences(host.host)),
    )


def _key(row: HostRow, order: HostOrder) -> float:
    """Sorts the first host to the front."""
    match order:
        case "promise":
            return float("inf") if row.best_score is None else -row.best_score
        case "citations":
            return -row.citations
        case "pages":
            return -row.pages
        case "relevant":
            return -row.relevant
        case "queued":
            return -row.queued
    return 0.0
