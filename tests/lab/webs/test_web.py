"""The file of a frozen web: what goes in comes out, and damage is told."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.lab.webs.freezing import FRAME_BYTES, WebWriter
from lagotto.lab.webs.web import HEADER_SIZE, HTML, FrozenWeb, WebPage

Pages = dict[str, bytes]


def freeze(path: Path, pages: Pages) -> FrozenWeb:
    with WebWriter(path) as writer:
        for url, body in pages.items():
            assert writer.add(url, body)
    return FrozenWeb.open(path)


def some_pages(count: int) -> Pages:
    draw = random.Random(7)
    return {
        f"http://h{number % 13}.example/{number}.html": draw.randbytes(draw.randrange(20_000))
        for number in range(count)
    }


def test_every_page_comes_back_in_order(tmp_path: Path) -> None:
    pages = some_pages(300)
    with freeze(tmp_path / "a.web", pages) as web:
        assert len(web) == 300
        assert list(web.urls()) == list(pages)
        assert [page.url for page in web] == list(pages)
        assert {page.url: page.body for page in web} == pages
        for url in random.Random(1).sample(list(pages), 100):
            assert web.get(url) == pages[url]


def test_a_missing_page_is_none(tmp_path: Path) -> None:
    with freeze(tmp_path / "a.web", some_pages(3)) as web:
        assert web.get("http://h0.example/none.html") is None
        assert web.page("javascript:void(0)") is None
        assert web.resolve("http://h0.example/none.html") is None
        assert web.redirect("http://h0.example/0.html") is None
        assert web.robots("h0.example") is None


def test_all_spellings_resolve_to_the_frozen_url(tmp_path: Path) -> None:
    url = "http://a.example/f(x)/index.html"
    with freeze(tmp_path / "a.web", {url: b"page"}) as web:
        for spelling in ("https://a.example/f%28x%29/", "http://a.example/f(x)/index.htm", url):
            assert web.resolve(spelling) == url
            assert web.page(spelling) == WebPage(url, b"page", HTML)


def test_a_second_spelling_is_not_taken_in(tmp_path: Path) -> None:
    with WebWriter(tmp_path / "a.web") as writer:
        assert writer.add("http://a.example/index.html", b"first")
        assert not writer.add("https://a.example/", b"second")
        assert not writer.add("no url", b"third")
    with FrozenWeb.open(tmp_path / "a.web") as web:
        assert len(web) == 1
        assert web.get("http://a.example/") == b"first"


def test_content_types_robots_and_redirects_are_kept(tmp_path: Path) -> None:
    with WebWriter(tmp_path / "a.web") as writer:
        writer.add("http://a.example/", "é".encode("latin-1"), "text/html; charset=iso-8859-1")
        writer.add("http://a.example/x", b"x", "application/xhtml+xml")
        writer.add_robots("a.example", "User-agent: *\nDisallow: /private/\n")
        assert writer.add_redirect("http://a.example/old", "/x")
        assert not writer.add_redirect("http://a.example/bad", "mailto:me@a.example")
    with FrozenWeb.open(tmp_path / "a.web") as web:
        assert web.page("http://a.example/") == WebPage(
            "http://a.example/", b"\xe9", "text/html; charset=iso-8859-1"
        )
        assert web.robots("a.example") == "User-agent: *\nDisallow: /private/\n"
        assert web.robots("b.example") is None
        assert web.redirect("https://a.example/old") == "http://a.example/x"
        assert web.redirect("http://a.example/bad") is None


def test_the_hash_tells_webs_apart_but_not_their_order(tmp_path: Path) -> None:
    pages = some_pages(20)
    turned = dict(reversed(pages.items()))
    changed = pages | {"http://h0.example/0.html": b"another text"}
    hashes = [
        freeze(tmp_path / name, web).content_hash
        for name, web in (("a", pages), ("b", turned), ("c", changed))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_large_page_between_small_ones(tmp_path: Path) -> None:
    pages = {f"http://a.example/{size}": b"x" * size for size in (0, 1, 3 * FRAME_BYTES, FRAME_BYTES, 5)}
    with freeze(tmp_path / "a.web", pages) as web:
        assert {page.url: page.body for page in web} == pages


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.integers(0, 500), st.binary(max_size=300), min_size=1))
def test_any_bytes_survive(tmp_path: Path, bodies: dict[int, bytes]) -> None:
    pages = {f"http://a.example/{number}": body for number, body in bodies.items()}
    with freeze(tmp_path / "a.web", pages) as web:
        assert {url: web.get(url) for url in pages} == pages


def read_all(path: Path) -> list[WebPage]:
    with FrozenWeb.open(path) as web:
        return list(web)


def test_any_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.web"
    freeze(path, some_pages(40)).close()
    whole = path.read_bytes()
    draw = random.Random(3)
    for _ in range(150):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"damaged|not a frozen web"):
            read_all(path)


def test_any_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.web"
    freeze(path, some_pages(10)).close()
    whole = path.read_bytes()
    for size in (0, 1, HEADER_SIZE - 1, HEADER_SIZE, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            FrozenWeb.open(path)


def test_what_is_no_web_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        FrozenWeb.open(tmp_path / "none.web")
    (tmp_path / "text").write_text("just some text, long enough for a header" * 10)
    with pytest.raises(InputError, match="not a frozen web"):
        FrozenWeb.open(tmp_path / "text")


def test_a_newer_version_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lagotto.lab.webs.web.VERSION", 9)
    path = tmp_path / "a.web"
    with WebWriter(path) as writer:
        writer.add("http://a.example/", b"page")
    monkeypatch.undo()
    with pytest.raises(InputError, match="version 9"):
        FrozenWeb.open(path)


def fails_half_way(writer: WebWriter) -> None:
    writer.add("http://a.example/", b"page")
    raise RuntimeError("the source broke")


def gives_no_page(writer: WebWriter) -> None:
    writer.add_robots("a.example", "")


@pytest.mark.parametrize(("fill", "error"), [(fails_half_way, RuntimeError), (gives_no_page, InputError)])
def test_nothing_is_left_of_a_web_that_was_not_finished(
    tmp_path: Path, fill: Callable[[WebWriter], None], error: type[Exception]
) -> None:
    with pytest.raises(error), WebWriter(tmp_path / "a.web") as writer:
        fill(writer)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        WebWriter(tmp_path / "no" / "such" / "folder.web")
