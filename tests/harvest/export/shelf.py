"""A crawl with pages of known relevance, to be exported."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.records import Fetched, Judgement, Outcome, Page
from lagotto.base.urls import checksum
from lagotto.lab.checks.store_calls import NOW, link, seed
from lagotto.store import WarcWriter
from tests.store.blocking import Blocking

HOME = "http://b.example/"
RELEVANCES = (0.25, 0.75, 0.5, 0.75)
URLS = tuple(f"http://{host}.example/{n}" for n, host in enumerate("baab"))
BODY = "<title>Page</title><nav>Menu</nav><h1>About %d</h1><p>Some <b>text</b>, <a href='/x'>link</a>.</p>"


def make(directory: Path) -> None:
    """A hub, four pages of two hosts, the last one nearly the same as the one before, and a dead link."""
    store = Blocking.create(directory, config=b'topic = "herons"')
    warc = WarcWriter(directory / "warc", {})
    store.hold_all()
    store.add_seeds([seed(HOME)])
    dead = "http://a.example/dead"
    links = [link(url, 1 - n / 10, HOME) for n, url in enumerate((*URLS, dead))]
    _visit(store, warc, HOME, Judgement(0.0, False), *links, link("http://c.example/later", 0.1, HOME))
    for url, relevance in zip(URLS, RELEVANCES, strict=True):
        near = URLS[2] if url == URLS[3] else ""
        back = link(HOME, 0.5, url), link(URLS[1], 0.5, url)
        _visit(store, warc, url, Judgement(relevance, relevance > 0.4), *back, near=near)
    [lease] = [lease for lease in store.top("a.example") if lease.url == dead]
    store.commit([Outcome(lease, NOW + 9, 404, "http-status", "404")])
    warc.close()
    store.close()


def _visit(
    store: Blocking, warc: WarcWriter, url: str, judgement: Judgement, *links: object, near: str = ""
) -> None:
    [lease] = [lease for host in store.hosts() for lease in store.top(host) if lease.url == url]
    at = store.concluded
    body = (BODY % at).encode()
    headers = [("Content-Type", "text/html; charset=utf-8")]
    store.commit(
        [
            Outcome(
                lease,
                NOW + at,
                200,
                page=Page(url, f"Page {at}", text=f"About {at}\nSome text, link.", fingerprint=checksum(url)),
                judgement=judgement,
                links=list(links),  # type: ignore[arg-type]
                near_duplicate_of=near,
                warc=warc.append(Fetched(url, 200, headers, body, body, fetched_at=NOW + at)),
                content_type="text/html",
                size=len(body),
            )
        ]
    )
