"""Checksums of content: the same, and nearly the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.parse.fingerprint import fingerprint, simhash
from lagotto.parse.page import parse_page

URL = "http://example.org/"
STORY = "The ship was built in the north and it sailed for many years until it was sold to another company."


def test_same_content_same_fingerprint() -> None:
    one = parse_page(URL, f"<title>Ship</title><p>{STORY}".encode())
    other = parse_page(URL + "2", f"<TITLE>ship</TITLE><div><b>  {STORY}</b></div><nav>x</nav>".encode())
    third = parse_page(URL, f"<title>Other</title><p>{STORY}".encode())
    assert one.fingerprint == other.fingerprint != third.fingerprint


def test_pages_without_text_are_told_apart_by_their_bytes() -> None:
    assert fingerprint("", "", b"<img src=a>") != fingerprint("", "", b"<img src=b>")
    assert fingerprint("Photo", "1", b"<img src=a>") != fingerprint("Photo", "1", b"<img src=b>")


def test_nearly_the_same_terms_nearly_the_same_simhash() -> None:
    words = {f"word{i}": 1 + i % 7 for i in range(300)}
    near = {**words, "another": 1}
    far = {f"other{i}": 1 for i in range(300)}
    assert (simhash(words) ^ simhash(near)).bit_count() <= 3
    assert 15 <= ((simhash(words) ^ simhash(far)) & (2**64 - 1)).bit_count() <= 49


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 1000), max_size=30))
def test_hashes_fit_a_signed_column_and_do_not_depend_on_order(terms: dict[str, int]) -> None:
    found = simhash(terms)
    assert -(1 << 63) <= found < 1 << 63
    assert simhash(dict(sorted(terms.items()))) == found


def test_hashes_stay_the_same_for_ever() -> None:
    # Stored crawls depend on them.
    assert fingerprint("Ship", STORY, b"") == 8178069955812349548
    assert simhash({"ship": 3, "north": 1, "year": 1}) == -8098148156643868260
