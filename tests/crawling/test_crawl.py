"""Whole crawls of small real sites on loopback, each about one promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lagotto.api import CrawlResult
from lagotto.base.errors import SeedError
from lagotto.base.records import FetchedRow
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import Deferred, Event, Finished, LinksScored, PageDone, Throttled
from lagotto.crawling.worker.memory import replay
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.store import storage_at
from tests.site import Site, tree_site, tree_url


def html(text: str, *links: str, head: str = "") -> str:
    anchors = "".join(f'<p>Read about <a href="{link}">birds at {link}</a> here.</p>' for link in links)
    return f"<html><head><title>{text[:20]}</title>{head}</head><body><p>{text}</p>{anchors}</body></html>"


async def crawl_site(
    site: Site, directory: Path, **options: Any
) -> tuple[dict[str, FetchedRow], list[Event]]:
    """Crawl a site from its front page; returns rows by path, and the events."""
    values: dict[str, Any] = {
        "topic": "birds",
        "seeds": [f"http://{site.hosts[0]}/"],
        "strategy": "bfs",
        "delay": 0.0,
        "allow_private": ["127.0.0.0/8"],
        "retry_wait": 0.05,
        "parsers": 1,
        **options,
    }
    events = []
    async with Crawl(configuration.from_values(values), directory) as crawl:
        async for event in crawl:
            events.append(event)
    result = CrawlResult(directory, crawl.why, crawl.statistics.pages, crawl.statistics.relevant)
    rows = {row.url.partition(site.hosts[0])[2] or row.url: row for row in result.pages(with_text=True)}
    return rows, events


async def test_a_page_is_fetched_judged_and_kept(tmp_path: Path) -> None:
    async with Site({"/": html("birds and feathers", "/a"), "/a": html("money")}) as site:
        rows, events = await crawl_site(site, tmp_path / "c")
    assert [row.seq for row in rows.values()] == [1, 2]
    assert (rows["/"].status, rows["/"].relevant, rows["/"].depth) == (200, True, 0)
    assert (rows["/a"].relevant, rows["/a"].depth, rows["/a"].parent) == (False, 1, rows["/"].url)
    assert rows["/a"].text == "money"
    assert isinstance(events[-1], Finished)
    assert [event.url for event in events if isinstance(event, PageDone)] == [
        row.url for row in rows.values()
    ]


async def test_the_request_says_who_we_are(tmp_path: Path) -> None:
    async with Site({"/": html("birds")}) as site:
        await crawl_site(site, tmp_path / "c", contact="https://example.org/bot")
    agents = {request.headers["User-Agent"] for request in site.log}
    assert len(agents) == 1
    assert agents.pop().startswith("lagotto/")
    assert all("https://example.org/bot" in request.headers["User-Agent"] for request in site.log)


async def test_redirects_are_followed_through_the_frontier(tmp_path: Path) -> None:
    def to(target: str) -> Any:
        return lambda _: web.Response(status=302, headers={"Location": target})

    pages = {
        "/": html("front", "/a", "/loop", "/away", "/self"),
        "/a": to("/b"),
        "/b": to("/c"),
        "/c": html("the end of the chain"),
        "/loop": to("/loop2"),
        "/loop2": to("/loop"),
        "/away": to("file:///etc/passwd"),
        "/self": to("/self"),
    }
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
    assert [rows[path].reason for path in ("/a", "/b", "/c")] == ["redirect", "redirect", ""]
    assert rows["/a"].final_url.endswith("/b")
    assert rows["/c"].status == 200
    assert rows["/away"].reason == "redirect-refused"
    assert rows["/self"].reason == "redirect-limit"
    assert max(site.fetches().values()) == 1


async def test_redirected_links_are_learned_from(tmp_path: Path) -> None:
    def onward(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": f"{request.path}/"})

    paths = [f"/bird{number}" for number in range(4)]
    pages: dict[str, Any] = {"/": html("birds", *paths)} | dict.fromkeys(paths, onward)
    pages |= {f"{path}/": html(f"birds of {path}") for path in paths}
    async with Site(pages) as site:
        await crawl_site(site, tmp_path / "c", strategy="scent")
    strategy = Scent(Topic("birds"))
    with storage_at(tmp_path / "c").reader() as reader:
        replay(strategy, reader.learned())
    assert len(strategy._links.evidence.rows) == 4
    assert strategy.outlook()["waiting"] == 0


async def test_an_endless_redirect_chain_ends(tmp_path: Path) -> None:
    def onward(request: web.Request) -> web.Response:
        number = int(request.path.removeprefix("/r"))
        return web.Response(status=301, headers={"Location": f"/r{number + 1}"})

    pages: dict[str, Any] = {"/": html("front", "/r0")} | {f"/r{n}": onward for n in range(50)}
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
    assert sum(row.reason == "redirect" for row in rows.values()) == 10
    assert sum(row.reason == "redirect-limit" for row in rows.values()) == 1


async def test_robots_txt_is_asked_once_and_obeyed(tmp_path: Path) -> None:
    pages = {"/": html("front", "/private/x", "/open"), "/open": html("open"), "/private/x": html("secret")}
    async with Site(pages, robots="User-agent: lagotto\nDisallow: /private/") as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
    asked = [request.path for request in site.log]
    assert asked.count("/robots.txt") == 1
    assert "/private/x" not in asked
    assert (rows["/private/x"].status, rows["/private/x"].reason) == (0, "robots")


async def test_a_temporary_failure_is_tried_again_and_then_given_up(tmp_path: Path) -> None:
    answers = iter([503, 200])

    def recovers(_: web.Request) -> web.Response:
        status = next(answers)
        return web.Response(status=status, text=html("well again"), content_type="text/html")

    def never(_: web.Request) -> web.Response:
        return web.Response(status=500)

    async with Site({"/": html("front", "/sick", "/dead"), "/sick": recovers, "/dead": never}) as site:
        rows, events = await crawl_site(site, tmp_path / "c", retries=2)
    assert (rows["/sick"].status, rows["/sick"].reason) == (200, "")
    assert (rows["/dead"].status, rows["/dead"].reason) == (500, "http-status")
    assert site.fetches()[f"http://{site.hosts[0]}/dead"] == 3
    assert any(isinstance(event, Throttled) for event in events)
    assert any(isinstance(event, Deferred) and event.url.endswith("/sick") for event in events)


async def test_a_page_seen_before_is_recorded_and_not_followed(tmp_path: Path) -> None:
    body = html("the same words everywhere", "/only-from-here")
    pages = {"/": html("front", "/one", "/two"), "/one": body, "/two": body, "/only-from-here": html("end")}
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
        again, _ = await crawl_site(site, tmp_path / "d", content_seen=False)
    assert [rows["/one"].reason, rows["/two"].reason] == ["", "duplicate"]
    assert rows["/two"].fingerprint == rows["/one"].fingerprint
    assert again["/two"].reason == ""


async def test_what_may_not_be_kept_makes_no_duplicates_and_is_none(tmp_path: Path) -> None:
    def page(head: str) -> str:
        return html("birds and feathers", "/through", head=head)

    noindex = '<meta name="robots" content="noindex">'
    pages = {"/": html("front", "/print", "/page", "/again"), "/through": html("through")}
    pages |= {"/print": page(noindex), "/page": page(""), "/again": page(noindex)}
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c", concurrency=1)
    assert [rows[path].reason for path in ("/print", "/page", "/again")] == ["noindex", "", "noindex"]
    assert [bool(rows[path].text) for path in ("/print", "/page", "/again")] == [False, True, False]
    assert rows["/page"].relevance is not None


async def test_noindex_and_nofollow_are_obeyed(tmp_path: Path) -> None:
    hidden = html("hidden birds", "/through", head='<meta name="robots" content="noindex">')
    closed = html("closed birds", "/behind", head='<meta name="lagotto" content="nofollow">')
    pages = {"/": html("front", "/hidden", "/closed"), "/hidden": hidden, "/closed": closed}
    async with Site(pages | {"/through": html("a"), "/behind": html("b")}) as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
    assert (rows["/hidden"].reason, rows["/hidden"].relevant, rows["/hidden"].text) == ("noindex", None, "")
    assert "/through" in rows
    assert rows["/closed"].status == 200
    assert "/behind" not in rows


async def test_the_page_budget_is_kept_exactly(tmp_path: Path) -> None:
    async with Site({}, addresses=[f"127.0.5.{n}" for n in range(1, 9)]) as site:
        site.pages.update(tree_site(300, site.hosts))
        seed = [tree_url(0, site.hosts)]
        rows, _ = await crawl_site(site, tmp_path / "c", seeds=seed, max_pages=57, concurrency=8)
    assert sum(row.status == 200 for row in rows.values()) == 57
    assert sum(site.fetches().values()) == 57


async def test_a_host_limit_leaves_other_hosts_alone(tmp_path: Path) -> None:
    async with Site({}, addresses=["127.0.5.1", "127.0.5.2"]) as site:
        site.pages.update(tree_site(60, site.hosts))
        await crawl_site(site, tmp_path / "c", seeds=[tree_url(0, site.hosts)], host_limit=5, concurrency=1)
    by_host = [sum(host in url for url in site.fetches()) for host in site.hosts]
    assert max(by_host) == 5


async def test_an_unreachable_seed_is_told_at_once(tmp_path: Path) -> None:
    async with Site({}) as site:
        gone = site.hosts[0]
    with pytest.raises(SeedError, match="connect"):
        await crawl_site(site, tmp_path / "c", seeds=[f"http://{gone}/"], retry_wait=60.0)


async def test_a_private_address_is_refused_unless_allowed(tmp_path: Path) -> None:
    async with Site({"/": html("front")}) as site:
        with pytest.raises(SeedError, match="its address is not public; name the private range"):
            await crawl_site(site, tmp_path / "c", allow_private=[])
    assert not site.log


async def test_two_runs_one_page_at_a_time_are_the_same(tmp_path: Path) -> None:
    async with Site({}, addresses=[f"127.0.5.{n}" for n in range(1, 5)]) as site:
        site.pages.update(tree_site(80, site.hosts))
        options = {"seeds": [tree_url(0, site.hosts)], "concurrency": 1, "strategy": "best-first"}
        first, _ = await crawl_site(site, tmp_path / "c", **options)
        second, _ = await crawl_site(site, tmp_path / "d", **options)
    for row in (*first.values(), *second.values()):
        row.fetched_at = ""
    assert list(first.values()) == list(second.values())


async def test_sitemaps_are_a_source_of_links(tmp_path: Path) -> None:
    def sitemap(request: web.Request) -> web.Response:
        urls = "".join(f"<url><loc>http://{request.host}/hidden{n}</loc></url>" for n in range(3))
        text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        return web.Response(text=text, content_type="application/xml")

    pages: dict[str, Any] = {"/": html("front"), "/map.xml": sitemap}
    pages |= {f"/hidden{n}": html(f"hidden page {n}") for n in range(3)}
    async with Site(pages) as site:
        site.robots = f"Sitemap: http://{site.hosts[0]}/map.xml"
        without, _ = await crawl_site(site, tmp_path / "c")
        rows, _ = await crawl_site(site, tmp_path / "d", sitemaps=True)
    assert "/hidden1" not in without
    assert {"/hidden0", "/hidden1", "/hidden2"} <= rows.keys()
    assert rows["/map.xml"].reason == "sitemap"


async def test_extra_headers_stay_with_the_seeds_origin(tmp_path: Path) -> None:
    async with Site({}, addresses=["127.0.5.1", "127.0.5.2"]) as site:
        site.pages |= {"/": html("front", f"http://{site.hosts[1]}/other"), "/other": html("other")}
        await crawl_site(site, tmp_path / "c", headers=["X-Key: secret"])
    assert all(("X-Key" in request.headers) == (request.host == site.hosts[0]) for request in site.log)
    assert {request.host for request in site.log} == set(site.hosts)


async def test_links_are_shown_with_their_labels_and_pages_go_to_a_folder(tmp_path: Path) -> None:
    async with Site({"/": html("birds", "/a"), "/a": html("more birds")}) as site:
        values = {"topic": "birds", "seeds": [f"http://{site.hosts[0]}/"], "strategy": "static", "delay": 0.0}
        values |= {"allow_private": ["127.0.0.0/8"], "pages_folder": str(tmp_path / "pages")}
        async with Crawl(configuration.from_values(values), tmp_path / "c", watch_links=True) as crawl:
            told = [event async for event in crawl if isinstance(event, LinksScored)]
    assert told[0].links[0].url.endswith("/a")
    assert told[0].links[0].score is not None
    assert {"url", "anchor", "parent", "surrounding"} == told[0].links[0].parts.keys()
    assert sorted(path.read_text()[:6] for path in (tmp_path / "pages").iterdir()) == ["<html>", "<html>"]
