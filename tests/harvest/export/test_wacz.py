"""WACZ files: checked by the wacz tool, read by warcio, and imported again."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from warcio.archiveiterator import ArchiveIterator

from lagotto.harvest.export import export, wacz
from lagotto.lab.webs.importing import import_web
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export.shelf import HOME, URLS

CHECKS = (
    "check_required_contents frictionless_validate check_file_paths check_compression check_indexes"
    " check_file_hashes check_data_package_hash_and_sig"
)
VALIDATE = f"""
import sys, warnings
warnings.simplefilter("ignore")
from wacz.validate import Validation
validation = Validation(sys.argv[1])
results = {{name: getattr(validation, name)() for name in {CHECKS!r}.split()}}
wrong = [name for name, result in results.items() if result is not True and result != 0]
assert validation.version == "1.1.1" and validation.hash_type == "sha256"
sys.exit(str(wrong) if wrong else 0)
"""


def assert_valid(path: Path) -> None:
    """All checks of `wacz validate`; a process of its own, as the tool brings warnings of its own."""
    pytest.importorskip("wacz", reason="wacz, the validator, is not installed")
    done = subprocess.run([sys.executable, "-c", VALIDATE, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_validator_passes(reader: SqliteReader, tmp_path: Path) -> None:
    path = tmp_path / "crawl.wacz"
    assert export(reader, "wacz", path, with_text=True) == 5
    assert_valid(path)
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {info.compress_type for info in archive.infolist()} == {ZIP_STORED}
        header, *pages = map(json.loads, archive.read("pages/pages.jsonl").splitlines())
        package = json.loads(archive.read("datapackage.json"))
    assert (header["format"], header["hasText"]) == ("json-pages-1.0", True)
    assert [page["url"] for page in pages] == [HOME, *URLS]
    assert pages[1]["text"] == "About 1\nSome text, link."
    assert package["mainPageUrl"] == HOME


def test_the_index_leads_to_the_records(reader: SqliteReader, tmp_path: Path) -> None:
    path = tmp_path / "crawl.wacz"
    export(reader, "wacz", path, relevant_only=True)
    with ZipFile(path) as archive:
        warc = archive.read("archive/data-00000.warc.gz")
        packed = archive.read("indexes/index.cdx.gz")
        first, *blocks = archive.read("indexes/index.idx").decode().splitlines()
    assert first.startswith("!meta 0 ")
    [block] = [json.loads(line[line.index("{") :]) for line in blocks]
    lines = gzip.decompress(packed[block["offset"] :][: block["length"]]).decode().splitlines()
    assert blocks[0].startswith(lines[0][: lines[0].index("{")])
    found = []
    for line in lines:
        fields = json.loads(line[line.index("{") :])
        member = tmp_path / "one.warc.gz"
        member.write_bytes(warc[int(fields["offset"]) :][: int(fields["length"])])
        with member.open("rb") as stream:
            [record] = ArchiveIterator(stream, check_digests="raise")
            assert record.rec_headers["WARC-Payload-Digest"] == fields["digest"]
            found.append(record.rec_headers["WARC-Target-URI"])
    assert sorted(found) == sorted(URLS[1:])


def test_files_begin_where_a_player_looks_for_them(reader: SqliteReader, tmp_path: Path) -> None:
    """ReplayWeb.page takes the length of the extra field from the central directory."""
    export(reader, "wacz", tmp_path / "crawl.wacz")
    content = (tmp_path / "crawl.wacz").read_bytes()
    with ZipFile(tmp_path / "crawl.wacz") as archive:
        for info in archive.infolist():
            begin = info.header_offset + 30 + len(info.filename) + len(info.extra)
            assert content[begin:][: info.file_size] == archive.read(info)


def test_many_records_fill_several_files(
    reader: SqliteReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wacz, "MAX_BYTES", 1000)
    assert export(reader, "wacz", tmp_path / "crawl.wacz") == 5
    with ZipFile(tmp_path / "crawl.wacz") as archive:
        assert sum(name.startswith("archive/") for name in archive.namelist()) > 1
    assert_valid(tmp_path / "crawl.wacz")
    assert import_web([tmp_path / "crawl.wacz"], tmp_path / "web").pages == 5


def test_lagotto_imports_it(reader: SqliteReader, tmp_path: Path) -> None:
    export(reader, "wacz", tmp_path / "crawl.wacz")
    imported = import_web([tmp_path / "crawl.wacz"], tmp_path / "web")
    assert imported.pages == 5


def test_an_empty_crawl(empty: SqliteReader, tmp_path: Path) -> None:
    assert export(empty, "wacz", tmp_path / "none.wacz") == 0
    assert_valid(tmp_path / "none.wacz")
