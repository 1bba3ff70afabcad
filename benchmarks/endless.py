"""A crawl of pages without end, as the store sees it."""

from __future__ import annotations

import random

from lagotto.base.records import Judgement, Lease, NewLink, Outcome, Page
from lagotto.base.urls import checksum


class EndlessCrawl:
    """Every page has new links, to hosts drawn at random and to its own."""

    def __init__(self, hosts: int, links: int, local: float, start: int = 0) -> None:
        """Crawls with another `start` have other pages."""
        self.hosts = hosts
        self.links = links
        self.local = local
        self._random = random.Random(7 + start)
        self._made = start << 40

    def seed(self) -> Lease:
        """A URL to start from."""
        link = self._link(self._host(), "", 0)
        return Lease(link.id, link.url, link.host, link.score)

    def outcome(self, lease: Lease) -> Outcome:
        """A page with new links."""
        own = round(self.links * self.local)
        hosts = [lease.host] * own + [self._host() for _ in range(self.links - own)]
        hash = self._random.getrandbits(63)
        return Outcome(
            lease=lease,
            fetched_at=1_700_000_000.0 + self._made,
            status=200,
            final_url=lease.url,
            page=Page(
                lease.url, title="A page of the endless web", fingerprint=hash, simhash=hash, language="en"
            ),
            judgement=Judgement(0.5, False, {"cosine": 0.5}),
            links=[self._link(host, lease.url, lease.depth + 1) for host in hosts],
            content_type="text/html",
            size=20_000,
        )

    def _host(self) -> str:
        return f"host{self._random.randrange(self.hosts)}.example"

    def _link(self, host: str, parent: str, depth: int) -> NewLink:
        self._made += 1
        url = f"http://{host}/section/page-{self._made}-with-some-words.html"
        parts = [0.25, 0.5, 0.125, 0.0]
        return NewLink(
            checksum(url), url, host, self._random.random(), parts, depth, parent, "words of a link"
        )
