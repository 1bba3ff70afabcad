"""What pages say of themselves is read as they state it, within limits."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.facts import OptOut, PageFacts, Use, decode_facts, encode_facts
from lagotto.parse.facts import MAX_BLOCK, MAX_PROPERTIES, MAX_TYPES, iso_date
from lagotto.parse.page import parse_page

URL = "http://a.example/x/y"
BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"


def facts_of(head: str, body: str = "<p>Some text.</p>") -> PageFacts | None:
    return parse_page(URL, f"<html><head>{head}</head><body>{body}".encode()).facts


def stated(head: str, body: str = "<p>Some text.</p>") -> PageFacts:
    facts = facts_of(head, body)
    assert facts is not None
    return facts


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_a_page_that_states_nothing_has_no_facts() -> None:
    head = f'<title>T</title><meta name=description content="D"><link rel=canonical href="{URL}">'
    assert facts_of(head) is None
    assert parse_page(URL, b"plain", "text/plain").facts is None


@pytest.mark.parametrize(
    ("head", "name", "value"),
    [
        ('<meta name=author content=" Ann\n Lee ">', "author", "Ann Lee"),
        ("<meta name=citation_author content=A><meta name=citation_author content=B>", "author", "A; B"),
        ('<meta property="article:author" content="https://social.example/ann">', "author", ""),
        (ld({"@type": "Article", "author": {"name": "Ann"}}), "author", "Ann"),
        (ld([{"author": ["Ann", {"name": "Bo"}]}]), "author", "Ann; Bo"),
        ('<meta property="article:published_time" content="2024-05-01T08:00:00Z">', "published",
         "2024-05-01T08:00:00Z"),
        ("<meta itemprop=datePublished content=2024-05-01>", "published", "2024-05-01"),
        (ld({"@graph": [{"datePublished": "2023-02-03"}]}), "published", "2023-02-03"),
        ("<meta name=DC.date content=2019>", "published", ""),
        ('<meta name="dcterms.modified" content="1 May 2024">', "modified", "2024-05-01"),
        ('<link rel=canonical href="../z">', "canonical", "http://a.example/z"),
    ],
)  # fmt: skip
def test_facts_are_taken_from_where_pages_state_them(head: str, name: str, value: str) -> None:
    assert getattr(facts_of(head + "<meta property=og:type content=x>"), name) == value


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("", f'<a rel="license" href="{BY_SA}">CC BY-SA</a>', (BY_SA, "CC BY-SA", "rel=license")),
        (f'<link rel="license" href="{BY_SA}">', "", (BY_SA, "", "rel=license")),
        ("", f'Under <a href="{BY_SA}">CC</a>', (BY_SA, "CC", "link")),
        ("", '<a href="https://creativecommons.org/about/">About</a>', None),
        ('<meta name="DC.rights" content="All rights reserved">', "", ("", "All rights reserved", "meta")),
        ('<meta name="rights" content="All rights reserved">', f'<a href="{BY_SA}">CC</a>',
         ("", "All rights reserved", "meta")),
        (ld({"@type": "Dataset", "license": {"url": BY_SA}}), "", (BY_SA, "", "json-ld")),
        (ld({"license": BY_SA}), '<a rel=license href="/terms">Terms</a>',
         ("http://a.example/terms", "Terms", "rel=license")),
    ],
)  # fmt: skip
def test_a_licence_comes_with_where_it_is_stated(
    head: str, body: str, expected: tuple[str, str, str] | None
) -> None:
    facts = facts_of(head, body)
    if expected is None:
        assert facts is None
    else:
        assert facts is not None
        assert (facts.license, facts.license_name, facts.license_source) == expected
        assert facts.columns()["license"] == (expected[0] or expected[1])


def test_opt_outs_in_meta_elements() -> None:
    head = """<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="https://a.example/p">
        <meta name="robots" content="noai, noimageai">"""
    assert stated(head).opt_outs == [
        OptOut(Use.TDM, "meta", "https://a.example/p"),
        OptOut(Use.AI, "meta", "noai"),
        OptOut(Use.IMAGES, "meta", "noimageai"),
    ]
    assert facts_of('<meta name="tdm-reservation" content="0"><meta name=robots content=index>') is None


def test_structured_data_is_bounded() -> None:
    many = "".join(f'<meta property="og:p{n}" content="{"v" * 9000}">' for n in range(500))
    blocks = ld([{"@type": f"T{n}"} for n in range(500)]) + ld({"author": "x" * MAX_BLOCK}) + ld([[[]]])
    facts = stated(many + blocks + '<script type="application/ld+json">{broken</script>')
    assert len(facts.opengraph) == MAX_PROPERTIES
    assert len(facts.types) == MAX_TYPES
    assert facts.author == ""
    encoded = encode_facts(facts)
    assert encoded is not None
    assert len(encoded) < 12_000


def test_the_description_is_kept_in_its_own_place_only() -> None:
    facts = stated(
        '<meta property=og:description content=D><meta property="og:site_name" content="Owls &amp; more">'
    )
    assert facts.opengraph == {"site_name": "Owls & more"}


@given(st.text())
def test_any_date_is_read_as_one_or_left_out(text: str) -> None:
    assert len(iso_date(text)) in (0, *range(7, 32))


@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["@type", "@graph", "author", "name", "license", "url", "datePublished"]), inner
)))  # fmt: skip
def test_any_json_ld_is_survived(value: object) -> None:
    facts = facts_of(ld(value).replace("</", "<\\/", ld(value).count("</") - 1))
    assert decode_facts(encode_facts(facts)) == facts
