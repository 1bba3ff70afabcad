"""PDF files: text, title, outline, links and facts; limits; files that cannot be read."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.base.records import Failure, Fetched, Page, Reason
from lagotto.parse import pdf
from lagotto.parse.job import Job, parse_job
from lagotto.parse.page import parse_page
from lagotto.parse.pdf import PDF_TYPE, check_pdf, paragraphs, pdf_date
from lagotto.parse.pool import ParserPool
from tests.parse.pdfs import make_hungry_pdf, make_pdf

URL = "http://a.example/papers/owls.pdf"
OWLS = make_pdf(
    [
        [
            "Owls of the north",
            "They hunt by night, in the woods and over the fields, and sleep by day in hol-",
            "low trees, as the herons never do.",
            "See the herons",
        ],
        ["More is at http://b.example/more today."],
    ],
    info={
        "Title": "Owls (a study)",
        "Author": "Ann Lee",
        "CreationDate": "D:20240501103000Z",
        "Keywords": "eagles",
    },
    links=[(0, "herons.html#top", 3), (0, "mailto:ann@a.example", 0)],
    outline=["Introduction", "Night"],
)


def read(body: bytes) -> Page | Failure:
    return parse_job(Job(URL, body, PDF_TYPE, PDF_TYPE))


def page_of(body: bytes) -> Page:
    page = read(body)
    assert isinstance(page, Page)
    return page


def test_a_page_is_made_of_a_pdf() -> None:
    page = page_of(OWLS)
    assert (page.title, page.headings, page.language) == ("Owls (a study)", ["Introduction", "Night"], "en")
    first, second, *_ = page.text.split("\n")
    assert first == "Owls of the north"
    assert second.startswith(
        "They hunt by night, in the woods and over the fields, and sleep by day in hollow"
    )
    assert page.facts is not None
    assert (page.facts.author, page.facts.published) == ("Ann Lee", "2024-05-01T10:30:00Z")
    assert (page.terms["owl"], page.keyword_terms) == (2, ["eagl"])
    assert page.fingerprint != 0


def test_links_are_followed_from_boxes_and_from_the_text() -> None:
    page = page_of(OWLS)
    herons, more = page.links
    assert (herons.url, herons.anchor) == ("http://a.example/papers/herons.html", "See the herons")
    assert "never do" in herons.context
    assert (more.url, more.anchor) == ("http://b.example/more", "http://b.example/more")
    assert page.left_out == {"mailto": 1}


@pytest.mark.parametrize(
    ("stated", "expected"), [("", "First line"), ("Microsoft Word - a.doc", "First line"), ("Owls", "Owls")]
)
def test_the_first_line_is_the_title_of_a_file_without_one(stated: str, expected: str) -> None:
    assert page_of(make_pdf([["First line", "and another"]], info={"Title": stated})).title == expected


def test_a_long_file_is_read_up_to_a_limit_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    long = make_pdf([[f"Page {number}"] for number in range(5_000)])
    page = page_of(long)
    assert page.facts is not None
    assert page.facts.note == "the first 500 of 5000 pages"
    assert page.text.split("\n")[-1] == "Page 499"
    monkeypatch.setattr(pdf, "MAX_CHARACTERS", 20)
    page = page_of(long)
    assert page.facts is not None
    assert page.facts.note == "the first 3 of 5000 pages"
    monkeypatch.setattr(pdf, "MAX_SECONDS", -1.0)
    page = page_of(long)
    assert (page.text, page.facts and page.facts.note) == ("", "the first 0 of 5000 pages")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (make_pdf([["Secret"]], encrypted=True), Reason.PDF_ENCRYPTED),
        (b"%PDF-1.7\nnot a file", Reason.PDF_BROKEN),
        (OWLS[:500], Reason.PDF_BROKEN),
        (b"", Reason.PDF_BROKEN),
    ],
)
def test_a_file_that_cannot_be_read_has_a_reason(body: bytes, reason: Reason) -> None:
    failure = read(body)
    assert isinstance(failure, Failure)
    assert failure.reason is reason


def test_a_file_without_text_is_an_empty_page() -> None:
    page = page_of(make_pdf([[]]))
    assert (page.title, page.text, page.links, page.facts) == ("", "", [], None)


async def test_files_are_read_in_a_process_of_their_own() -> None:
    pool = ParserPool(size=1)
    try:
        page = await pool.parse(Fetched(URL, 200, body=OWLS, content_type=PDF_TYPE))
        broken = await pool.parse(Fetched(URL, 200, body=b"%PDF-", content_type=PDF_TYPE))
    finally:
        await pool.close()
    assert isinstance(page, Page)
    assert page.title == "Owls (a study)"
    assert isinstance(broken, Failure)
    assert broken.reason is Reason.PDF_BROKEN


HUNGRY_RUN = """
import asyncio, resource
from lagotto.base.records import Fetched
from lagotto.parse.pool import ParserPool
from tests.parse.pdfs import make_hungry_pdf

MEMORY = 256 << 20
HUNGRY = ((b"BT /F1 9 Tf (a) Tj ET ", 50), (b"q ", 80), (b"1 2 3 4 re f ", 50), (b" ", 400))

async def main():
    pool = ParserPool(size=1, seconds=20, memory=MEMORY)
    for unit, megabytes in HUNGRY:
        body = make_hungry_pdf(unit, megabytes)
        fetched = Fetched("http://a.example/", 200, body=body, content_type="application/pdf")
        print((await pool.parse(fetched)).reason)
    await pool.close()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print("within" if peak < MEMORY + (128 << 20) else peak)

asyncio.run(main())
"""


def test_files_that_need_too_much_memory_are_given_up_for_that_and_the_peak_is_bounded() -> None:
    run = subprocess.run(
        [sys.executable, "-c", HUNGRY_RUN],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
    )
    assert run.stdout.split() == ["parse-memory"] * 4 + ["within"]


TYPED = {
    Reason.PDF_BROKEN,
    Reason.PDF_ENCRYPTED,
    Reason.PARSE_MEMORY,
    Reason.PARSE_TIMEOUT,
    Reason.PARSE_CRASH,
}


def hostile_files(count: int) -> list[bytes]:
    """Valid files cut off or with bits flipped, the same each time."""
    chance = random.Random(0)
    valid = [
        OWLS,
        make_pdf([["Secret"]], encrypted=True),
        make_pdf([[f"Page {number}", "Owls"] for number in range(20)], outline=["One", "Two"]),
        make_hungry_pdf(b"BT /F1 9 Tf (owl) Tj ET ", 1),
    ]
    files = []
    for number in range(count):
        body = bytearray(valid[number % len(valid)])
        if number % 3 == 0:
            del body[chance.randrange(len(body)) :]
        else:
            for _ in range(chance.randint(1, 40)):
                body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
        files.append(bytes(body))
    return files


async def test_hostile_files_end_as_a_page_or_with_a_reason() -> None:
    pool = ParserPool(size=1, retry_waits=())
    ends: Counter[str] = Counter()
    try:
        for body in hostile_files(150):
            found = await pool.parse(Fetched(URL, 200, body=body, content_type=PDF_TYPE))
            ends["page" if isinstance(found, Page) else found.reason] += 1
    finally:
        await pool.close()
    assert sum(ends.values()) == 150
    assert set(ends) <= {"page", *TYPED}
    assert ends["page"] > 20
    assert ends[Reason.PDF_BROKEN] > 20
    assert ends[Reason.PARSE_CRASH] == 0


def test_without_the_library_the_option_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    check_pdf(True)
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    check_pdf(False)
    with pytest.raises(InputError, match="install it with: pip install pypdfium2"):
        check_pdf(True)


@given(st.text())
def test_any_text_is_put_into_paragraphs(text: str) -> None:
    assert len(paragraphs(text).split()) <= len(text) + 1
    assert isinstance(pdf_date(text), str)


@settings(max_examples=30)
@given(st.integers(0, len(OWLS) - 1), st.binary(min_size=1, max_size=20))
def test_a_damaged_file_is_a_page_or_has_a_reason(place: int, damage: bytes) -> None:
    body = OWLS[:place] + damage + OWLS[place + len(damage) :]
    found = read(body)
    assert isinstance(found, Page) or found.reason is Reason.PDF_BROKEN
    assert parse_page(URL, OWLS, PDF_TYPE).title == "Owls (a study)"
