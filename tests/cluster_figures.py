"""What a site saw of a crawl by several workers, compared with what the crawl holds."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from aiohttp import web

from lagotto.base.protocols.storage import Severity
from lagotto.store import storage_at
from tests.site import Request, Site

DELAY = 0.3
RETRY_AFTER = 10
"""Seconds for which a busy host asks to be left alone."""
_WORKER = re.compile(r"worker-(\d+)@")


@dataclass
class Figures:
    """What the promise is judged by."""

    pages: int
    lost: int
    double_commits: int
    refetches: int
    at_once: int
    """Requests to a host less than the delay after one of another worker."""
    hasty: int
    """Requests to a host that had asked to be left alone."""
    refused: int
    """Commits that were refused because shards had been taken."""
    left: int
    """Links that were still queued at the end."""
    reasons: dict[str, int]
    """Why URLs have no page."""
    damaged: int
    """Checks of the database that failed."""

    def sentence(self) -> str:
        """The figures for people."""
        return (
            f"{self.pages} pages, {self.lost} lost, {self.double_commits} committed twice, "
            f"{self.at_once} times two workers at one host, {self.hasty} times a busy host not left alone, "
            f"{self.refused} commits refused, {self.refetches} fetched again, {self.left} left in the queue"
            + (f", without a page: {self.reasons}" if self.reasons else "")
            + (f", {self.damaged} checks of the database failed" if self.damaged else "")
        )

    @property
    def broken(self) -> bool:
        """Whether the promise was broken."""
        return bool(self.lost or self.double_commits or self.at_once or self.hasty or self.damaged)


def figures(site: Site, expected: Collection[str], location: str, folder: Path) -> Figures:
    """Compare what the site served with what the crawl holds; `folder` has the workers' logs."""
    storage = storage_at(location)
    with storage.reader() as reader:
        committed = Counter(row.url for row in reader.rows() if row.status == 200)
        status = reader.status()
    busy = [page for page in site.pages.values() if isinstance(page, BusyPage)]
    return Figures(
        pages=len(committed),
        lost=len(set(expected) - committed.keys()),
        double_commits=sum(n - 1 for n in committed.values()),
        refetches=sum(n - 1 for n in site.fetches().values())
        - sum(page.refused is not None for page in busy),
        at_once=meetings(site.log),
        hasty=hasty(site.log, busy),
        refused=sum(log.read_text().count("a commit was refused") for log in folder.glob("*.log")),
        left=status.queued,
        reasons=status.reasons,
        damaged=sum(finding.severity is not Severity.GOOD for finding in storage.examine()),
    )


class BusyPage:
    """A page that is refused once, with the wish to be left alone."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.refused: Request | None = None

    def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.refused is not None:
            return web.Response(text=self.html, content_type="text/html")
        self.refused = Request(time.monotonic(), request.host, request.path_qs, dict(request.headers))
        return web.Response(status=503, headers={"Retry-After": str(RETRY_AFTER)})


def worker_of(request: Request) -> int:
    """Process that sent a request."""
    found = _WORKER.search(request.headers.get("User-Agent", ""))
    return int(found[1]) if found else 0


def by_host(log: list[Request]) -> list[list[Request]]:
    """The requests to each host, in order."""
    found: dict[str, list[Request]] = defaultdict(list)
    for request in log:
        found[request.host].append(request)
    return list(found.values())


def meetings(log: list[Request]) -> int:
    """How often a host was asked less than the delay after another worker had asked it."""
    return sum(
        worker_of(one) != worker_of(other) and other.at - one.at < DELAY
        for requests in by_host(log)
        for one, other in pairwise(requests)
    )


def hasty(log: list[Request], busy: Collection[BusyPage]) -> int:
    """How often a host was asked again before the time that it had asked for was over."""
    return sum(
        request.host == page.refused.host and 0 < request.at - page.refused.at < RETRY_AFTER
        for page in busy
        if page.refused is not None
        for request in log
    )
