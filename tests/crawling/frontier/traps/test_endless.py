"""Sections without end: copies in ever new ways, text that only its own pages link to, missing pages."""

from __future__ import annotations

from msgspec.structs import replace

from lagotto.base.reasons import Refused
from lagotto.base.records import NewLink
from lagotto.base.urls import checksum, host_of
from lagotto.crawling.frontier.traps import Endless, Sighting
from lagotto.crawling.frontier.traps.endless import COPIES, MISSES, OWN
from tests.crawling.traps import prose

HOST = "http://a.example"


def page(path: str, text: str, links: list[str], parent: str = "/") -> Sighting:
    found = [
        NewLink(checksum(HOST + to), HOST + to, host_of(HOST + to), 0.0, [], 1, HOST + path) for to in links
    ]
    return Sighting(HOST + path, parent=HOST + parent, text=text, links=found)


def count_until_closed(endless: Endless, pages: list[Sighting], url: str, parent: str) -> int | None:
    for n, each in enumerate(pages, start=1):
        endless.count(each)
        if endless.refuses(HOST + url, HOST + parent) is not None:
            return n
    return None


def test_copies_that_lead_to_ever_more_copies_are_refused_wherever_they_are_found() -> None:
    endless = Endless()
    pages = [copy(n, [f"/tag/{n}-{to}" for to in range(5)]) for n in range(90)]
    closed = count_until_closed(endless, pages, "/tag/new", "/front")
    assert closed is not None
    assert closed <= COPIES + 5
    trapped = endless.refuses(f"{HOST}/tag/new")
    assert trapped is not None
    assert trapped.reason == Refused.ENDLESS
    assert "puts together in ever new ways what other pages said" in trapped.why
    assert endless.refuses(f"{HOST}/article/new", f"{HOST}/tag/1") is None


def copy(n: int, links: list[str]) -> Sighting:
    """Three texts in turn, each time with a word of its own."""
    return page(f"/tag/{n}", f"{prose(n % 3)} {prose(('word', n), 1)}", links)


def test_copies_that_lead_to_known_pages_come_to_an_end_and_stay() -> None:
    endless = Endless()
    pages = [copy(n, [f"/tag/{to}" for to in range(90)]) for n in range(90)]
    assert count_until_closed(endless, pages, "/tag/new", "/front") is None


def test_pages_that_repeat_others_word_for_word_are_refused() -> None:
    endless = Endless()
    pages = [replace(page(f"/mirror/{n}", prose(n % 2), []), fingerprint=1 + n % 2) for n in range(60)]
    closed = count_until_closed(endless, pages, "/mirror/new", "/front")
    assert closed is not None
    assert closed <= 2 * COPIES


def test_a_section_with_copies_in_it_keeps_what_has_texts_of_its_own() -> None:
    endless = Endless()
    for n in range(3 * COPIES):
        links = [f"/article/{n}/{kind}" for kind in ("print", "share")]
        endless.count(replace(page(f"/article/{n}", prose(n), links), fingerprint=n + 1))
        for kind in ("print", "share"):
            endless.count(replace(page(f"/article/{n}/{kind}", prose(n), []), fingerprint=n + 1))
    assert endless.refuses(f"{HOST}/article/new/print") is not None
    assert endless.refuses(f"{HOST}/article/new", f"{HOST}/article/1") is None


def made_up(n: int, known: int) -> Sighting:
    links = [f"/maze/{n}-{to}" for to in range(5)] + [f"/maze/{to}" for to in range(known)]
    return page(f"/maze/{n}", prose(n), links, f"/maze/{n - 1}")


def test_new_text_that_only_its_own_pages_link_to_is_refused_where_these_link_to_it() -> None:
    endless = Endless()
    closed = count_until_closed(endless, [made_up(n, 0) for n in range(2 * OWN)], "/maze/new", "/maze/1")
    assert closed == OWN
    assert endless.refuses(f"{HOST}/maze/new", f"{HOST}/article/1") is None, "others link to it"


def test_a_section_whose_pages_link_to_each_other_stays() -> None:
    endless = Endless()
    pages = [made_up(n, 10) for n in range(2 * OWN)]
    assert count_until_closed(endless, pages, "/maze/new", "/maze/1") is None


def test_a_host_that_makes_up_its_sections_is_refused_but_for_those_that_have_pages() -> None:
    endless = Endless()
    for n in range(10):
        endless.count(page(f"/real/{n}", prose(("real", n)), [f"/real/{to}" for to in range(10)]))
    pages = [page(f"/x{n}/page", prose(n % 3), [f"/x{n}-{to}/page" for to in range(5)]) for n in range(90)]
    assert count_until_closed(endless, pages, "/new/page", "/x1/page") is not None
    assert endless.refuses(f"{HOST}/real/11", f"{HOST}/x1/page") is None


def test_a_section_of_missing_pages_is_refused_and_one_with_pages_is_not() -> None:
    endless = Endless()
    for n in range(MISSES):
        assert endless.refuses(f"{HOST}/photo/new") is None
        endless.count(page(f"/post/{n}", prose(n), []))
        endless.miss(f"{HOST}/photo/{n}")
        endless.miss(f"{HOST}/post/missing-{n}")
    trapped = endless.refuses(f"{HOST}/photo/new")
    assert trapped is not None
    assert "hardly a page" in trapped.why
    assert endless.refuses(f"{HOST}/post/new") is None


def test_pages_known_by_their_urls_alone_say_nothing() -> None:
    endless = Endless()
    for n in range(2 * COPIES):
        endless.count(Sighting(f"{HOST}/tag/{n}"))
    assert not endless.refuse_some
