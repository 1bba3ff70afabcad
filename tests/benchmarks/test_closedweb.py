from __future__ import annotations

import re
from pathlib import Path

from closedweb import close_web

from lagotto.base.urls import canonical
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.web import FrozenWeb

PAGES = {
    "http://a.example/": '<a href="/one.html">1</a> <a href=http://b.example/>b</a> <a href="http://gone.example/">-</a>',
    "http://a.example/one.html": "<a href='https://b.example/'>b</a> <a href='#top'>top</a>",
    "http://b.example/": '<a href="http://a.example/">a</a> <a href="http://c.example/?x=1&amp;y=2">c</a>',
    "http://c.example/?x=1&y=2": '<a href="http://a.example/one.html">1</a>',
    "http://framed.example/": '<iframe src="http://elsewhere.example/"></iframe>',
}


def closed(tmp_path: Path, pages: int) -> FrozenWeb:
    with WebWriter(tmp_path / "open.web") as writer:
        for url, html in PAGES.items():
            writer.add(url, html.encode())
    close_web(
        tmp_path / "open.web", ["http://a.example/", "http://framed.example/"], pages, tmp_path / "closed.web"
    )
    return FrozenWeb.open(tmp_path / "closed.web")


def links(web: FrozenWeb, url: str) -> list[str]:
    body = web.get(url)
    assert body is not None
    hrefs = re.findall(r'href="([^"]*)"', body.decode())
    return [canonical(href.replace("&amp;", "&"), url) or "" for href in hrefs]


def test_all_links_lead_to_pages_inside(tmp_path: Path) -> None:
    web = closed(tmp_path, 3)
    assert len(web) == 3
    for url in web.urls():
        assert all(web.resolve(target) == target for target in links(web, url))


def test_pages_keep_as_many_links_as_they_had(tmp_path: Path) -> None:
    web = closed(tmp_path, 3)
    assert len(links(web, "http://a.example/")) == 3
    assert (web.get("http://a.example/one.html") or b"").count(b"href") == 2


def test_links_inside_stay_and_pages_with_frames_are_left_out(tmp_path: Path) -> None:
    web = closed(tmp_path, 10)
    assert set(web.urls()) == set(PAGES) - {"http://framed.example/"}
    assert links(web, "http://b.example/") == ["http://a.example/", "http://c.example/?x=1&y=2"]
