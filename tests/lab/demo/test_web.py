"""The demo web: its size, its truth, its traps, and that focus pays on it."""

from __future__ import annotations

import re
import time
from collections import Counter

import aiohttp
import pytest

from lagotto.base.errors import UnknownName
from lagotto.base.urls import canonical, host_of
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.sites import SiteKind
from lagotto.lab.serving.server import WebServer
from tests.lab.demo.crawling import allowed, crawl, read


@pytest.fixture(scope="module")
def everything(web: DemoWeb) -> dict[str, list[str]]:
    """All that can be reached from one topic's seeds, calendars left out: URL -> links."""
    waiting = list(web.topics()["truffles"].seeds)
    reached: dict[str, list[str]] = {}
    while waiting:
        url = waiting.pop()
        if url in reached or "/calendar/" in url or not allowed(web, url):
            continue
        body = web.get(url)
        target = web.redirect(url)
        links = [link for href, _ in read(body).links if (link := canonical(href, url))] if body else []
        reached[url] = links
        waiting += links + ([target] if target else [])
    return reached


def test_some_3000_pages_on_some_60_hosts(web: DemoWeb) -> None:
    assert 2700 <= len(web) <= 3300
    assert 55 <= len({host_of(url) for url in web.urls()}) <= 65
    assert len(web.topics()) == 12
    assert len(set(web.urls())) == len(web)


def test_the_same_seed_makes_the_same_web(web: DemoWeb) -> None:
    again, other = DemoWeb(1), DemoWeb(2)
    assert again.urls() == web.urls()
    assert other.urls() != web.urls()
    # In another order of asking too.
    sample = web.urls()[::97]
    assert [web.get(url) for url in sample] == [again.get(url) for url in sample[::-1]][::-1]


def test_topics_have_words_seeds_and_labels(web: DemoWeb) -> None:
    pages = set(web.urls())
    for name, topic in web.topics().items():
        labels = web.labels(name)
        assert 100 < len(labels) < 350
        assert labels <= pages
        assert 3 <= len(topic.words.split()) <= 5
        assert set(topic.seeds) <= labels
        assert not any("/members/" in url for url in labels)
    with pytest.raises(UnknownName, match="no topic 'opera'"):
        web.labels("opera")


def test_every_labelled_page_can_be_reached(web: DemoWeb, everything: dict[str, list[str]]) -> None:
    pages = {web.resolve(url) for url in everything}
    for name in web.topics():
        assert web.labels(name) <= pages, name


def test_links_lead_to_all_that_a_web_has(web: DemoWeb, everything: dict[str, list[str]]) -> None:
    kinds = Counter[str]()
    for url in everything:
        page, target = web.resolve(url), web.redirect(url)
        kinds["page" if page == url else "copy" if page else "redirect" if target else "dead"] += 1
    assert kinds["page"] > 2500
    assert kinds["copy"] > 200
    assert kinds["redirect"] > 200
    assert 200 < kinds["dead"] < 0.15 * kinds.total()


def test_some_sites_are_found_only_through_pages_about_something_else(
    web: DemoWeb, everything: dict[str, list[str]]
) -> None:
    for name in web.topics():
        labels = web.labels(name)
        hidden = {site.host for site in web.plan.sites.values() if site.hidden and site.topics == (name,)}
        parents = {
            web.resolve(url)
            for url, links in everything.items()
            for link in links
            if host_of(link) in hidden and host_of(url) not in hidden
        }
        assert parents
        # Advertisements may point there from anywhere; apart from them it is off-topic pages that do.
        assert len(parents & labels) < len(parents) / 2


def test_spellings_and_copies_count_once(web: DemoWeb) -> None:
    home = "http://crumb-and-crust.example/"
    for spelling in (home + "index.html", "https://mirror.example/", "http://mirror.example/index.htm"):
        assert web.resolve(spelling) == home
        assert web.get(spelling) == web.get(home)
    labelled = sorted(web.labels("baking"))[:2]
    assert web.hits("baking", [labelled[0], labelled[0] + "#x", "http://events.example/", labelled[1]]) == [
        True,
        False,
        False,
        True,
    ]


def test_printed_and_session_copies(web: DemoWeb) -> None:
    article = next(
        url for url in web.urls() if url.startswith("http://back-rank.example/") and "-" in url[30:]
    )
    assert web.resolve(article + ("&" if "?" in article else "?") + "print=1") == article
    assert web.resolve("http://curious-post.example/?sid=123") == "http://curious-post.example/"


def test_the_calendar_never_ends(web: DemoWeb) -> None:
    url, seen = "http://events.example/calendar/2024/01/", set()
    for _ in range(200):
        body = web.get(url)
        assert body is not None
        seen.add(body)
        url = next(href for href, anchor in read(body).links if anchor == "next month")
    assert len(seen) == 200
    assert url == "http://events.example/calendar/2040/09/"
    assert web.get("http://events.example/calendar/2024/13/") is None
    assert web.get("http://birds.example/calendar/2024/01/") is None


def test_redirects_and_their_loop(web: DemoWeb) -> None:
    number = 17
    page = web.plan.pages[number]
    assert web.redirect(f"http://{page.site.host}/moved/{number}") == page.url
    assert web.redirect("http://x.example/moved/999999") is None
    assert web.redirect("http://old-birds.example/about.html") == "http://birds.example/about.html"
    first = web.redirect("http://town-hall.example/loop/a")
    assert first is not None
    assert web.redirect(first) == "http://town-hall.example/loop/a"


def test_robots_rules(web: DemoWeb) -> None:
    assert web.robots("quiet-move.example") == "User-agent: *\nDisallow: /members/\n"
    assert "Crawl-delay: 1\n" in (web.robots("slow-kiln.example") or "")
    assert "Disallow: /search" in (web.robots("commonplace.example") or "")
    assert web.robots("bread.example") is None
    assert web.robots("nowhere.example") is None
    assert web.get("http://commonplace.example/search?q=x") is not None
    sitemap = web.page("http://nightsky.example/sitemap.xml")
    assert sitemap is not None
    assert sitemap.body.count(b"<loc>") > 100


def test_old_sites_write_latin_1(web: DemoWeb) -> None:
    old = [site.host for site in web.plan.sites.values() if site.layout == "tables"]
    assert old
    page = web.page(f"http://{old[0]}/")
    assert page is not None
    assert page.content_type == "text/html"
    assert "©" in page.body.decode("latin-1")


def test_sentences_have_all_their_words(web: DemoWeb) -> None:
    for url in web.urls()[::150]:
        body = web.get(url)
        assert body is not None
        text = read(body).text
        assert not re.search(r"[{}\0]|\ba [aeiou]", text), url


def by_words(words: str) -> list[str]:
    return [word.removesuffix("s") for word in words.split()]


@pytest.mark.parametrize("topic", ["truffles", "birds", "chess"])
def test_focus_pays(web: DemoWeb, topic: str) -> None:
    words, seeds = web.topics()[topic]
    wanted = by_words(words)

    def focused(text: str, anchor: str, depth: int) -> float:
        return sum(text.count(word) + 20 * anchor.count(word) for word in wanted)

    breadth_first = web.hits(topic, crawl(web, seeds, lambda text, anchor, depth: -depth, 300))
    best_first = web.hits(topic, crawl(web, seeds, focused, 300))
    assert 0.04 < sum(breadth_first) / 300 < 0.2
    assert sum(best_first) > 1.7 * sum(breadth_first)
    assert sum(best_first) < 0.8 * 300


def test_magazines_carry_each_topic_four_times(web: DemoWeb) -> None:
    carried = Counter(
        topic for site in web.plan.sites.values() if site.kind is SiteKind.MAGAZINE for topic in site.topics
    )
    assert set(carried.values()) == {4}
    assert set(carried) == set(web.topics())


async def test_it_is_served_over_http(web: DemoWeb) -> None:
    seed = web.topics()["truffles"].seeds[0]
    async with WebServer(web) as server, aiohttp.ClientSession() as session:
        async with session.get(seed, proxy=server.proxy) as response:
            assert response.status == 200
            assert response.headers["Content-Encoding"] == "gzip"
            served = await response.read()
        assert b"https:" not in re.sub(rb">[^<]*<", b"><", served)
        async with session.get("http://old-birds.example/", proxy=server.proxy) as response:
            assert str(response.url) == "http://birds.example/"
        async with session.get("http://quiet-move.example/robots.txt", proxy=server.proxy) as response:
            assert "Disallow: /members/" in await response.text()
    assert [entry.status for entry in server.log] == [200, 301, 200, 200]


def test_making_it_takes_little_time() -> None:
    began = time.process_time()
    DemoWeb(3)
    # A fifth of a second on an idle machine.
    assert time.process_time() - began < 2
