"""Redirects: within limits, in bounded chains, and not before pages for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lagotto.base.records import Outcome, Reason
from lagotto.crawling import config as configuration
from lagotto.crawling.frontier.hosts import FREE_REDIRECTS, Hosts
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.redirects import ALLOWED, ALLOWED_FOR_HOST, NotFollowed, Redirects
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.store import storage_at
from tests.site import Site

PAGES = 40


def page(text: str, links: list[str]) -> str:
    anchors = "".join(f'<p><a href="{link}">birds {link}</a></p>' for link in links)
    return f"<html><title>{text}</title><body><p>{text} birds</p>{anchors}</body></html>"


class Redirector(Site):
    """Pages that link to each other and to redirects that lead to redirects, for ever.

    Each redirect has an address of its own: numbers if `numbered`, else words, which make no pattern.
    """

    numbered = True

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        kind, _, rest = request.path.strip("/").partition("/")
        if kind == "go":
            start, _, step = rest.partition("/")
            onward = f"/go/{start}/{self._name(len(step) if not self.numbered else int(step) + 1)}"
            self.pages[request.path_qs] = lambda _: web.Response(status=302, headers={"Location": onward})
        return await super()._answer(request)

    def _name(self, number: int) -> str:
        return str(number) if self.numbered else "x" * (number + 1)

    def fill(self) -> None:
        for number in range(PAGES):
            traps = [f"/go/{self._name(50 * number + n)}/{self._name(0)}" for n in range(50)]
            self.pages[f"/p{number}" if number else "/"] = page(f"page {number}", [*traps, f"/p{number + 1}"])


async def crawl(site: Site, directory: Path, **options: Any) -> tuple[Crawl, int, int]:
    """Crawl; returns the crawl, its requests and the redirects among them."""
    values = {
        "topic": "birds",
        "strategy": "bfs",
        "seeds": [f"http://{site.hosts[0]}/"],
        "delay": 0.0,
        "allow_private": ["127.0.0.0/8"],
        "parsers": 1,
        **options,
    }
    async with Crawl(configuration.from_values(values), directory) as crawl:
        await crawl.run()
    return crawl, len(site.log), sum(request.path.startswith("/go/") for request in site.log)


@pytest.mark.parametrize("numbered", [True, False])
async def test_redirects_that_lead_nowhere_do_not_use_up_the_crawl(tmp_path: Path, numbered: bool) -> None:
    async with Redirector({}) as site:
        site.numbered = numbered
        site.fill()
        done, requests, _ = await crawl(site, tmp_path / "c", max_pages=5)
    assert done.statistics.pages == 5
    assert requests < (60 if numbered else 120)
    with storage_at(tmp_path / "c").reader() as reader:
        reasons = reader.status().reasons
    assert reasons["trap"] > 0


async def test_redirects_count_against_the_limit_of_their_host(tmp_path: Path) -> None:
    async with Redirector({}) as site:
        site.fill()
        site.numbered = False
        _, _, redirects = await crawl(site, tmp_path / "c", host_limit=12, concurrency=1)
        host = site.hosts[0]
    assert redirects <= 12 + FREE_REDIRECTS
    hosts = Hosts(limit=12)
    for _ in range(12 + FREE_REDIRECTS):
        assert hosts.pages_left(host) > 0
        hosts.redirected(host)
    assert hosts.pages_left(host) == 0


async def test_redirects_count_against_the_limit_of_their_pattern(tmp_path: Path) -> None:
    async with Redirector({}) as site:
        site.fill()
        _, _, redirects = await crawl(site, tmp_path / "c", pattern_limit=10, max_pages=10)
    assert redirects <= 10


async def test_a_crawl_ends_when_its_requests_are_used(tmp_path: Path) -> None:
    async with Redirector({}) as site:
        site.fill()
        done, requests, _ = await crawl(site, tmp_path / "c", max_requests=25)
        assert done.why == "the budget of 25 requests is used (see --max-requests)"
        assert requests == 25
        async with Crawl.resume(tmp_path / "c") as again:
            assert await again.run() == done.why
    assert len(site.log) <= 26, "a concluded URL counts as a request when the crawl is resumed"


def outcome(url: str, hops: int, **fields: Any) -> Outcome:
    lease = seed_lease(url)
    lease.hops = hops
    return Outcome(lease=lease, fetched_at=0.0, **fields)


def test_redirects_to_new_pages_are_followed_without_end() -> None:
    redirects = Redirects()
    for number in range(5 * ALLOWED_FOR_HOST):
        start, target = f"http://short.org/{number}", f"http://site{number}.org/"
        assert redirects.follow(seed_lease(start), target) is None
        redirects.concluded(outcome(target, 1, status=200))
    assert redirects.refusal("http://short.org/1") is None


@pytest.mark.parametrize("end", [{"status": 404, "reason": Reason.HTTP_STATUS}, {"reason": Reason.DUPLICATE}])
def test_a_pattern_whose_redirects_end_at_no_new_page_is_given_up(end: dict[str, Any]) -> None:
    redirects = Redirects()
    for number in range(ALLOWED):
        assert redirects.refusal("http://a.org/edit/9") is None
        assert (
            redirects.follow(seed_lease(f"http://a.org/edit/{number}"), f"http://a.org/login/{number}")
            is None
        )
        redirects.concluded(outcome(f"http://a.org/login/{number}", 1, **end))
    assert redirects.refusal("http://a.org/edit/9") is NotFollowed.NOWHERE
    assert redirects.refusal("http://a.org/page/9") is None


def test_redirects_that_all_lead_to_one_place_are_given_up() -> None:
    redirects = Redirects()
    refused = [redirects.follow(seed_lease(f"http://a.org/{n}"), "http://a.org/") for n in range(ALLOWED + 2)]
    assert refused[0] is None
    assert refused[-1] is NotFollowed.NOWHERE


def test_pages_of_a_pattern_count_for_it() -> None:
    redirects = Redirects()
    for number in range(3 * ALLOWED):
        redirects.follow(seed_lease(f"http://a.org/{number}"), "http://a.org/")
        redirects.concluded(outcome(f"http://a.org/{number}", 0, status=200))
    assert redirects.refusal("http://a.org/9") is None
