"""The stages of a crawl that leave its process: fetching and parsing."""

from __future__ import annotations

from typing import Protocol

from lagotto.base.facts import OptOut
from lagotto.base.records import Failure, Fetched, Page


class Fetcher(Protocol):
    """Fetches URLs: one request a call; redirects are not followed."""

    async def address(self, host: str) -> str | Failure:
        """IP address that the host resolves to (cached, also negatively); empty behind a proxy."""
        ...

    def robots_known(self, url: str) -> bool:
        """Whether robots.txt, and all else that is asked for before a page, is in the cache and fresh."""
        ...

    def robots_host(self, url: str) -> str:
        """Host that the next request for robots.txt goes to: not the URL's own if it is redirected."""
        ...

    async def fetch_robots(self, url: str) -> float | Failure:
        """Send one request for what `robots_known` misses; returns when it left, 0 if it did not.

        After a redirect robots.txt is not known yet, and the next call asks where it leads to. A
        failure means that the host gave no answer, and that nothing is known.
        """
        ...

    def refusal(self, url: str) -> Failure | None:
        """Why robots.txt, fetched before, forbids the URL; None if it allows it."""
        ...

    def crawl_delay(self, url: str) -> float:
        """Crawl-delay that robots.txt asks for, capped; 0 when it asks for none."""
        ...

    def sitemaps(self, url: str) -> list[str]:
        """Sitemap URLs that robots.txt of the URL's origin names."""
        ...

    def opt_outs(self, url: str) -> list[OptOut]:
        """Uses of the URL that files of its origin, fetched before, opt out of."""
        ...

    async def fetch(self, url: str) -> Fetched | Failure:
        """One GET of the URL; a redirect comes back as such."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Parser(Protocol):
    """Turns bytes into a `Page`, in a process that can be killed."""

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body; a `Failure` when it takes too long or too much memory."""
        ...

    async def close(self) -> None:
        """End the worker processes."""
        ...
