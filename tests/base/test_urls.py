"""Canonical URLs: the WHATWG parser underneath, our policy on top of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.base.urls import base_url, canonical, checksum, host_of, origin_of, seed_url, shard_of, site_of

# Words that a hostile or careless author may string together.
_PIECES = [
    "http://", "https://", "HTTP:", "//", "/", "\\", "?", "#", "@", ":", ".", "..", "%", "%2e", "%2E", "%7e",
    "%41", "%%37%65", "%2%35", "%zz", "%00", " ", "\t", "\n", "a", "Z", "é", "日本", "example.org", "ORG.",
    "127.1", "0x7f", "[::1]", ":80", ":9999999", "user:pw", "&a=b", ";", "xn--", "\u00ad", "\ud800", "\0",
]  # fmt: skip
wild_urls = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_PIECES), max_size=12).map("".join),
    st.lists(st.sampled_from(_PIECES), max_size=12).map(lambda pieces: "http://h.org/" + "".join(pieces)),
)


def _cases(path: Path) -> list[dict[str, Any]]:
    """Entries of a conformance file, its comments left out."""
    content = json.loads(path.read_text("utf-8"))
    entries = content["cases"] if isinstance(content, dict) else content
    return [entry for entry in entries if isinstance(entry, dict)]


@given(wild_urls)
@example("http://h.org/%%37%65")
@example("http://h.org/%2%35")
@example("http://foo.0x7f../")
@example("http://example.org../?")
def test_canonical_is_idempotent(url: str) -> None:
    once = canonical(url)
    if once is not None:
        assert canonical(once) == once


@given(wild_urls, wild_urls)
def test_canonical_never_raises_and_gives_only_plain_http(url: str, base: str) -> None:
    found = canonical(url, canonical(base))
    if found is not None:
        assert found.startswith(("http://", "https://"))
        assert found.isascii()
        assert found.isprintable()
        assert "#" not in found
        assert "@" not in host_of(found)
        assert found.startswith(origin_of(found) + "/")


@pytest.mark.parametrize(
    ("name", "count"), [("wpt_urltestdata.json", 891), ("ada_extra_urltestdata.json", 28)]
)
def test_parsing_is_that_of_the_url_standard(lagotto_data: Path, name: str, count: int) -> None:
    wrong = []
    cases = _cases(lagotto_data / "conformance/url" / name)
    assert len(cases) == count
    for case in cases:
        base = case.get("base") or None
        try:
            found: str | None = (
                ada_url.join_url(base, case["input"]) if base else ada_url.normalize_url(case["input"])
            )
        except ValueError:
            found = None
        if found != case.get("href"):
            wrong.append(case["input"])
    assert wrong == []


def test_international_hosts_are_those_of_the_url_standard(lagotto_data: Path) -> None:
    cases = _cases(lagotto_data / "conformance/url/wpt_toascii.json")
    assert len(cases) == 87
    for case in cases:
        found = canonical(f"http://{case['input']}/")
        host = None if found is None else host_of(found)
        assert host == (case["output"] and case["output"].removesuffix(".")), case


def test_canonical_differs_from_the_standard_only_where_it_should(lagotto_data: Path) -> None:
    for case in _cases(lagotto_data / "conformance/url/wpt_http_subset.json"):
        found = canonical(case["input"], case.get("base") or None)
        if "href" not in case or not case["protocol"].startswith("http"):
            assert found is None, case
            continue
        standard = ada_url.URL(case["href"])
        assert found is not None, case
        mine = ada_url.URL(found)
        assert (mine.protocol, mine.port, mine.hash) == (standard.protocol, standard.port, "")
        assert (mine.username, mine.password) == ("", "")
        assert mine.hostname == standard.hostname or mine.hostname + "." == standard.hostname
        if "%" not in case["href"]:
            assert (mine.pathname, mine.search) == (standard.pathname, standard.search)


# Whose normaliser does what ours does, and the cases in which ours means to differ.
_FOLLOWED = {
    "safe_download_url": (),
    "OrdinaryIAURLCanonicalizer": ("ftP://", "...host"),
    "BasicURLNormalizer": (
        "ftp:", "file:", "http:////", "http:///////", '"http', "foo.com/index.html",  # not http(s) URLs
        "//aa", "aa//", "bb//",  # double slashes may mean something
        "?x[y]", "foobar^", "foobar`", "foobar|",  # the standard leaves these characters alone
        "?b=", "?b&", "?&", "?=", "&b=", "index?a=1&b=",  # so may the order of the query, and empty parts
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(_FOLLOWED))
def test_canonical_follows_other_crawlers_where_nothing_is_lost(lagotto_data: Path, name: str) -> None:
    cases = _cases(lagotto_data / "conformance/url/canonicalisation_cases.json")
    ours = [case for case in cases if case["fn"] == name]
    assert ours
    for case in ours:
        if not any(part in case["in"] for part in _FOLLOWED[name]):
            assert canonical(case["in"]) == case["out"], case


def test_relative_references_resolve_as_others_resolve_them(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/url/crawlercommons_url-resolve.csv"
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    rows = list(csv.reader(lines, skipinitialspace=True))
    assert len(rows) > 15
    for reference, base, expected in rows:
        assert canonical(reference, base or None) == canonical(expected), reference


def test_invalid_urls_are_none(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/url/crawlercommons_invalidUrls.csv"
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            assert canonical(line) is None, line


@pytest.mark.parametrize(
    ("reference", "absolute"),
    [
        ("/page.html", "http://csepedia.com/page.html"),
        ("//www.csepedia.com", "http://www.csepedia.com/"),
        ("./page.html", "http://csepedia.com/terms/page.html"),
        ("../page.html", "http://csepedia.com/page.html"),
        ("#section1", "http://csepedia.com/terms/data.html"),
    ],
)
def test_the_five_relative_forms(reference: str, absolute: str) -> None:
    assert canonical(reference, "http://csepedia.com/terms/data.html") == absolute


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://EXAMPLE.org", "http://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://user@example.org.:81/", "http://example.org:81/"),
        ("http://example.org/a/%2e%2e/b", "http://example.org/b"),
        ("http://example.org\\a\\b", "http://example.org/a/b"),
        ("http://exa\tmple.org/a\nb", "http://example.org/ab"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::ffff:7f00:1]/", "http://[::ffff:7f00:1]/"),
        ("http://example.org/?q=%7euser%2f", "http://example.org/?q=~user%2F"),
        ("http://example.org/q?r?", "http://example.org/q?r?"),
        ("http://example.org/q?", "http://example.org/q"),
        ("http://example.org:99999/", None),
        ("http://xn--zn7c.com/", "http://xn--zn7c.com/"),
        ("http://./", "http://./"),
        ("http:///", None),
        ("http://a b/", None),
        ("", None),
        ("ftp://example.org/", None),
        ("http://example.org/" + "a" * 1_000_000, None),
    ],
)
def test_canonical_spelling(url: str, expected: str | None) -> None:
    assert canonical(url) == expected


def test_what_could_name_another_page_is_left_alone() -> None:
    for url in (
        "http://www.example.org/index.html",
        "http://example.org//a//b/",
        "http://example.org/?b=2&a=1&&PHPSESSID=0",
        "http://example.org/A",
    ):
        assert canonical(url) == url


@pytest.mark.parametrize(
    ("href", "base"),
    [
        ("", "http://example.org/a/b"),
        ("c/", "http://example.org/a/c/"),
        ("//other.org/x/", "http://other.org/x/"),
        ("http://", "http://example.org/a/b"),
        ("data:text/html,x", "http://example.org/a/b"),
        ("JavaScript:void(0)", "http://example.org/a/b"),
        ("ftp://example.org/", "ftp://example.org/"),
    ],
)
def test_base_url(href: str, base: str) -> None:
    assert base_url(href, "http://example.org/a/b") == base


def test_seed_urls_are_what_a_person_means() -> None:
    assert seed_url(" example.org ") == "http://example.org/"
    assert seed_url("localhost:8080/a") == "http://localhost:8080/a"
    assert seed_url("https://example.org/a#b") == "https://example.org/a"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  ",
        "http://",
        "mailto:me@example.org",
        "ftp://example.org",
        "two words",
        "http://a b/",
        "javascript:x",
    ],
)
def test_other_seeds_are_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(InputError, match="is not an http or https URL; write it like"):
        seed_url(typed)


def test_hosts_sites_and_shards() -> None:
    assert host_of("http://example.org:8080/a?b=//c/") == "example.org:8080"
    assert origin_of("https://[::1]:81/a") == "https://[::1]:81"
    assert site_of("a.b.co.uk:80") == "b.co.uk"
    assert site_of("127.0.0.1:80") == "127.0.0.1"
    assert site_of("[::1]:80") == "[::1]"
    assert site_of("localhost") == "localhost"
    assert {shard_of(f"host{i}.org") for i in range(4000)} == set(range(256))


@given(st.text(max_size=40))
def test_checksums_fit_a_signed_column(url: str) -> None:
    assert -(1 << 63) <= checksum(url) < 1 << 63


def test_checksums_stay_the_same_for_ever() -> None:
    # Stored crawls depend on them.
    assert checksum("http://example.org/") == -5242817029757127295
    assert shard_of("example.org") == 69
