"""A finished small crawl to look into and to export."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.records import Fetched, Judgement, NewLink, Outcome, Page, Reason
from lagotto.base.urls import checksum
from lagotto.lab.checks.store_calls import NOW, link, seed
from lagotto.store import WarcWriter
from tests.store.blocking import Blocking

SEED = "http://seed.example/"
HUB = "http://hub.example/links"
BIRDS = "http://birds.example/heron"
GONE = "http://birds.example/gone"
MOVED = "http://birds.example/moved"
SLOW = "http://slow.example/"
HELD = "http://held.example/"
NEXT = "http://birds.example/owl"

BODIES = {
    SEED: b"<title>Seed</title><p>Some links.</p>",
    HUB: b"<title>=HYPERLINK(1)</title><p>More links.</p>",
    BIRDS: "<title>Der Fischreiher, naïve 鳥</title><p>A heron.</p>".encode(),
    GONE: b"not here",
}


def fill(store: Blocking, warc: WarcWriter | None = None) -> None:
    """Crawl seven URLs: three pages, a dead link, a redirect, one that waits, one that is held."""
    store.hold_all()
    store.add_seeds([seed(SEED)])

    def visit(url: str, *links: NewLink, status: int = 200, title: str = "", **fields: object) -> None:
        [lease] = [lease for host in store.hosts() for lease in store.top(host, 50, NOW) if lease.url == url]
        done = Outcome(lease, NOW + store.concluded, status, links=list(links), final_url=url)
        if title:
            text = f"Text of {title}"
            hash = checksum(text)
            done.page = Page(url, title, "", [], text, "en", "utf-8", fingerprint=hash, simhash=hash)
            done.judgement = Judgement(0.75, url == BIRDS, {"cosine": 0.5, "title": 0.25})
        for name, value in fields.items():
            setattr(done, name, value)
        if warc is not None and url in BODIES:
            body = BODIES[url]
            done.warc = warc.append(Fetched(url, status, body=body, wire=body, fetched_at=done.fetched_at))
            done.content_type, done.size = "text/html", len(body)
        store.commit([done])

    visit(SEED, link(HUB, 0.5, SEED), link(SLOW, 0.125, SEED), title="Seed")
    visit(
        HUB,
        *(link(url, score, HUB, depth=2) for url, score in ((BIRDS, 0.75), (GONE, 0.25), (MOVED, 0.5))),
        title="=HYPERLINK(1)",
    )
    held = link(HELD, 0.5, BIRDS, held=True, depth=3)
    shelved = Judgement(1.0, True, {"cosine": 1.0}, shelf=0.5)
    title = "Der Fischreiher, naïve 鳥"
    visit(BIRDS, held, title=title, judgement=shelved, near_duplicate_of=HUB)
    visit(GONE, status=404, reason=Reason.HTTP_STATUS, detail="404")
    target = link(NEXT, 0.875, MOVED, depth=2)
    visit(MOVED, target, status=301, reason=Reason.REDIRECT, final_url=NEXT)
    visit(SLOW, status=0, reason=Reason.TIMEOUT_TOTAL, detail="30 s", retry_at=NOW + 100)


def a_crawl(directory: Path) -> None:
    """The crawl in a directory, closed."""
    store = Blocking.create(directory)
    warc = WarcWriter(directory / "warc", {})
    fill(store, warc)
    warc.close()
    store.close()
