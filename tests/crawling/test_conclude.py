"""What each kind of answer leads to."""

from __future__ import annotations

from typing import Any

import pytest

from lagotto.base.records import Failure, Fetched, Lease, Outcome, Page, Reason
from lagotto.base.urls import checksum
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.worker.conclude import MAX_HOPS, Conclusions, Contents
from lagotto.crawling.worker.visit import Visit
from lagotto.fetch import Sitemap
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Topic
from lagotto.lab.checks import make_page

URL = "http://a.example/page"
NOW = 1_700_000_000.0


def conclusions(**options: Any) -> Conclusions:
    return Conclusions(
        strategy=BreadthFirst(Topic("birds")),
        scope=options.pop("scope", Scope()),
        hosts=Hosts(),
        wall=lambda: NOW,
        **options,
    )


def lease(**fields: Any) -> Lease:
    return Lease(checksum(URL), URL, "a.example", **{"score": 0.5, "depth": 2, **fields})


def conclude(
    answer: Fetched | Failure, page: Page | Sitemap | Failure | None = None, **fields: Any
) -> Outcome:
    return conclusions().conclude(Visit(lease(**fields), answer, page), Contents())


def html(text: str = "birds", links: dict[str, str] | None = None) -> Page:
    return make_page(URL, "Birds", text, links)


def test_a_page_is_judged_and_its_links_are_scored() -> None:
    answer = Fetched(
        URL, 200, body=b"<p>birds", content_type="text/html", fetched_at=NOW - 1, address="192.0.2.1"
    )
    outcome = conclude(answer, html(links={"/b": "more birds"}))
    assert (outcome.reason, outcome.status, outcome.retry_at, outcome.size) == ("", 200, None, 8)
    assert (outcome.fetched_at, outcome.address, outcome.final_url) == (NOW - 1, "192.0.2.1", URL)
    assert outcome.judgement is not None
    [link] = outcome.links
    assert (link.url, link.depth, link.parent, link.anchor) == ("http://a.example/b", 3, URL, "more birds")


@pytest.mark.parametrize(("attempts", "wait"), [(0, 5.0), (1, 20.0), (2, None)])
def test_temporary_failures_are_retried_with_growing_waits(attempts: int, wait: float | None) -> None:
    for answer in (Fetched(URL, 500), Fetched(URL, 429), Failure(Reason.CONNECT, "refused")):
        outcome = conclude(answer, attempts=attempts)
        assert outcome.retry_at == (None if wait is None else NOW + wait), answer
        assert (outcome.page, outcome.links) == (None, [])


def test_a_server_that_names_a_time_is_obeyed() -> None:
    outcome = conclude(Fetched(URL, 503, retry_after=600.0))
    assert (outcome.reason, outcome.detail, outcome.retry_at) == (Reason.THROTTLED, "503", NOW + 600)


@pytest.mark.parametrize(
    ("answer", "page", "reason", "detail"),
    [
        (Fetched(URL, 404), None, Reason.HTTP_STATUS, "404"),
        (Fetched(URL, 200), Failure(Reason.PARSE_CRASH, "died"), Reason.PARSE_CRASH, "died"),
        (Failure(Reason.ROBOTS, "Disallow: /"), None, Reason.ROBOTS, "Disallow: /"),
        (Fetched(URL, 301), None, Reason.REDIRECT_REFUSED, "no usable Location"),
        (Fetched(URL, 200), Sitemap("", [], []), Reason.CONTENT_TYPE, "neither a page nor a sitemap"),
    ],
)
def test_final_failures(answer: Fetched | Failure, page: Any, reason: str, detail: str) -> None:
    outcome = conclude(answer, page)
    assert (outcome.reason, outcome.detail, outcome.retry_at) == (reason, detail, None)
    assert outcome.judgement is None


def test_the_target_of_a_redirect_takes_the_place_of_the_link() -> None:
    outcome = conclude(Fetched(URL, 302, location="http://b.example/"), anchor="a bird", hops=1)
    [link] = outcome.links
    assert (outcome.reason, outcome.final_url) == (Reason.REDIRECT, "http://b.example/")
    assert (link.url, link.host, link.depth, link.hops) == ("http://b.example/", "b.example", 2, 2)
    assert (link.anchor, link.parent) == ("a bird", URL)
    assert link.score > 0.5, "it comes before links with the same score"


def test_redirects_end_somewhere() -> None:
    for answer, hops in (
        (Fetched(URL, 301, location=URL), 0),
        (Fetched(URL, 301, location="http://b.example/"), MAX_HOPS),
    ):
        outcome = conclude(answer, hops=hops)
        assert (outcome.reason, outcome.links) == (Reason.REDIRECT_LIMIT, [])


def test_a_redirect_out_of_scope_is_refused() -> None:
    made = conclusions(scope=Scope(exclude=["b.example"]))
    answer = Fetched(URL, 301, location="http://b.example/")
    outcome = made.conclude(Visit(lease(), answer), Contents())
    assert (outcome.reason, outcome.links) == (Reason.REDIRECT_REFUSED, [])
    assert outcome.detail


def test_noindex_keeps_no_text_but_follows_links() -> None:
    page = html(links={"/b": "b"})
    page.noindex = True
    outcome = conclude(Fetched(URL, 200), page)
    assert outcome.page is not None
    assert (outcome.reason, outcome.page.text, outcome.page.title) == (Reason.NOINDEX, "", "")
    assert (outcome.judgement, outcome.sample, len(outcome.links)) == (None, None, 1)


def test_the_second_page_with_a_content_is_a_duplicate() -> None:
    made, contents = conclusions(), Contents()
    first = made.conclude(Visit(lease(), Fetched(URL, 200), html()), contents)
    other = "http://b.example/"
    again = Lease(checksum(other), other, "b.example")
    second = made.conclude(Visit(again, Fetched(other, 200), html(links={"/x": "x"})), contents)
    assert (first.reason, second.reason, second.detail) == ("", Reason.DUPLICATE, URL)
    assert (second.judgement, second.links) == (None, [])


def test_urls_of_a_sitemap_are_scored_and_nested_sitemaps_come_first() -> None:
    sitemap = Sitemap(
        "index", ["http://a.example/1", "http://a.example/1", "mailto:x"], ["http://a.example/s2.xml"]
    )
    outcome = conclude(Fetched(URL, 200), sitemap)
    assert outcome.reason == Reason.SITEMAP
    assert [link.url for link in outcome.links] == ["http://a.example/1", "http://a.example/s2.xml"]
    assert outcome.links[-1].hops == 1
    assert [link.url for link in conclude(Fetched(URL, 200), sitemap, hops=3).links] == ["http://a.example/1"]


def test_pages_are_counted_for_their_host() -> None:
    made = conclusions()
    made.hosts.limit = 1
    done = made.conclude(Visit(lease(), Fetched(URL, 200), html()), Contents())
    made.count(made.conclude(Visit(lease(), Fetched(URL, 404)), Contents()))
    assert made.hosts.pages_left("a.example") == 1
    made.count(done)
    assert made.hosts.pages_left("a.example") == 0
