"""The only way to the network: all requests and connections of the crawler go through `Client`."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Mapping, Sequence

from aiohttp import (
    ClientPayloadError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from yarl import URL

from lagotto.base.errors import InputError
from lagotto.base.facts import OptOut, robot_opt_outs, tdm_opt_outs
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.base.urls import host_of
from lagotto.fetch.body import Body, Refused, Wanted
from lagotto.fetch.credentials import Credentials
from lagotto.fetch.dns import AddressRefused, Lookup, Resolver
from lagotto.fetch.exchange import Connections, Exchange, ExchangeRequest, Timeouts
from lagotto.fetch.failures import EXPECTED, failure, failure_of
from lagotto.fetch.guard import Guard
from lagotto.fetch.headers import location, retry_after, robots_tag
from lagotto.fetch.timing import Latencies, Stalls

REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Bodies of errors and redirects are cut to this size and kept for the archive.
_NO_PAGE = Wanted(cap=64 * 1024, cut=True)
_MAX_HEADERS = 10_000
_MAX_HEADER = 512 * 1024
_MAX_STORED = 1024
_MAX_LARGE_BODIES = 8
_KEEP_IDLE = 5.0
_ANYWHERE = Guard(["0.0.0.0/0", "::/0"])


class Client:
    """Sends requests; follows no redirects, retries nothing and keeps no cookies.

    Names are resolved by our resolver and sockets made by our factory, so that the guard sees each
    address just before it is connected to, whether it came from DNS or stood in the URL. Behind a
    proxy only the proxy is connected to, and the guard sees the addresses that stand in URLs.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str],
        product: str,
        guard: Guard,
        credentials: Credentials | None = None,
        proxy: str = "",
        verify_tls: bool | ssl.SSLContext = True,
        timeouts: Timeouts | None = None,
        limit_per_host: int = 1,
        lookup: Lookup | None = None,
    ) -> None:
        if proxy and not _is_proxy(proxy):
            raise InputError(f"'{proxy}' is not a proxy Lagotto can use; write it like http://127.0.0.1:8080")
        self.headers = dict(headers)
        self.product = product
        self.guard = guard
        self.credentials = credentials
        self.proxy = proxy
        self.verify_tls = verify_tls
        self.timeouts = timeouts or Timeouts()
        self.limit_per_host = limit_per_host
        self._latencies = Latencies()
        self._stalls = Stalls()
        self._connections = Connections()
        self.resolver = Resolver(_ANYWHERE if proxy else guard, lookup=lookup)
        self._session: ClientSession | None = None
        self._large_bodies = asyncio.Semaphore(_MAX_LARGE_BODIES)

    async def get(
        self, url: str, wanted: Wanted, conditions: Sequence[tuple[str, str]] = ()
    ) -> Fetched | Failure:
        """One GET of a canonical URL, with further headers; redirects come back as such."""
        return await self._ask("GET", url, wanted, conditions)

    async def post(self, url: str, content: bytes, content_type: str) -> Fetched | Failure:
        """One POST to a canonical URL; only the beginning of the answer is kept."""
        return await self._ask("POST", url, _NO_PAGE, [("Content-Type", content_type)], content)

    async def _ask(
        self,
        method: str,
        url: str,
        wanted: Wanted,
        headers: Sequence[tuple[str, str]],
        content: bytes | None = None,
    ) -> Fetched | Failure:
        target = URL(url, encoded=True)
        host = target.raw_host or ""
        if not _is_host_name(host):
            return Failure(Reason.SCHEME, "not a host name")
        if self.proxy and not self.guard.allows_host(host, target.port or 0):
            return Failure(Reason.ADDRESS, str(AddressRefused()))
        secrets = self.credentials.headers_for(url) if self.credentials else []
        exchange = Exchange(self.timeouts, self._connections)
        response: ClientResponse | None = None
        try:
            async with exchange.deadline:
                response = await self._open().request(
                    method,
                    target,
                    headers=[*secrets, *headers],
                    data=content,
                    allow_redirects=False,
                    middlewares=(exchange,),
                )
                fetched = await self._receive(url, response, exchange, wanted)
                fetched.request_headers = _without(secrets, response.request_info.headers)
                return fetched
        except Refused as refusal:
            return failure(refusal.reason, refusal.detail, exchange.sent_at)
        except EXPECTED as error:
            stalled = self._stalls.fill(exchange.started_at)
            failed = failure_of(error, exchange, proxied=bool(self.proxy), stalled=stalled)
            if failed.reason is Reason.LOCAL:
                self._connections.close_idle()
            return failed
        finally:
            exchange.over()
            # Closes the connection, unless the whole body was read and the connection is back in the pool.
            if response is not None:
                response.close()

    async def close(self) -> None:
        """Close all connections."""
        self._stalls.close()
        await self.resolver.close()
        if self._session is not None:
            await self._session.close()

    def _open(self) -> ClientSession:
        """The session, made on first use because it belongs to the running event loop."""
        self._stalls.watch()
        if self._session is None:
            self._session = ClientSession(
                connector=TCPConnector(
                    resolver=self.resolver,
                    use_dns_cache=False,
                    socket_factory=None if self.proxy else self._socket,
                    limit=0,
                    limit_per_host=self.limit_per_host,
                    keepalive_timeout=_KEEP_IDLE,
                    ssl=self.verify_tls,
                ),
                headers=self.headers,
                proxy=self.proxy or None,
                timeout=ClientTimeout(total=None, sock_read=self.timeouts.idle),
                cookie_jar=DummyCookieJar(),
                auto_decompress=False,
                request_class=ExchangeRequest,
                # The exchange limits the size of headers, in bytes.
                max_line_size=_MAX_HEADER,
                max_field_size=_MAX_HEADER,
                max_headers=_MAX_HEADERS,
            )
        return self._session

    def _socket(self, info: tuple[int, int, int, str, tuple[str, int]]) -> socket.socket:
        """Make the socket for one address, if the guard lets it be connected to."""
        family, kind, protocol, _, address = info
        if not self.guard.allows(address[0], address[1]):
            raise AddressRefused
        return socket.socket(family, kind, protocol)

    async def _receive(
        self, url: str, response: ClientResponse, exchange: Exchange, wanted: Wanted
    ) -> Fetched:
        headers = response.headers
        status = response.status
        wanted = wanted if status == 200 else _NO_PAGE
        self._check_head(response, wanted)
        exchange.answered(wanted.cap)
        body = Body(wanted, headers.get("Content-Type", ""), ",".join(headers.getall("Content-Encoding", ())))
        await self._read(body, response, exchange)
        to_robots = robots_tag(headers.getall("X-Robots-Tag", ()), self.product)
        now = time.time()
        return Fetched(
            url=url,
            status=status,
            status_text=_storable(response.reason or ""),
            http_version=f"{response.version.major}.{response.version.minor}" if response.version else "1.1",
            headers=[(name.decode("latin-1"), _text(value)) for name, value in response.raw_headers],
            body=body.content,
            wire=body.wire,
            content_type=body.content_type,
            declared_type=_storable(headers.get("Content-Type", "")),
            truncated=body.truncated,
            sent_at=self._latencies.reached(host_of(url), exchange.sent_at, exchange.answered_at),
            fetched_at=now,
            address="" if self.proxy else exchange.address,
            location=location(headers.get("Location", ""), url) if status in REDIRECTS else "",
            etag=_storable(headers.get("ETag", "")),
            last_modified=_storable(headers.get("Last-Modified", "")),
            noindex=not to_robots.isdisjoint(("noindex", "none")),
            nofollow=not to_robots.isdisjoint(("nofollow", "none")),
            opt_outs=_opt_outs(headers, to_robots),
            retry_after=retry_after(headers["Retry-After"], now) if "Retry-After" in headers else 0.0,
        )

    def _check_head(self, response: ClientResponse, wanted: Wanted) -> None:
        """Refuse an answer if its status and headers show that it cannot be used."""
        status, length = response.status, response.content_length or 0
        if status < 200:
            raise Refused(Reason.BAD_HTTP, "switched protocols")
        if status in REDIRECTS and len(set(response.headers.getall("Location", ()))) > 1:
            raise Refused(Reason.BAD_HTTP, "two different Locations")
        if status == 407 and self.proxy:
            raise Refused(Reason.PROXY, "the proxy wants other credentials")
        if length > wanted.cap and not wanted.cut:
            raise Refused(Reason.TOO_LARGE, f"{length} bytes announced")

    async def _read(self, body: Body, response: ClientResponse, exchange: Exchange) -> None:
        try:
            await body.read(response.content, self._large_bodies)
            if exchange.stopped:
                raise Refused(*exchange.stopped)
        except (Refused, ClientPayloadError):
            # Of an error or a redirect only the status matters, so a bad body is no failure.
            if body.wanted is not _NO_PAGE:
                raise
            body.truncated = True


def _is_host_name(host: str) -> bool:
    """Whether DNS and TLS allow the name; URLs may contain others."""
    labels = host.removesuffix(".").split(".")
    return len(host) <= 254 and all(0 < len(label) < 64 for label in labels)


def _is_proxy(proxy: str) -> bool:
    """Whether requests can be sent there."""
    try:
        url = URL(proxy)
    except ValueError:
        return False
    return url.scheme in ("http", "https") and bool(url.host)


def _opt_outs(headers: Mapping[str, str], to_robots: set[str]) -> list[OptOut]:
    """Uses that the headers opt out of."""
    found = robot_opt_outs(to_robots, "header") if to_robots else []
    if "TDM-Reservation" in headers:
        found += tdm_opt_outs(headers["TDM-Reservation"], headers.get("TDM-Policy", ""), "header")
    return found


def _storable(value: str) -> str:
    """A header's value as valid Unicode for the store; empty if it is too long."""
    return value.encode("utf-8", "replace").decode() if len(value) <= _MAX_STORED else ""


def _text(value: bytes) -> str:
    """A header's value; bytes that are not UTF-8 become lone surrogates, as in aiohttp."""
    return value.decode("utf-8", "surrogateescape")


def _without(secrets: list[tuple[str, str]], headers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Request headers for the archive, without credentials."""
    hidden = {"proxy-authorization", *(name.lower() for name, _ in secrets)}
    return [(name, value) for name, value in headers.items() if name.lower() not in hidden]
