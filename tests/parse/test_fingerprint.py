"""Checksums of content."""

from __future__ import annotations

from lagotto.parse.page import fingerprint, parse_page

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


def test_fingerprints_stay_the_same_for_ever() -> None:
    # Stored crawls depend on them.
    assert fingerprint("Ship", STORY, b"") == 8178069955812349548
