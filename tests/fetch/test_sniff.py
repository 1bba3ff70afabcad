"""Sniffing: what a body is, whatever it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch.sniff import essence, sniff

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
HTML = b"<!DOCTYPE html><html><head><title>Truffles</title>"


@pytest.mark.parametrize(
    ("declared", "head", "expected"),
    [
        ("text/html", HTML, "text/html"),
        ("text/html; charset=bogus", b"no tags at all", "text/html"),
        ("TEXT/HTML", b"", "text/html"),
        ("application/xhtml+xml", b"<html/>", "application/xhtml+xml"),
        ("text/plain", b"Truffles grow below oaks.", "text/plain"),
        ("text/plain", HTML, "text/html"),
        ("text/plain", b"<p>is how a paragraph begins", "text/plain"),
        ("", HTML, "text/html"),
        ("", b"\xef\xbb\xbf\n  <HTML>", "text/html"),
        ("", b"<!-- note --><!-- again -->\n<body>", "text/html"),
        ("", b"<div>bare</div>", "text/html"),
        ("", b"<!-- never closed", "text/html"),
        ("", b"plain words", "text/plain"),
        ("", b"\x00\x01\x02", "application/octet-stream"),
        ("", "<html>".encode("utf-16"), "text/html"),
        ("", "words".encode("utf-16"), "text/plain"),
        ("*/*", HTML, "text/html"),
        ("nonsense", HTML, "text/html"),
        ("image/png", HTML, "text/html"),
        ("application/octet-stream", HTML, "text/html"),
        ("application/json", HTML, "text/html"),
        ("application/json", b"[1]", "application/json"),
        ("text/css", b"<!-- old browsers -->", "text/css"),
        ("text/html", PNG, "image/png"),
        ("text/plain", PNG, "image/png"),
        ("", PNG, "image/png"),
        ("text/html", b"%PDF-1.7", "application/pdf"),
        ("text/html", b"PK\x03\x04\x14", "application/zip"),
        ("text/html", b"\x1f\x8b\x08\x00", "application/x-gzip"),
        ("text/html", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        ("text/html", b"\x00\x00\x00\x18ftypmp42", "video/mp4"),
        ("text/html", b"BM is not a picture here", "text/html"),
        ("text/plain", b"text with \x01 in it", "application/octet-stream"),
        ("text/xml", b"<?xml version='1.0'?><!DOCTYPE html><html>", "application/xhtml+xml"),
        ("application/xml", b"<?xml version='1.0'?><urlset>", "application/xml"),
        ("", b"<?xml version='1.0'?><rss version='2.0'>", "application/rss+xml"),
        ("", b"<?xml version='1.0'?><feed>", "application/atom+xml"),
        ("", b"<?xml version='1.0'?><urlset>", "text/xml"),
    ],
)
def test_types(declared: str, head: bytes, expected: str) -> None:
    assert sniff(declared, head) == expected


def test_the_samples_of_the_standard(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/http/mimesniff/sniffing"
    assert sniff("text/plain", (folder / "resources/binary-data.bin").read_bytes()) == "application/zip"
    assert sniff("text/plain", (folder / "resources/png-image.png").read_bytes()) == "image/png"
    assert sniff("text/plain", (folder / "resources/html-content.html").read_bytes()) == "text/html"
    assert sniff("", (folder / "support/html-comment").read_bytes()) == "text/html"
    assert sniff("text/html", (folder / "support/rss.html").read_bytes()) == "text/html"


@pytest.mark.parametrize("file", ["mime-types.json", "generated-mime-types.json"])
def test_the_essence_of_the_standards_types(lagotto_data: Path, file: str) -> None:
    folder = lagotto_data / "conformance/http/mimesniff/mime-types/resources"
    cases = [case for case in json.loads((folder / file).read_text()) if isinstance(case, dict)]
    assert cases
    for case in cases:
        assert essence(case["input"]) == (case["output"] or "").partition(";")[0], case


@given(st.text(max_size=60), st.binary(max_size=2000))
def test_anything_has_a_type(declared: str, head: bytes) -> None:
    main, slash, sub = sniff(declared, head).partition("/")
    assert main
    assert slash
    assert sub


@given(st.lists(st.sampled_from([b"<!--", b"-->", b"<?", b"?>", b" ", b"<html>", b"x"]), max_size=400))
def test_broken_prologs_end(parts: list[bytes]) -> None:
    assert sniff("", b"".join(parts))
