"""How a crawl stands, in the words of the API."""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct

from lagotto.base.errors import LagottoError
from lagotto.base.protocols import Reader
from lagotto.base.views import Judging, Moment, PageChoice, Status
from lagotto.crawling.config import Config, limits_of
from lagotto.crawling.rejudging import latest_judging
from lagotto.crawling.secrets import drop_user
from lagotto.crawling.steering.effect import InEffect
from lagotto.focus.registry import strategy_class
from lagotto.serve.web.open_crawls import Watched

State = Literal["running", "paused", "stopped", "finished", "failed"]
CURVE = 60
"""Points of the small curve of each crawl in the list."""
RECENT = 200
"""Pages that the present harvest ratio is of."""
SPEED_OVER = 60.0
"""Seconds over which pages a second are counted."""


class Summary(Struct, kw_only=True):
    """A crawl in the list of all crawls."""

    name: str
    location: str
    state: State
    topic: str = ""
    strategy: str = ""
    pages: int = 0
    relevant: int = 0
    harvest_ratio: float = 0.0
    queued: int = 0
    started_at: float | None = None
    updated_at: float | None = None
    problem: str = ""
    """What is wrong with it, as a sentence."""
    curve: list[tuple[int, int]] = []
    """Pages, and relevant pages among them, from the first page to the last."""


class HostWait(Struct):
    """A host that is left alone for a while."""

    host: str
    until: float


class HostRule(Struct):
    """What a user decided about a host, in words."""

    host: str
    rules: list[str]


class Standing(Struct, kw_only=True):
    """Everything that is known about how a crawl stands."""

    summary: Summary
    figures: Status
    limits: dict[str, float]
    """Limits and delays in effect; 0 means none."""
    recent_harvest: float | None
    """Share of relevant pages among the last 200."""
    sample_harvest: float | None
    """The same among pages that were picked at random; None if the strategy picks none."""
    sample_pages: int
    pages_a_second: float
    """Over the last minute of the crawl."""
    projected_end: float | None
    """Wall-clock time at which the page limit would be reached at this speed."""
    waits: list[HostWait]
    judging: Judging | None
    """What judging all pages again found, with the estimate of recall."""
    include: list[str]
    exclude: list[str]
    hosts: list[HostRule]
    last_event: int


def summary_of(crawl: Watched, reader: Reader, status: Status, effect: InEffect) -> Summary:
    """A crawl in a few figures."""
    return Summary(
        name=crawl.name,
        location=drop_user(crawl.location),
        state=_state(effect, status, running=crawl.storage.running()),
        topic=_topic(effect.config),
        strategy=effect.config.strategy,
        pages=status.pages,
        relevant=status.relevant,
        harvest_ratio=status.harvest_ratio,
        queued=status.queued,
        started_at=status.first_at,
        updated_at=status.last_at,
        curve=[(moment.pages, moment.relevant) for moment in reader.course(CURVE)],
    )


async def summarise(crawl: Watched) -> Summary:
    """The summary of a crawl, also of one that cannot be read."""

    def ask(reader: Reader) -> Summary:
        return summary_of(crawl, reader, reader.status(), crawl.effect(reader))

    try:
        return await crawl.remembered.get("summary", lambda: crawl.read(ask))
    except LagottoError as error:
        return Summary(
            name=crawl.name, location=drop_user(crawl.location), state="failed", problem=str(error)
        )


async def standing_of(crawl: Watched) -> Standing:
    """How a crawl stands."""
    return await crawl.remembered.get("standing", lambda: crawl.read(lambda reader: _standing(crawl, reader)))


def _standing(crawl: Watched, reader: Reader) -> Standing:
    status, effect = reader.status(), crawl.effect(reader)
    config, rules = effect.config, effect.rules
    newest = reader.pages_at(reader.chosen_pages(PageChoice(), limit=2 * RECENT).numbers)
    verdicts = [bool(page.row.relevant) for page in newest if page.row.status == 200][:RECENT]
    sample, share = _random_sample(config.strategy, reader)
    speed = _speed(reader.course(), time.time()) if crawl.storage.running() else 0.0
    left = config.max_pages - status.pages
    return Standing(
        summary=summary_of(crawl, reader, status, effect),
        figures=status,
        limits=limits_of(config),
        recent_harvest=sum(verdicts) / len(verdicts) if verdicts else None,
        sample_harvest=share,
        sample_pages=sample,
        pages_a_second=speed,
        projected_end=time.time() + left / speed if config.max_pages and left > 0 and speed else None,
        waits=[HostWait(host, until) for host, until in _waits(reader)],
        judging=latest_judging(reader),
        include=config.include,
        exclude=config.exclude,
        hosts=[
            HostRule(host, list(rules.sentences(host)))
            for host in sorted({*rules.blocked, *rules.boosts, *rules.limits})
        ],
        last_event=reader.last_event(),
    )


def _state(effect: InEffect, status: Status, *, running: bool) -> State:
    if running:
        return "paused" if effect.paused else "running"
    limit = effect.config.max_pages
    return "finished" if not status.queued or (limit and status.pages >= limit) else "stopped"


def _topic(config: Config) -> str:
    """What the crawl is about, as its user said it."""
    if config.topic or config.phrases:
        return " ".join([config.topic, *config.phrases]).strip()
    named = config.saved_topic or config.network
    return named or ("example pages" if config.examples else "query log" if config.query_log else "")


def _waits(reader: Reader) -> list[tuple[str, float]]:
    now = time.time()
    return sorted((pair for pair in reader.host_waits().items() if pair[1] > now), key=lambda pair: pair[1])


def _random_sample(strategy: str, reader: Reader) -> tuple[int, float | None]:
    """How many pages were picked at random, and which share of them is relevant."""
    parts = strategy_class(strategy).link_parts
    if "exploration" not in parts:
        return 0, None
    picked = reader.chosen_pages(PageChoice(reason="", least_parts=len(parts)), limit=0).total
    relevant = reader.chosen_pages(PageChoice(relevant=True, least_parts=len(parts)), limit=0).total
    return picked, relevant / picked if picked else None


def _speed(course: list[Moment], now: float) -> float:
    """Pages a second over the last minute."""
    if not course:
        return 0.0
    earlier = [moment for moment in course if moment.at <= now - SPEED_OVER]
    since = earlier[-1] if earlier else course[0]
    return (course[-1].pages - since.pages) / max(1.0, now - since.at)
