"""Whole pages, from bytes."""

from __future__ import annotations

import doctest

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.hashing import hash_texts
from lagotto.base.records import Page
from lagotto.parse.page import MAX_TITLE, parse_page
from tests.conftest import PROJECT

URL = "http://example.org/"
STORY = "The ship was built in the north and it sailed for many years until it was sold to another company."


def test_a_page() -> None:
    page = parse_page(
        URL,
        f"""<html lang=en-US><title> The
        ship </title><meta name=description content="About a ship"><meta name=robots content=nofollow>
        <nav><a href=/home>Home</a></nav><h1>Ships</h1><p>{STORY}""".encode(),
    )
    assert (page.url, page.title, page.description) == (URL, "The ship", "About a ship")
    assert (page.language, page.encoding, page.headings) == ("en", "windows-1252", ["Ships"])
    assert page.text == f"Ships\n{STORY}"
    assert page.terms["ship"] == 3  # once in the title, twice in the text
    assert page.title_terms == ["ship"]
    assert page.hashes == hash_texts(page.terms, page.title_terms)
    assert page.length == sum(page.terms.values()) == 9
    assert (page.noindex, page.nofollow) == (False, True)
    assert [link.anchor for link in page.links] == ["Home"]


def test_plain_text_is_a_page_without_links() -> None:
    page = parse_page(URL, b"Ships\r\n\r\n  of   the <a href=/x>north</a>\n", "text/plain; charset=utf-8")
    assert page.text == "Ships\nof the <a href=/x>north</a>"
    assert (page.links, page.title, page.encoding) == ([], "", "UTF-8")
    assert page.terms["ship"] == 1


def test_xhtml_may_close_its_elements_at_once() -> None:
    body = b"<html><head><script src='x'/></head><body><a id='top'/>text<br/>more</body></html>"
    assert parse_page(URL, body, "application/xhtml+xml").text == "text\nmore"
    assert parse_page(URL, body, "text/html").text == ""


def test_words_of_a_page_that_does_not_tell_its_language_are_read_in_the_given_one() -> None:
    body = b"<p>Katzen</p>"
    assert "katz" in parse_page("http://a.example/", body, language="de").terms
    assert "katzen" in parse_page("http://a.example/", body).terms
    assert "katzen" in parse_page("http://a.example/", b'<html lang="en">' + body, language="de").terms


def test_phrases_count_as_one_term() -> None:
    page = parse_page(
        URL, b"<html lang=en><title>Solar power</title>solar power, power", phrases=("solar power",)
    )
    assert page.terms == {"solar power": 2, "power": 1}
    assert page.title_terms == ["solar power"]


def test_directives_for_robots() -> None:
    for content, noindex, nofollow in [("none", True, True), ("noindex", True, False), ("all", False, False)]:
        page = parse_page(URL, f"<meta name=lagotto content={content}>".encode())
        assert (page.noindex, page.nofollow) == (noindex, nofollow)


def test_a_late_charset_is_obeyed() -> None:
    body = b"<!--" + b"x" * 2000 + b"-->" + "<meta charset=koi8-r><p>да</p>".encode("koi8-r")
    page = parse_page(URL, body)
    assert (page.text, page.encoding) == ("да", "KOI8-R")


@given(st.binary(max_size=400), st.text(max_size=20), st.sampled_from(["text/html", "text/plain", "", "x"]))
def test_any_bytes_make_a_page(body: bytes, header: str, content_type: str) -> None:
    page = parse_page(URL, body, content_type, header)
    sent = msgspec.msgpack.encode(page)
    assert msgspec.msgpack.decode(sent, type=Page) == page


def test_the_examples_in_the_documentation_are_true() -> None:
    result = doctest.testfile(str(PROJECT / "docs/parsing.md"), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_long_titles_are_cut() -> None:
    assert len(parse_page(URL, b"<title>" + b"x" * 100_000).title) == MAX_TITLE


def test_megabytes_of_blanks_change_nothing() -> None:
    body = b"<title>Herons</title><p>A heron.</p> <a href='/b c'>an egret</a><pre>x\n y</pre>"
    bomb = body.replace(b"> ", b">" + b" \n" * 400_000) + b"\t" * 10_000
    plain, blown = parse_page("http://a.org/", body), parse_page("http://a.org/", bomb)
    assert blown.text == plain.text
    assert [link.url for link in blown.links] == ["http://a.org/b%20c"]
    assert blown.links[0].context_terms == plain.links[0].context_terms


def test_blanks_in_utf_16_are_left_alone() -> None:
    body = ("<p>A heron." + " " * 400_000 + "</p>").encode("utf-16")
    assert parse_page("http://a.org/", body).text == "A heron."
