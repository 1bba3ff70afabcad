"""Sitemaps of every kind, and files that only pretend to be one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch import read_sitemap
from lagotto.fetch.sitemap import MAX_URLS
from tests.fetch.encodings import gzip


def urlset(*locations: str) -> bytes:
    entries = "".join(f"<url><loc>{location}</loc></url>" for location in locations)
    return f'<?xml version="1.0"?><urlset xmlns="http://x">{entries}</urlset>'.encode()


def test_the_files_of_crawler_commons(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/sitemap"
    cases = json.loads((folder / "sitemap_expected.json").read_text())["cases"]
    read = 0
    for case in cases:
        if case["file"]:
            sitemap = read_sitemap((folder / case["file"]).read_bytes())
            found = sitemap.sitemaps if case["kind"] == "index" else sitemap.urls
            assert (sitemap.kind, len(found)) == (case["kind"], case["urls"]), case["file"]
            read += 1
    assert read == 8


def test_extensions_do_not_add_urls(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/sitemap/crawlercommons/extension"
    counts = {path.name: len(read_sitemap(path.read_bytes()).urls) for path in folder.iterdir()}
    assert counts["sitemap-images.xml"] == 1
    assert counts["sitemap-links.xml"] == 3
    assert counts["sitemap-videos.xml"] == 3


def test_text_with_byte_order_mark(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/sitemap/crawlercommons/sitemap-with-bom.txt"
    assert read_sitemap(path.read_bytes()).urls == [
        "http://www.domain.com/page1.html",
        "http://www.domain.com/page2.html",
    ]


@pytest.mark.parametrize(
    ("body", "urls"),
    [
        (urlset("http://a.org/1", " http://a.org/2\n"), ["http://a.org/1", "http://a.org/2"]),
        (b"\n\n  " + urlset("http://a.org/1"), ["http://a.org/1"]),
        (urlset("http://a.org/?a=1&amp;b=2"), ["http://a.org/?a=1&b=2"]),
        (urlset("<![CDATA[http://a.org/?a&b]]>"), ["http://a.org/?a&b"]),
        (urlset("http://a.org/1")[:-9] + b"<broken", ["http://a.org/1"]),
        (urlset("http://a.org/1").decode().encode("utf-16"), ["http://a.org/1"]),
        (gzip(urlset("http://a.org/1")), ["http://a.org/1"]),
        (gzip(urlset("http://a.org/1"))[:20], []),
        (b"http://a.org/1\r\nnot a url\nhttps://a.org/2", ["http://a.org/1", "https://a.org/2"]),
        (b"<html><a href='http://a.org/'>no sitemap</a></html>", []),
        (b"", []),
        (b"\x00\x01\x02", []),
    ],
)
def test_small_files(body: bytes, urls: list[str]) -> None:
    assert read_sitemap(body).urls == urls


def test_external_entities_are_neither_opened_nor_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("http://a.org/secret")
    body = f"""<?xml version="1.0"?>
        <!DOCTYPE urlset [<!ENTITY xxe SYSTEM "{secret.as_uri()}"><!ENTITY s "x">]>
        <urlset xmlns:xi="http://www.w3.org/2001/XInclude"><url><loc>http://a.org/visit</loc></url>
        <url><loc>http://a.org/&xxe;</loc></url><url><loc>&xxe;</loc></url><url><loc>http://a.org/&s;</loc></url>
        <url><loc><xi:include href="{secret.as_uri()}" parse="text"/></loc></url></urlset>"""
    assert read_sitemap(body.encode()).urls == ["http://a.org/visit"]


def test_billions_of_laughs_stay_unheard(lagotto_data: Path) -> None:
    laughs = (lagotto_data / "conformance/http/bombs/billion_laughs.xml").read_bytes()
    assert read_sitemap(laughs).urls == []
    nested = b'<!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    entry = b'<feed><entry><link href="http://a.org/&b;"/></entry></feed>'
    assert read_sitemap(nested + entry).urls == []


def test_external_document_types_are_not_opened() -> None:
    body = (
        b'<!DOCTYPE urlset SYSTEM "http://127.0.0.1:1/never.dtd">'
        + urlset("http://a.org/").partition(b"?>")[2]
    )
    assert read_sitemap(body).urls == ["http://a.org/"]


def test_no_more_urls_than_the_protocol_allows() -> None:
    locations = [f"http://a.org/{i}" for i in range(MAX_URLS + 1)]
    assert len(read_sitemap(urlset(*locations)).urls) == MAX_URLS
    assert len(read_sitemap("\n".join(locations).encode()).urls) == MAX_URLS


def test_a_bomb_is_read_up_to_the_cap_only() -> None:
    bomb = gzip(urlset("http://a.org/1")[:-9] + b" " * (100 * 1024 * 1024), compresslevel=1)
    assert read_sitemap(bomb).urls == ["http://a.org/1"]


def test_deep_nesting_is_given_up() -> None:
    assert read_sitemap(b"<urlset>" + b"<a>" * 100_000).urls == []


def test_an_index_names_sitemaps_and_may_name_itself() -> None:
    body = b"<sitemapindex><sitemap><loc>http://a.org/index.xml</loc></sitemap></sitemapindex>"
    sitemap = read_sitemap(body)
    assert (sitemap.kind, sitemap.urls, sitemap.sitemaps) == ("index", [], ["http://a.org/index.xml"])


@given(st.binary(max_size=500))
def test_any_bytes_are_read(body: bytes) -> None:
    assert len(read_sitemap(body).urls) <= MAX_URLS


TAGS = ["urlset", "sitemapindex", "rss", "feed", "url", "sitemap", "item", "entry", "loc", "link", "guid"]
PARTS = st.sampled_from(
    [f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["http://a.org/", "&x;"]
)


@given(st.lists(PARTS, max_size=30))
def test_any_order_of_tags_is_read(parts: list[str]) -> None:
    sitemap = read_sitemap("".join(parts).encode())
    assert all("http://a.org/" in url for url in sitemap.urls + sitemap.sitemaps)
