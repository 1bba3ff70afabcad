"""The network half of a page's life: address, robots.txt, request, parse."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from lagotto.crawling import events
from lagotto.fetch import SITEMAP_TYPES, Delays, Sitemap, lists_urls, read_sitemap
from lagotto.frontier import Frontier, Hosts, Scope
from lagotto.frontier.shapes import shape_of
from lagotto.frontier.turns import LOOK_AGAIN
from lagotto.records import Failure, Fetched, Lease, Link, Page, Reason
from lagotto.seams import Fetcher, Parser

THROTTLING = frozenset({429, 503})
UNREACHABLE = frozenset(
    {
        Reason.DNS,
        Reason.CONNECT,
        Reason.TLS,
        Reason.RESET,
        Reason.TIMEOUT_CONNECT,
        Reason.TIMEOUT_HEADERS,
        Reason.TIMEOUT_IDLE,
        Reason.TIMEOUT_TOTAL,
        Reason.PROXY,
        Reason.ROBOTS_UNREACHABLE,
    }
)
"""Reasons that say more about the host than about the URL."""
_NOT_ASKED = frozenset({Reason.SCHEME, Reason.ADDRESS, Reason.ROBOTS, Reason.TRAP})


class Visit(Struct):
    """What came of a lease before anybody judged it."""

    lease: Lease
    answer: Fetched | Failure
    page: Page | Sitemap | Failure | None = None
    """None when the answer is not to be read."""


class NotYet(Struct):
    """The host had to be asked for something else first; the link stays queued."""

    lease: Lease
    sitemaps: list[str] = []


class Visitor:
    """Visits leases, any number of them side by side, and keeps count of turns and of how hosts behave."""

    def __init__(
        self,
        *,
        frontier: Frontier,
        fetcher: Fetcher,
        parser: Parser,
        scope: Scope,
        hosts: Hosts,
        delays: Delays,
        now: Callable[[], float],
        tell: Callable[[events.Event], None] = lambda _: None,
        obey_robots: bool = True,
        sitemaps: bool = False,
    ) -> None:
        self.frontier = frontier
        self.fetcher = fetcher
        self.parser = parser
        self.scope = scope
        self.hosts = hosts
        self.delays = delays
        self.now = now
        self.tell = tell
        self.obey_robots = obey_robots
        self.sitemaps = sitemaps

    async def ask(self, lease: Lease) -> Fetched | Failure | NotYet:
        """Have a lease answered; the host's turn is over when this returns."""
        refusal = self._trap(lease.url) or await self._prepare(lease)
        if isinstance(refusal, NotYet):
            return refusal
        answer = refusal or await self.fetcher.fetch(lease.url)
        self._note(lease.host, answer)
        self.frontier.asked(lease, answer.sent_at)
        return answer

    def _trap(self, url: str) -> Failure | None:
        """Queued links are asked again: what they belong to may have given enough meanwhile."""
        refused = self.scope.shapes.refuses(url)
        return Failure(Reason.TRAP, f"{refused}: {shape_of(url)}") if refused else None

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
        return self.fetcher.allowed(lease.url)

    async def _ask_robots(self, lease: Lease) -> NotYet | Failure | None:
        """Ask for robots.txt, and leave the page for the next turn if a request left."""
        host = self.fetcher.robots_host(lease.url)
        if host != lease.host:
            return await self._ask_robots_of(host, lease)
        sent_at = await self.fetcher.fetch_robots(lease.url)
        if isinstance(sent_at, Failure):
            return sent_at
        return self._give_back(lease, sent_at, self.fetcher.sitemaps(lease.url)) if sent_at else None

    async def _ask_robots_of(self, host: str, lease: Lease) -> NotYet:
        """Ask where robots.txt was redirected to, with a turn of that host, if it has one now."""
        # The link's own turn ends first: both hosts may be behind one address.
        self.frontier.turns.hold(lease.host, self.now() + LOOK_AGAIN)
        not_yet = self._give_back(lease)
        asked_for = max(self.fetcher.crawl_delay(f"{scheme}://{host}/") for scheme in ("http", "https"))
        delay = self.delays.delay(host, asked_for)
        if await self._knows_address(host) and self.frontier.take_turn(host, delay):
            asked = await self.fetcher.fetch_robots(lease.url)
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

    def _note(self, host: str, answer: Fetched | Failure) -> None:
        """Leave a host alone that does not answer or says it is overloaded; recover slowly otherwise."""
        now = self.now()
        if isinstance(answer, Failure):
            if answer.reason in UNREACHABLE:
                self.frontier.turns.hold(host, now + self.hosts.failed(host, now, answer.retry_after))
            elif answer.reason not in _NOT_ASKED:
                self.hosts.answered(host, now)
            return
        self.hosts.answered(host, now)
        self.frontier.turns.set_address(host, answer.address)
        if answer.status in THROTTLING:
            self.delays.throttled(host, now, answer.retry_after)
            until = self.delays.not_before(host)
            self.frontier.turns.hold(host, until)
            self.tell(events.Throttled(host, until - now))
        else:
            self.delays.succeeded(host)

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
            if page.refresh and all(link.url != page.refresh for link in page.links):
                page.links.append(Link(page.refresh))
        return page


def is_sitemap(answer: Fetched) -> bool:
    """Whether the answer lists URLs for crawlers rather than being a page for people."""
    kind = answer.content_type.partition(";")[0].strip()
    return kind in SITEMAP_TYPES or (kind == "text/plain" and lists_urls(answer.body))
