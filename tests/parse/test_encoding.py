"""From bytes to text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.parse.encoding import charset_of, decode, decode_again, encode_query
from lagotto.parse.engine import encoding_name
from lagotto.parse.page import parse_page

_DECLARED = {
    "after-1kb": "windows-1251",
    "after-bogus-after-1kb": "windows-1251",
    "after-head-after-1kb": "windows-1251",
    "baseline": "windows-1251",
    "meta-charset-no-quotes": "ISO-8859-5",
    "meta-http-equiv-attribute-order": "ISO-8859-5",
    "ncr": "windows-1251",
}


def test_the_encodings_of_html5lib(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/encoding/html5lib_encoding_cases.json"
    cases = json.loads(path.read_text("utf-8"))["cases"]
    assert len(cases) == 82
    for case in cases:
        page = parse_page("http://example.org/", case["html_latin1"].encode("latin-1"))
        assert page.encoding == encoding_name(case["encoding"]), case["html_latin1"][:200]


def test_charset_declarations_anywhere_in_the_page(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/encoding/wpt_charset"
    found = {
        path.stem: parse_page("http://example.org/", path.read_bytes()).encoding
        for path in folder.glob("*.html")
        if path.stem in _DECLARED
    }
    assert found == _DECLARED


@pytest.mark.parametrize(
    ("body", "header", "text", "encoding"),
    [
        ("é".encode(), "text/html; charset=utf-8", "é", "UTF-8"),
        ("é".encode(), "text/html;CHARSET = 'UTF8'", "é", "UTF-8"),
        ("é".encode(), "text/html", "é", "UTF-8"),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1", "é", "windows-1252"),
        (b"\x80", "text/html; charset=iso-8859-1", "€", "windows-1252"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=windows-1252", "é", "UTF-8"),
        ("\ufeffé".encode("utf-16-le"), "", "é", "UTF-16LE"),
        ("\ufeffé".encode("utf-16-be"), "text/html; charset=utf-8", "é", "UTF-16BE"),
        ("<p>é".encode("utf-16-le"), "", "<p>é", "UTF-16LE"),
        ("<p>é".encode("utf-16-be"), "", "<p>é", "UTF-16BE"),
        (b"plain", "text/html; charset=bogus", "plain", "windows-1252"),
        (b"plain", "text/html; charset=utf-7", "plain", "windows-1252"),
        (b"\xff\xc3\xa9", "text/html; charset=utf-8", "\ufffdé", "UTF-8"),
        ("日本語のテスト".encode("iso-2022-jp"), "", "日本語のテスト", "ISO-2022-JP"),
        ("漢字".encode("shift_jis"), "text/html; charset=x-sjis", "漢字", "Shift_JIS"),
        (b"", "", "", "windows-1252"),
    ],
)
def test_decode(body: bytes, header: str, text: str, encoding: str) -> None:
    decoded = decode(body, header)
    assert (decoded.text, decoded.encoding) == (text, encoding)


@given(st.binary(), st.text() | st.sampled_from(["text/html; charset=utf-16", "text/html; charset=gb18030"]))
def test_any_bytes_become_text(body: bytes, header: str) -> None:
    decoded = decode(body, header)
    assert encoding_name(decoded.encoding) == decoded.encoding
    decoded.text.encode("utf-8")


def test_a_late_declaration_corrects_what_was_only_guessed() -> None:
    guessed = decode("Привет".encode("koi8-r"))
    corrected = decode_again("Привет".encode("koi8-r"), "koi8-r", guessed)
    assert corrected is not None
    assert corrected.text == "Привет"
    assert decode_again(b"x", "koi8-r", decode(b"x", "text/html; charset=utf-8")) is None
    assert decode_again(b"x", "bogus", decode(b"x")) is None
    utf_16 = decode_again(b"x", "utf-16", decode(b"x"))
    assert utf_16 is not None
    assert utf_16.encoding == "UTF-8"


def test_charset_parameters() -> None:
    assert charset_of("text/html") == ""
    assert charset_of("text/html; boundary=x; charset=a-b ; q") == "a-b"
    assert charset_of('text/html; charset=""') == ""


def test_queries_in_legacy_encodings(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/url/wpt_percent-encoding.json"
    compared = 0
    for case in json.loads(path.read_text("utf-8")):
        for label in ("big5", "euc-kr", "windows-1252", "iso-8859-2"):
            if isinstance(case, dict) and label in case["output"] and case["input"].isprintable():
                found = encode_query(f"/?{case['input']}", encoding_name(label))
                assert found == f"/?{case['output'][label]}", (case, label)
                compared += 1
    assert compared == 4


@given(
    st.text(), st.sampled_from(["UTF-8", "windows-1251", "Big5", "x-user-defined", "UTF-16LE", "replacement"])
)
def test_only_the_query_is_encoded(reference: str, encoding: str) -> None:
    encoded = encode_query(reference, encoding)
    assert encoded.partition("?")[0] == reference.partition("?")[0]
