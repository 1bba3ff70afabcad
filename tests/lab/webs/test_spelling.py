"""One page, several spellings."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.lab.webs.spelling import page_key, plain_links


@pytest.mark.parametrize(
    "spelling",
    [
        "http://a.example/dir/",
        "https://a.example/dir/",
        "https://a.example/dir/index.html",
        "http://a.example/dir/index.htm",
        "http://A.EXAMPLE:80/dir/#top",
        "http://a.example/d%69r/",
        "http://a.example/x/../dir/?",
    ],
)
def test_spellings_of_one_page_share_a_key(spelling: str) -> None:
    assert page_key(spelling) == "a.example/dir/"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/dir", "http://a.example/dir/"),
        ("http://a.example/a%2Fb", "http://a.example/a/b"),
        ("http://a.example/a%3Fb", "http://a.example/a?b"),
        ("http://a.example/%2541", "http://a.example/%41"),
        ("http://a.example/myindex.html", "http://a.example/"),
        ("http://a.example/?q=a%26b", "http://a.example/?q=a&b"),
        ("http://a.example/", "http://a.example:8080/"),
    ],
)
def test_other_pages_have_other_keys(one: str, other: str) -> None:
    assert page_key(one) != page_key(other)


def test_what_is_no_url_has_no_key() -> None:
    assert page_key("mailto:me@a.example") is None


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_percent_encoding_does_not_change_the_key(name: str) -> None:
    encoded = "".join(f"%{byte:02x}" for byte in name.encode())
    assert page_key(f"http://a.example/p/{encoded}") == page_key(f"http://a.example/p/{quote(name, safe='')}")


@given(st.sampled_from("!$&'()*+,;=:@-._~[]|^\"<> {}`é"))
def test_a_raw_character_means_the_same_as_an_escaped_one(character: str) -> None:
    escaped = "".join(f"%{byte:02X}" for byte in character.encode())
    assert page_key(f"http://a.example/x{character}y") == page_key(f"http://a.example/x{escaped}y")


@pytest.mark.parametrize(
    ("html", "served"),
    [
        (b'<a href="https://a.example/">', b'<a href="http://a.example/">'),
        (b"<A HREF = 'https://a.example/'>", b"<A HREF = 'http://a.example/'>"),
        (b"<a href=https://a.example/>", b"<a href=http://a.example/>"),
        (b"see https://a.example/", b"see https://a.example/"),
        (b'<img src="https://a.example/x.png">', b'<img src="https://a.example/x.png">'),
        (
            b'<a href="http://a.example/?to=https://b.example/">',
            b'<a href="http://a.example/?to=https://b.example/">',
        ),
    ],
)
def test_hrefs_become_plain_http(html: bytes, served: bytes) -> None:
    assert plain_links(html) == served
