"""From anchors to links: resolved, one for each target, with the words around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lagotto.base.hashing import hash_link
from lagotto.base.records import Link, Page
from lagotto.base.urls import canonical
from lagotto.parse.links import LinkReader
from lagotto.parse.page import parse_page
from lagotto.parse.wording import wording

PAGE = "http://example.org/dir/page.html"


def _parse(html: str, phrases: tuple[str, ...] = ()) -> Page:
    return parse_page(PAGE, html.encode(), "text/html", "text/html; charset=utf-8", phrases)


def _links(html: str) -> dict[str, Link]:
    return {link.url: link for link in _parse(html).links}


def test_the_relative_forms_and_base() -> None:
    references = ["/a", "//b.org", "./c", "../d", "?q", "#s"]
    html = "".join(f"<a href={reference}>x</a>" for reference in references)
    assert list(_links(html)) == [
        "http://example.org/a",
        "http://b.org/",
        "http://example.org/dir/c",
        "http://example.org/d",
        "http://example.org/dir/page.html?q",
    ]
    assert list(_links(f"<base href=//cdn.net/x/>{html}")) == [
        "http://cdn.net/a",
        "http://b.org/",
        "http://cdn.net/x/c",
        "http://cdn.net/d",
        "http://cdn.net/x/?q",
        "http://cdn.net/x/",
    ]


@pytest.mark.parametrize(
    "base",
    [
        PAGE,
        "http://example.org/a?b=/c/d",
        "http://example.org/",
        "http://a.org/x/#/y",
        "https://a.org:8080/x/y",
        "ftp://a.org/x/y",
    ],
)
@pytest.mark.parametrize(
    "reference",
    [
        "x",
        "x?q",
        "./x",
        "../x",
        "/x",
        "//b.org/x",
        "?q",
        "?/q",
        "",
        ";x",
        "\t?q",
        " x",
        "\\x",
        "http:x",
        "x" * 300,
        "http://b.org/x",
        "https://example.org/x",
        "http:///b.org/x",
        "http://",
        "///b.org/x",
        "/\t/b.org/x",
        "/\\b.org/x",
        "/../x",
    ],
)
def test_a_reference_means_the_same_on_every_page(base: str, reference: str) -> None:
    # What was found for one page may serve others, so each is asked twice.
    for url in (base, base, f"{PAGE}?other", base):
        resolved = LinkReader(PAGE, url, "UTF-8", wording("en", ())).resolve(reference)
        assert resolved == canonical(reference, url)


@pytest.mark.parametrize("base", ["javascript:alert(1)", "data:,x", "http://", "", "http://[bad/"])
def test_a_hostile_base_changes_nothing(base: str) -> None:
    assert list(_links(f"<base href='{base}'><a href=x>x</a>")) == ["http://example.org/dir/x"]


def test_a_base_that_is_not_http_leaves_no_relative_link() -> None:
    page = _parse("<base href='ftp://example.org/'><a href=x>x</a><a href=http://example.org/y>y</a>")
    assert [link.url for link in page.links] == ["http://example.org/y"]
    assert sum(page.left_out.values()) == 1


def test_what_can_never_be_fetched_is_counted() -> None:
    page = _parse(
        """<a href=mailto:a@b>1</a><a href=mailto:a@c>2</a><a href="JavaScript:void(0)">3</a>
        <a href=tel:1>4</a><a href="java\nscript:x">5</a><a href=data:,x>6</a><a href=ftp://a/b>7</a>
        <a href=blob:x>8</a><a href=view-source:http://a/>9</a><a href=file:///etc/passwd>10</a>
        <a href=odd+thing:x>11</a><a href=http://[>12</a><a href=http://a:99999/>13</a><a href=''>14</a>
        <a href=page.html#top>15</a><a href=' \x01javascript:y'>16</a>"""
    )
    assert page.links == []
    assert page.left_out == {
        "mailto": 2,
        "javascript": 3,
        "tel": 1,
        "data": 1,
        "ftp": 1,
        "blob": 1,
        "view-source": 1,
        "file": 1,
        "other-scheme": 1,
        "invalid": 2,
        "same-page": 2,
    }


def test_one_link_for_each_target_with_its_longest_anchor_and_first_place() -> None:
    links = _links(
        "<h1>One</h1><p>before <a href=/x#a class=k rel=nofollow><img alt=pic></a> after</p>"
        "<h1>Two</h1><div>elsewhere <a href='/%78?#b'>the long anchor</a></div><a href=/x>short</a>"
    )
    assert list(links) == ["http://example.org/x"]
    link = links["http://example.org/x"]
    assert (link.anchor, link.alt, link.heading) == ("the long anchor", "pic", "One")
    assert (link.path, link.rel) == ("p>a.k", "nofollow")
    assert link.context.startswith("One before after Two elsewhere")


def test_context_is_ten_words_on_either_side() -> None:
    before = " ".join(f"b{i}" for i in range(20))
    after = " ".join(f"a{i}" for i in range(20))
    link = _links(f"<p>{before} (<a href=/x>the anchor</a>), {after}</p>")["http://example.org/x"]
    assert link.context.split() == [
        *(f"b{i}" for i in range(11, 20)),
        "(",
        "),",
        *(f"a{i}" for i in range(9)),
    ]
    assert "anchor" not in link.context_terms


def test_context_never_holds_half_a_word() -> None:
    long = "w" * 250
    link = _links(f"<p>{long} {long} in {long} <a href=/x>x</a> {long} {long}</p>")["http://example.org/x"]
    assert set(link.context.split()) <= {long, "in"}


def test_an_anchor_without_text_is_called_what_its_element_calls_it() -> None:
    links = _links("<a href=/a title=tip></a><a href=/b aria-label=label><svg></svg></a><a href=/c></a>")
    assert [link.anchor for link in links.values()] == ["tip", "label", ""]


def test_terms_of_anchor_context_and_url() -> None:
    page = _parse(
        "<html lang=en>the <b>panels</b> of <a href='/Solar-Power/b%C3%BCcher/index.html?page=cells'>"
        "solar powered <img alt=houses></a> and cells",
        phrases=("solar power",),
    )
    (link,) = page.links
    assert link.anchor_terms == ["solar power", "hous"]
    assert link.context_terms == ["panel", "cell"]
    assert link.url_terms == ["exampl", "solar power", "bücher", "page", "cell"]
    unhashed = replace(link, host="", keys=b"", hashes=b"")
    hash_link(unhashed)
    assert link.host == "example.org"
    assert link == unhashed


def test_queries_are_written_in_the_encoding_of_the_page() -> None:
    body = "<a href='/поиск?q=да'>x</a>".encode("windows-1251")
    page = parse_page(PAGE, body, "text/html", "text/html; charset=windows-1251")
    assert page.links[0].url == "http://example.org/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA?q=%E4%E0"


def test_canonical_and_refresh_are_resolved_and_junk_is_not() -> None:
    page = _parse("<link rel=canonical href='../c#x'><meta http-equiv=refresh content='0;url=r'>")
    assert (page.canonical, page.refresh) == ("http://example.org/c", "http://example.org/dir/r")
    page = _parse("<link rel=canonical href='javascript:x'><meta http-equiv=refresh content='0;url=data:,'>")
    assert (page.canonical, page.refresh) == ("", "")


@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_href_gives_a_canonical_link_or_is_counted(hrefs: list[str]) -> None:
    escaped = [href.replace("&", "&amp;").replace('"', "&quot;") for href in hrefs]
    page = _parse("".join(f'<a href="{href}">x</a>' for href in escaped).encode("utf-8", "replace").decode())
    assert all(canonical(link.url) == link.url != PAGE for link in page.links)
    assert len(page.links) + sum(page.left_out.values()) <= len(hrefs)
    assert bool(page.links or page.left_out) == bool(hrefs)
