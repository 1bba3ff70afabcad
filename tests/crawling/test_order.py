"""Best first, in whole crawls: what is worth more comes earlier, and nothing counts as seen before it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lagotto.store import storage_at
from tests.crawling.test_crawl import crawl_site
from tests.site import Request, Site

BIRDS = "birds nest and birds sing where birds feed"
SOME_BIRDS = "a bank lends money and one of the birds on its roof sings about interest and debt"
BANKS = "a bank lends money at interest and takes a house for a debt that nobody pays"


def page(text: str, *links: str) -> str:
    anchors = "".join(f'<p><a href="{link}">here</a></p>' for link in links)
    return f"<html><head><title>{text[:12]}</title></head><body><p>{text}</p>{anchors}</body></html>"


async def order(site: Site, directory: Path, **options: Any) -> list[str]:
    """Paths in the order in which they were fetched, one at a time."""
    rows, _ = await crawl_site(site, directory, strategy="best-first", concurrency=1, **options)
    return list(rows)


async def test_links_of_the_more_relevant_page_come_first(tmp_path: Path) -> None:
    pages = {
        "/": page("welcome to all of them", "/banks", "/some", "/birds"),
        "/banks": page(BANKS, "/of-banks"),
        "/some": page(SOME_BIRDS, "/of-some"),
        "/birds": page(BIRDS, "/of-birds"),
    }
    pages |= {f"/of-{name}": page(f"the end of {name}") for name in ("banks", "some", "birds")}
    async with Site(pages) as site:
        fetched = await order(site, tmp_path / "c")
    assert fetched == ["/", "/banks", "/some", "/of-some", "/birds", "/of-birds", "/of-banks"]


async def test_a_certain_negative_waits_for_everything_that_is_less_certain(tmp_path: Path) -> None:
    dull = [f"/dull{n}" for n in range(5)]
    pages = {
        "/": page(SOME_BIRDS, "/banks", "/unknown"),
        "/banks": page(BANKS, *dull),
        "/unknown": page(SOME_BIRDS + " as it seems", "/perhaps"),
        "/perhaps": page("perhaps"),
    }
    pages |= {path: page(f"{BANKS} {path}") for path in dull}
    async with Site(pages) as site:
        fetched = await order(site, tmp_path / "c")
    assert fetched.index("/perhaps") < min(map(fetched.index, dull))


async def test_a_link_found_again_on_a_better_page_moves_up(tmp_path: Path) -> None:
    pages = {
        "/": page(SOME_BIRDS, "/banks", "/some", "/birds"),
        "/banks": page(BANKS, "/wanted"),
        "/some": page(SOME_BIRDS + " again", "/of-some"),
        "/of-some": page("some"),
        "/birds": page(BIRDS, "/wanted"),
        "/wanted": page("wanted after all"),
    }
    async with Site(pages) as site:
        fetched = await order(site, tmp_path / "c")
        with storage_at(tmp_path / "c").reader() as reader:
            story = reader.history(f"http://{site.hosts[0]}/wanted")
    assert fetched.index("/wanted") == fetched.index("/birds") + 1
    assert story is not None
    assert story.path[-2].url.endswith("/birds")
    assert story.path[-1].score > 0.5


async def test_a_page_is_not_seen_before_it_was_fetched(tmp_path: Path) -> None:
    states: dict[str, str] = {}

    def look(request: Request) -> None:
        if request.path != "/robots.txt":
            with storage_at(tmp_path / "c").reader() as reader:
                story = reader.history(request.url)
            assert story is not None
            states[request.path] = story.state

    pages = {"/": page("front", "/a", "/b"), "/a": page("a"), "/b": page("b")}
    async with Site(pages, on_request=look) as site:
        await order(site, tmp_path / "c")
    assert states == {"/": "queued", "/a": "queued", "/b": "queued"}


async def test_the_better_host_goes_first_and_nobody_waits_for_a_worse_one(tmp_path: Path) -> None:
    """Two hosts with the same delay: each is asked for its best link, whenever its turn comes."""
    async with Site({}, addresses=["127.0.5.1", "127.0.5.2"]) as site:
        good, poor = site.hosts
        site.pages |= {
            "/": page("front", f"http://{poor}/banks", f"http://{good}/birds"),
            "/banks": page(BANKS, *(f"http://{good}/late{n}" for n in range(3))),
            "/birds": page(BIRDS, *(f"http://{good}/soon{n}" for n in range(3))),
        }
        site.pages |= {f"/{name}{n}": page(f"{name} {n}") for name in ("late", "soon") for n in range(3)}
        await crawl_site(site, tmp_path / "c", strategy="best-first", delay=0.1, concurrency=4)
    paths = [request.path for request in site.log if request.host == good and request.path != "/robots.txt"]
    assert paths == ["/", "/birds", "/soon0", "/soon1", "/soon2", "/late0", "/late1", "/late2"]


async def test_links_of_a_dead_host_do_not_keep_pages_on_the_shelf(tmp_path: Path) -> None:
    dead = [f"http://127.0.9.9:1/{number}" for number in range(5)]
    pages = {
        "/": page(BIRDS, *dead, "/birds"),
        "/birds": page(BIRDS + " elsewhere", "/more"),
        "/more": page("more of the birds"),
    }
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c", strategy="priority", retry_wait=100.0)
    assert rows["/more"].status == 200
