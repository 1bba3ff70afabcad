"""CDXJ lines, compared with those of cdxj-indexer."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lagotto.harvest.export import export, export_rows
from lagotto.harvest.export.cdxj import sorted_lines, surt
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export.shelf import URLS


def test_lines_are_those_of_cdxj_indexer(reader: SqliteReader, tmp_path: Path) -> None:
    pytest.importorskip("cdxj_indexer", reason="comes with wacz")
    assert export(reader, "cdxj", tmp_path / "index.cdxj") == 5
    script = "import sys; from cdxj_indexer.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-W", "ignore", "-c", script, "--sort", str(tmp_path / "crawl" / "warc")]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = (tmp_path / "index.cdxj").read_text()
    assert [_read(line) for line in ours.splitlines()] == [_read(line) for line in theirs.splitlines()]


def _read(line: str) -> tuple[str, str, dict[str, str]]:
    key, when, fields = line.split(" ", 2)
    return key, when, json.loads(fields)


def test_chosen_pages_and_an_empty_crawl(reader: SqliteReader, empty: SqliteReader) -> None:
    stream = io.BytesIO()
    assert export_rows(reader, "cdxj", stream, top=1) == 1
    assert _read(stream.getvalue().decode())[2]["url"] == URLS[1]
    assert export_rows(empty, "cdxj", io.BytesIO()) == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://www.example.org:8443/A/B?b=2&a=1",
        "http://www2.a.b.example.co.uk/x//y/",
        "http://127.0.0.1:8000/a?x",
        "http://[::1]/a",
        "http://example.org/a%20b?q=%C3%A9",
        "http://xn--bcher-kva.example/",
        "http://example.org/x/?y=1",
        "http://example.org/p;x=1",
    ],
)
def test_keys_are_those_of_surt(url: str) -> None:
    theirs = pytest.importorskip("surt", reason="comes with wacz")
    assert surt(url) == theirs.surt(url)


def test_lines_are_sorted_as_bytes_and_once() -> None:
    assert list(sorted_lines([b"b\n", b"\xc3\xa9\n", b"a\n", b"b\n"])) == [b"a\n", b"b\n", b"\xc3\xa9\n"]
    assert list(sorted_lines([])) == []
