"""The fetcher of a real crawl: robots.txt, addresses and pages over HTTP."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

from lagotto.base.errors import InputError
from lagotto.base.facts import OptOut
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.base.urls import host_of
from lagotto.fetch.body import PAGE_TYPES, SITEMAP_TYPES, Wanted
from lagotto.fetch.client import Client
from lagotto.fetch.credentials import Credentials
from lagotto.fetch.decode import ACCEPT_ENCODING
from lagotto.fetch.dns import AddressRefused, Lookup, NameNotFound, is_local
from lagotto.fetch.exchange import Timeouts
from lagotto.fetch.failures import local_failure
from lagotto.fetch.guard import Guard
from lagotto.fetch.robots import MAX_SIZE as MAX_ROBOTS_SIZE
from lagotto.fetch.robots_cache import RobotsCache
from lagotto.fetch.tdm import MAX_SIZE as MAX_TDM_SIZE
from lagotto.fetch.tdm import TdmFiles, tdm_url

PRODUCT = "lagotto"
"""Our name in robots.txt."""
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5"
_ROBOTS = Wanted(cap=MAX_ROBOTS_SIZE + 1, cut=True)
_TDM = Wanted(cap=MAX_TDM_SIZE)


class HttpFetcher:
    """Implements `protocols.Fetcher` over HTTP.

    `contact` is a URL that tells site owners who crawls; `accepted_types` are the types, after
    sniffing, whose bodies are kept. With `tdm_files` each origin is asked for its
    `/.well-known/tdmrep.json` as well.
    """

    def __init__(
        self,
        *,
        contact: str = "",
        accept_language: str = "en,*;q=0.5",
        guard: Guard | None = None,
        credentials: Credentials | None = None,
        proxy: str = "",
        verify_tls: bool | ssl.SSLContext = True,
        timeouts: Timeouts | None = None,
        max_size: int = 10 * 1024 * 1024,
        accepted_types: frozenset[str] = PAGE_TYPES,
        limit_per_host: int = 1,
        obey_robots: bool = True,
        tdm_files: bool = False,
        max_crawl_delay: float = 30.0,
        lookup: Lookup | None = None,
        clock: Callable[[], float] = time.monotonic,
        conditions: Callable[[str], Sequence[tuple[str, str]]] = lambda _: (),
    ) -> None:
        """`conditions` gives further headers for a URL, such as `If-None-Match`: the answer may be a 304."""
        self.contact = contact
        self.accept_language = accept_language
        self.guard = guard or Guard()
        self.credentials = credentials
        self.proxy = proxy
        self.verify_tls = verify_tls
        self.timeouts = timeouts or Timeouts()
        self.max_size = max_size
        self.accepted_types = accepted_types
        self.limit_per_host = limit_per_host
        self.obey_robots = obey_robots
        self.tdm_files = tdm_files
        self.max_crawl_delay = max_crawl_delay
        self.conditions = conditions
        self._page = Wanted(
            cap=max_size, types=accepted_types, unpack=not accepted_types.isdisjoint(SITEMAP_TYPES)
        )
        self._client = Client(
            headers={
                "User-Agent": user_agent(contact),
                "Accept": _ACCEPT,
                "Accept-Encoding": ACCEPT_ENCODING,
                **({"Accept-Language": accept_language} if accept_language else {}),
            },
            product=PRODUCT,
            guard=self.guard,
            credentials=credentials,
            proxy=proxy,
            verify_tls=verify_tls,
            timeouts=self.timeouts,
            limit_per_host=limit_per_host,
            lookup=lookup,
        )
        self._robots = RobotsCache(
            self._get_robots, PRODUCT, obey=obey_robots, max_crawl_delay=max_crawl_delay, clock=clock
        )
        self._tdm = TdmFiles(self._get_tdm, clock=clock) if tdm_files else None

    async def address(self, host: str) -> str | Failure:
        """IP address that the host resolves to; empty behind a proxy."""
        if self.proxy:
            return ""
        name, ports = _split(host)
        try:
            addresses = (name,) if _is_literal(name) else await self._client.resolver.addresses(name)
        except NameNotFound as error:
            return Failure(Reason.DNS, str(error))
        except OSError as error:
            if not is_local(error):
                raise
            return local_failure(error)
        if any(all(self.guard.allows(address, port) for address in addresses) for port in ports):
            return addresses[0]
        return Failure(Reason.ADDRESS, str(AddressRefused()))

    def robots_known(self, url: str) -> bool:
        """Whether robots.txt of the URL's origin, and its TDM file if wanted, is in the cache and fresh."""
        return self._robots.known(url) and (self._tdm is None or self._tdm.known(url))

    def robots_host(self, url: str) -> str:
        """Host that the next request for robots.txt of the URL's origin goes to."""
        return host_of(url) if self._robots.known(url) else self._robots.host(url)

    async def fetch_robots(self, url: str) -> float | Failure:
        """Send one request for robots.txt of the URL's origin, or else for its TDM file."""
        if self._tdm is None or not self._robots.known(url):
            return await self._robots.fetch(url)
        return await self._tdm.fetch(url, allowed=self._robots.refusal(tdm_url(url)) is None)

    def refusal(self, url: str) -> Failure | None:
        """Why robots.txt, fetched before, forbids the URL; None if it allows it."""
        return self._robots.refusal(url)

    def opt_outs(self, url: str) -> list[OptOut]:
        """Uses of the URL that robots.txt and the TDM file of its origin opt out of."""
        found = self._robots.opt_outs(url)
        return found if self._tdm is None else found + self._tdm.opt_outs(url)

    def crawl_delay(self, url: str) -> float:
        """Crawl-delay that robots.txt asks for, capped; 0 when it asks for none."""
        return self._robots.crawl_delay(url)

    def sitemaps(self, url: str) -> list[str]:
        """Sitemap URLs that robots.txt of the URL's origin names."""
        return self._robots.sitemaps(url)

    async def fetch(self, url: str) -> Fetched | Failure:
        """One GET of the URL; a redirect comes back as such."""
        return await self._client.get(url, self._page, self.conditions(url))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _get_robots(self, url: str) -> Fetched | Failure:
        return await self._client.get(url, _ROBOTS)

    async def _get_tdm(self, url: str) -> Fetched | Failure:
        return await self._client.get(url, _TDM)


def user_agent(contact: str) -> str:
    """The User-Agent of every request."""
    if not contact.isprintable() or not contact.isascii() or any(c in contact for c in " ()"):
        raise InputError(f"'{contact}' is not a contact URL; write it like https://example.org/crawler")
    name = f"{PRODUCT}/{version('lagotto')}"
    return f"{name} (+{contact})" if contact else name


def _split(host: str) -> tuple[str, tuple[int, ...]]:
    """Name of a host and the ports it may mean."""
    name, colon, port = host.rpartition(":")
    if colon and port.isdecimal():
        return name.strip("[]"), (int(port),)
    return host.strip("[]"), (80, 443)


def _is_literal(name: str) -> bool:
    return ":" in name or name.replace(".", "").isdecimal()
