"""Visits a lease: address, robots.txt, request, parse."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import inf

from msgspec import Struct

from lagotto.base.errors import LocalError
from lagotto.base.facts import PageFacts
from lagotto.base.protocols import Fetcher, Parser
from lagotto.base.reasons import describe
from lagotto.base.records import Failure, Fetched, Lease, Link, Page, Reason
from lagotto.crawling.frontier import Frontier, Hosts, Scope
from lagotto.crawling.frontier.shapes import shape_of
from lagotto.crawling.frontier.turns import LOOK_AGAIN
from lagotto.crawling.worker import events
from lagotto.crawling.worker.redirects import Redirects
from lagotto.fetch import SITEMAP_TYPES, Delays, Sitemap, lists_urls, read_sitemap
from lagotto.fetch.headers import MAX_RETRY_AFTER

LONGEST_PAUSE = 30.0
TELL_EVERY = 10.0
PATIENCE = 300.0
"""Seconds after which the crawl ends, if no request was answered meanwhile."""


class Shortage:
    """Counts how long this machine has had no more files, ports or memory to give."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._until = 0.0
        self._next = 0.0
        self._told_at = -inf

    def pause(self, now: float, at_least: float, what: str) -> float:
        """Seconds to pause, longer each time; 0 during a pause. Raises if it goes on for too long."""
        if self._since is None:
            self._since, self._next = now, at_least
        if now - self._since > PATIENCE:
            raise LocalError(
                f"this machine had no room for a request for {PATIENCE:g} s ({what}); "
                "raise the limit of open files (ulimit -n) or lower --concurrency, then resume the crawl"
            )
        if now < self._until:
            return 0.0
        seconds, self._next = self._next, min(2 * self._next, LONGEST_PAUSE)
        self._until = now + seconds
        return seconds

    def tells(self, now: float) -> bool:
        """Whether it is time to report the shortage again."""
        if now < self._told_at + TELL_EVERY:
            return False
        self._told_at = now
        return True

    def over(self) -> None:
        """A request was answered."""
        self._since = None


THROTTLING = frozenset({429, 503})
_CONNECTED = frozenset({Reason.RESET, Reason.TIMEOUT_HEADERS, Reason.TIMEOUT_IDLE, Reason.TIMEOUT_TOTAL})
"""Failures of a host that took the connection."""
MOST_REPEATS = 3
"""Repeats of a link's request after failures that are not the host's fault."""


class Visit(Struct):
    """An answered lease, before the page is judged."""

    lease: Lease
    answer: Fetched | Failure
    page: Page | Sitemap | Failure | None = None
    """None when the answer is not to be read."""


class NotYet(Struct):
    """The host had to be asked for something else first; the link stays queued.

    A request for robots.txt uses up the host's turn. The next turn is for the best link of the host by then,
    which may be another one, so the visit does not wait for it.
    """

    lease: Lease
    sitemaps: list[str] = []


class Visitor:
    """Visits leases, many at the same time, and keeps track of turns and of how hosts behave."""

    def __init__(
        self,
        *,
        frontier: Frontier,
        fetcher: Fetcher,
        parser: Parser,
        scope: Scope | None,
        hosts: Hosts,
        delays: Delays,
        now: Callable[[], float],
        wall: Callable[[], float] = time.time,
        tell: Callable[[events.Event], None] = lambda _: None,
        may_ask: Callable[[str], bool] = lambda _: True,
        redirects: Redirects | None = None,
        obey_robots: bool = True,
        sitemaps: bool = False,
        requests: int = 0,
    ) -> None:
        """`scope` refuses what is a trap by now; None where all that is leased is known to be none.

        `requests` is the number of requests sent before, if the crawl was resumed.
        """
        self.frontier = frontier
        self.fetcher = fetcher
        self.parser = parser
        self.scope = scope
        self.hosts = hosts
        self.delays = delays
        self.now = now
        self.wall = wall
        self.tell = tell
        self.may_ask = may_ask
        """Whether a host is still this worker's: it may have slept since it leased the link."""
        self.redirects = redirects or Redirects()
        self.obey_robots = obey_robots
        self.sitemaps = sitemaps
        self.requests = requests
        """Requests sent so far, those for robots.txt included."""
        self._host_waits: dict[str, float] = {}
        self._repeats: Counter[int] = Counter()
        self._short_of = Shortage()

    async def ask(self, lease: Lease) -> Fetched | Failure | NotYet:
        """Get the answer for a lease; the host's turn is over when this returns."""
        started = self.now()
        refusal = self._trap(lease) or await self._prepare(lease)
        if isinstance(refusal, NotYet):
            return refusal
        if refusal is None and not self.may_ask(lease.host):
            return self._give_back(lease)
        answer = refusal or await self._fetch(lease.url)
        if isinstance(answer, Failure) and self._may_repeat(lease, answer):
            return self._give_back(lease, answer.sent_at)
        self._repeats.pop(lease.id, None)
        self._note(lease, answer, started)
        self.frontier.asked(lease, answer.sent_at)
        return answer

    async def _fetch(self, url: str) -> Fetched | Failure:
        self.requests += 1
        return await self.fetcher.fetch(url)

    async def _fetch_robots(self, url: str) -> float | Failure:
        self.requests += 1
        return await self.fetcher.fetch_robots(url)

    def _may_repeat(self, lease: Lease, failure: Failure) -> bool:
        """Whether the host is not to blame for a failure, so that its request is repeated."""
        if not failure.again:
            return False
        if failure.reason is Reason.LOCAL:
            now = self.now()
            seconds = self._short_of.pause(now, failure.retry_after, failure.detail)
            if seconds:
                self.frontier.turns.pause(now + seconds)
                if self._short_of.tells(now):
                    self.tell(events.Paused(seconds, failure.detail))
            return True
        self._repeats[lease.id] += 1
        return self._repeats[lease.id] <= MOST_REPEATS

    def _trap(self, lease: Lease) -> Failure | None:
        """Refuse a queued link if by now its pattern is full or only redirects, or it leads into a trap."""
        if self.scope is None:
            return None
        refused: str | None = self.scope.shapes.refuses(lease.url)
        if not refused and lease.parent:  # Seeds were chosen by the user.
            refused = self.redirects.refusal(lease.url)
        if refused:
            return Failure(Reason.TRAP, f"{refused}: {shape_of(lease.url)}")
        trapped = self.scope.traps.refuses(lease.url, lease.parent) if lease.parent else None
        return Failure(Reason.TRAP, str(trapped)) if trapped else None

    async def _prepare(self, lease: Lease) -> NotYet | Failure | None:
        """Find the address and robots.txt where they are not known; None when the page may be asked for."""
        turns = self.frontier.turns
        if not turns.knows_address(lease.host):
            address = await self.fetcher.address(lease.host)
            if isinstance(address, Failure):
                return address
            turns.set_address(lease.host, address or "-")
            return self._give_back(lease)
        if not self.fetcher.robots_known(lease.url):
            refusal = await self._ask_robots(lease)
            if refusal is not None:
                return refusal
        return self.fetcher.refusal(lease.url)

    async def _ask_robots(self, lease: Lease) -> NotYet | Failure | None:
        """Ask for robots.txt, and leave the page for the next turn if a request left."""
        host = self.fetcher.robots_host(lease.url)
        if host != lease.host:
            return await self._ask_robots_of(host, lease)
        if not self.may_ask(host):
            return self._give_back(lease)
        sent_at = await self._fetch_robots(lease.url)
        if isinstance(sent_at, Failure):
            return sent_at
        return self._give_back(lease, sent_at, self.fetcher.sitemaps(lease.url)) if sent_at else None

    async def _ask_robots_of(self, host: str, lease: Lease) -> NotYet:
        """Fetch a redirected robots.txt in the turn of its host, if it has one now."""
        # The turn of the link's own host ends first, because both hosts may share an address.
        self.frontier.turns.hold(lease.host, self.now() + LOOK_AGAIN)
        not_yet = self._give_back(lease)
        asked_for = max(self.fetcher.crawl_delay(f"{scheme}://{host}/") for scheme in ("http", "https"))
        delay = self.delays.delay(host, asked_for)
        if await self._knows_address(host) and self.frontier.take_turn(host, delay):
            asked = await self._fetch_robots(lease.url)
            sent_at = asked.sent_at if isinstance(asked, Failure) else asked
            self.frontier.end_turn(host, sent_at, delay)
            not_yet.sitemaps = self.fetcher.sitemaps(lease.url)
        return not_yet

    async def _knows_address(self, host: str) -> bool:
        """Whether the per-address rule can be kept for a host that robots.txt redirects to."""
        turns = self.frontier.turns
        if turns.knows_address(host):
            return True
        address = await self.fetcher.address(host)
        turns.set_address(host, "-" if isinstance(address, Failure) else address)
        return False

    def _give_back(self, lease: Lease, sent_at: float = 0.0, sitemaps: list[str] | None = None) -> NotYet:
        self.frontier.give_back(lease, sent_at)
        return NotYet(lease, sitemaps or [])

    def _note(self, lease: Lease, answer: Fetched | Failure, started: float) -> None:
        """Leave a host alone that does not answer or says it is overloaded; recover slowly otherwise."""
        now, host = self.now(), lease.host
        if isinstance(answer, Failure):
            if answer.reason.facts.about_host:
                self._failed(lease, answer, started)
            elif answer.reason.facts.asked:
                self._answered(host)
            return
        self._answered(host)
        self.frontier.turns.set_address(host, answer.address)
        if answer.status in THROTTLING:
            self.delays.throttled(host, now, answer.retry_after)
            until = self.delays.not_before(host)
            self.frontier.turns.hold(host, until)
            self.hosts.leave_alone(host, until, f"it answered with status {answer.status}")
            self._host_waits[host] = self.wall() + until - now
            self.tell(events.Throttled(host, until - now))
        else:
            self.delays.succeeded(host)

    def _answered(self, host: str) -> None:
        self._short_of.over()
        self.hosts.answered(host, self.now())
        self.frontier.turns.one_at_a_time(host, False)

    def _failed(self, lease: Lease, failure: Failure, started: float) -> None:
        now, host = self.now(), lease.host
        why = describe(failure.reason, failure.detail)
        faults = self.hosts.faults(host)
        seconds = self.hosts.failed(
            host,
            now,
            started=started,
            at_least=failure.retry_after,
            why=why,
            connected=failure.reason in _CONNECTED,
            repeated=lease.attempts > 0,
        )
        self.frontier.turns.hold(host, now + seconds)
        self.frontier.turns.one_at_a_time(host, True)
        if failure.retry_after:
            self._host_waits[host] = self.wall() + seconds
        if self.hosts.faults(host) > faults:
            self.tell(events.HostFailed(host, seconds, why))

    def take_host_waits(self) -> dict[str, float]:
        """Waits that hosts asked for since the last call, to be stored: host -> end by the wall clock."""
        waits, self._host_waits = self._host_waits, {}
        return waits

    def hold(self, waits: Mapping[str, float]) -> None:
        """Keep to the waits that hosts asked for before the crawl was stopped; others end."""
        now, wall = self.now(), self.wall()
        for host, until in waits.items():
            if until > wall:
                # If the clock was put back meanwhile, the wait is not longer than any server may ask for.
                ends = now + min(until - wall, MAX_RETRY_AFTER)
                self.frontier.turns.hold(host, ends)
                self.hosts.leave_alone(host, ends, "it asked for that before")
            else:
                self._host_waits[host] = 0.0

    def all_gone(self, hosts: Iterable[str]) -> bool:
        """Whether none of these hosts is worth waiting for."""
        now = self.now()
        return all(self.hosts.gone(host, now) for host in hosts)

    async def read(self, answer: Fetched | Failure) -> Page | Sitemap | Failure | None:
        """The page or sitemap in the answer; None when there is none, or its status says so."""
        if isinstance(answer, Failure) or answer.status != 200:
            return None
        if self.sitemaps and is_sitemap(answer):
            return read_sitemap(answer.body)
        page = await self.parser.parse(answer)
        if isinstance(page, Page):
            page.noindex = self.obey_robots and (page.noindex or answer.noindex)
            page.nofollow = self.obey_robots and (page.nofollow or answer.nofollow)
            self._add_opt_outs(page, answer)
            if page.refresh and all(link.url != page.refresh for link in page.links):
                page.links.append(Link(page.refresh))
        return page

    def _add_opt_outs(self, page: Page, answer: Fetched) -> None:
        """Add what headers, robots.txt and the TDM file opt out of to what the page says itself."""
        found = answer.opt_outs + self.fetcher.opt_outs(answer.url)
        if found:
            page.facts = page.facts or PageFacts()
            page.facts.opt_outs = found + page.facts.opt_outs


def is_sitemap(answer: Fetched) -> bool:
    """Whether the answer is a list of URLs for crawlers, not a page for people."""
    kind = answer.content_type.partition(";")[0].strip()
    return kind in SITEMAP_TYPES or (kind == "text/plain" and lists_urls(answer.body))
