"""The public suffix list: its own test cases, and its rules one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lagotto.base.suffixes import public_suffix
from lagotto.base.urls import canonical, host_of, site_of

# From https://publicsuffix.org/list/, in the public domain; as publicsuffixlist 1.1.2.20261023 carries it.
CASES = re.findall(
    r"^checkPublicSuffix\('([^']*)', (?:'([^']*)'|null)\);",
    Path(__file__).with_name("suffix_cases.txt").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def _host(name: str) -> str:
    url = canonical(f"http://{name}/")
    assert url is not None
    return host_of(url)


@pytest.mark.parametrize(("name", "registrable"), [case for case in CASES if not case[0].startswith(".")])
def test_cases_of_the_list(name: str, registrable: str) -> None:
    """Where the cases say null, the host is a suffix, and so a site of its own."""
    assert site_of(_host(name)) == _host(registrable or name)


def test_all_cases_are_read() -> None:
    assert len(CASES) == 77


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("a.b.github.io", "b.github.io"),
        ("github.io", "github.io"),
        ("x.city.kawasaki.jp", "city.kawasaki.jp"),
        ("x.other.kawasaki.jp", "x.other.kawasaki.jp"),
        ("other.kawasaki.jp:8080", "other.kawasaki.jp"),
        ("a.b.srv1", "b.srv1"),
        ("192.0.2.7:8080", "192.0.2.7"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("a..example.org", "a..example.org"),
        ("localhost", "localhost"),
    ],
)
def test_sites(host: str, site: str) -> None:
    assert site_of(host) == site


def test_a_name_below_no_listed_suffix_has_its_last_label_for_one() -> None:
    assert public_suffix("a.wiki.internal") == "internal"
    assert public_suffix("com") == "com"
