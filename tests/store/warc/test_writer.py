"""WARC files: what others read in them, what a crash leaves, what comes back."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import brotli
import pytest
from fastwarc.warc import ArchiveIterator
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lagotto.base import zstd
from lagotto.base.errors import CrawlDirectoryError, DamagedStore, DiskFull
from lagotto.base.records import Fetched, WarcPlace
from lagotto.store import WarcWriter
from lagotto.store.warc.reading import read_response
from lagotto.store.warc.writer import whole_records
from tests.store.validators import assert_all_valid, assert_valid, responses

HTML = b"<html><body>" + b"<p>Truffles grow near oaks.</p>" * 50


def answer(url: str = "http://a.example/page", body: bytes = HTML, **fields: object) -> Fetched:
    made = Fetched(url, 200, body=body, wire=body, status_text="OK", fetched_at=1_700_000_000.25)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def records(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    with path.open("rb") as stream:
        return [
            (record.headers["WARC-Type"], dict(record.headers.items()), record.reader.read())
            for record in ArchiveIterator(stream, parse_http=False)
        ]


def test_file_begins_with_warcinfo_and_pairs_request_with_response(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {}, info={"operator": "Ada"})
    headers = [("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("content-length", "9")]
    sent = [("Host", "a.example"), ("User-Agent", "lagotto"), ("Cookie", "secret=1"), ("AUTHORIZATION", "x")]
    place = writer.append(answer(headers=headers, request_headers=sent, address="192.0.2.7"))
    writer.close()
    (info, request, response) = records(tmp_path / place.file)
    assert [record[0] for record in (info, request, response)] == ["warcinfo", "request", "response"]
    assert b"operator: Ada\r\n" in info[2]
    assert request[2] == b"GET /page HTTP/1.1\r\nHost: a.example\r\nUser-Agent: lagotto\r\n\r\n"
    head, _, body = response[2].partition(b"\r\n\r\n")
    assert head.split(b"\r\n") == [
        b"HTTP/1.1 200 OK",
        b"Content-Type: text/html",
        b"Content-Length: %d" % len(HTML),
    ]
    assert body == HTML
    fields = response[1]
    assert fields["WARC-Concurrent-To"] == request[1]["WARC-Record-ID"]
    assert fields["WARC-Warcinfo-ID"] == info[1]["WARC-Record-ID"]
    assert (fields["WARC-IP-Address"], fields["WARC-Date"]) == ("192.0.2.7", "2023-11-14T22:13:20.250000Z")
    assert "WARC-Truncated" not in fields
    assert_valid(tmp_path / place.file)


def test_the_tools_themselves_accept_a_file(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    place = writer.append(answer(truncated=True))
    writer.close()
    tools = Path(sys.executable).parent
    for command in (["warcio", "check"], ["fastwarc", "check", "-p", "-q"]):
        done = subprocess.run([tools / command[0], *command[1:], tmp_path / place.file], capture_output=True)
        assert done.returncode == 0, done.stderr


def test_a_changed_byte_is_refused_by_the_validators(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    path = tmp_path / writer.append(answer()).file
    writer.close()
    plain = gzip.decompress(path.read_bytes()).replace(b"oaks", b"elms", 1)
    path.write_bytes(gzip.compress(plain))
    with pytest.raises(AssertionError):
        assert_valid(path)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/a b",
        "http://a.example/\r\nWARC-Type: evil",
        "http://bücher.example/straße?q=€&x=%C3%BC#frag",
        "http://a.example/\x00\x1b[31m",
        "http://a.example/\ud800",
        "http://[2001:db8::1]:8080/",
        "http://a.example/" + "x" * 8000,
    ],
)
def test_no_url_breaks_a_record(tmp_path: Path, url: str) -> None:
    writer = WarcWriter(tmp_path, {})
    place = writer.append(answer(url))
    writer.close()
    assert_valid(tmp_path / place.file)
    assert [kind for kind, _, _ in records(tmp_path / place.file)] == ["warcinfo", "request", "response"]
    assert read_response(tmp_path, place).url.isascii()


wild = st.text(st.characters(), max_size=30)
decoded_header = st.binary(max_size=30).map(lambda value: value.decode("utf-8", "surrogateescape"))


@settings(max_examples=60, deadline=None)
@given(
    headers=st.lists(st.tuples(wild, wild | decoded_header), max_size=5),
    status_text=wild,
    body=st.binary(max_size=300),
    address=st.sampled_from(["", "127.0.0.1", "::1", "nonsense\r\nX: y"]),
)
@example(headers=[("Name", "\udcff and \udd00")], status_text="\udd00", body=b"", address="")
def test_no_answer_breaks_a_record(
    tmp_path_factory: pytest.TempPathFactory,
    headers: list[tuple[str, str]],
    status_text: str,
    body: bytes,
    address: str,
) -> None:
    folder = tmp_path_factory.mktemp("warc")
    writer = WarcWriter(folder, {})
    fetched = answer(body=body, status_text=status_text, headers=headers, address=address)
    fetched.request_headers = headers
    fetched.status = 404
    place = writer.append(fetched)
    writer.close()
    assert_valid(folder / place.file)
    assert [kind for kind, _, _ in records(folder / place.file)] == ["warcinfo", "request", "response"]
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("encoding", "wire"),
    [
        ("", HTML),
        ("gzip", gzip.compress(HTML, mtime=0)),
        ("deflate", zlib.compress(HTML)),
        ("deflate", zlib.compress(HTML)[2:-4]),
        ("gzip", gzip.compress(HTML[:100], mtime=0) + gzip.compress(HTML[100:], mtime=0)),
        ("gzip", gzip.compress(HTML, mtime=0) + b"trailing noise"),
        ("gzip", HTML),
    ],
)
def test_answers_come_back(tmp_path: Path, encoding: str, wire: bytes) -> None:
    writer = WarcWriter(tmp_path, {})
    headers = [("Content-Encoding", encoding)] if encoding else []
    places = [writer.append(answer(wire=wire, headers=[*headers, ("X-Ü", "ä\udcff")])) for _ in range(3)]
    writer.close()
    assert_all_valid(tmp_path)
    for place in places:
        back = read_response(tmp_path, place)
        assert (back.url, back.status, back.wire, back.body) == ("http://a.example/page", 200, wire, HTML)
        assert back.header("x-Ü") == "ä\udcff"


@pytest.mark.parametrize(
    ("encoding", "wire"),
    [
        ("br", brotli.compress(HTML)),
        ("zstd", zstd.compress(HTML)),
        ("gzip, br", brotli.compress(gzip.compress(HTML, mtime=0))),
        ("gzip", b""),
    ],
)
def test_a_body_that_tools_cannot_read_as_transferred_is_stored_decoded(
    tmp_path: Path, encoding: str, wire: bytes
) -> None:
    writer = WarcWriter(tmp_path, {})
    place = writer.append(answer(wire=wire, headers=[("Content-Encoding", encoding)]))
    writer.close()
    assert_all_valid(tmp_path)
    back = read_response(tmp_path, place)
    assert (back.body, back.wire, back.header("content-encoding")) == (HTML, HTML, "")
    assert back.header("X-Archive-Orig-Content-Encoding") == encoding


def test_files_are_changed_by_size(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {}, max_bytes=2000)
    places = [writer.append(answer(f"http://a.example/{n}", os.urandom(500))) for n in range(10)]
    writer.close()
    assert len({place.file for place in places}) == len(list(tmp_path.iterdir())) >= 4
    assert_all_valid(tmp_path)
    assert all(records(path)[0][0] == "warcinfo" for path in tmp_path.iterdir())
    assert responses(tmp_path) == {f"http://a.example/{n}": 1 for n in range(10)}


def ends(*places: WarcPlace) -> dict[str, int]:
    return {place.file: place.offset + place.length for place in places}


def test_what_no_commit_names_is_cut_off(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {}, max_bytes=2000)
    places = [writer.append(answer(f"http://a.example/{n}", os.urandom(500))) for n in range(6)]
    writer.close()
    (tmp_path / "notes.txt").write_text("kept")
    writer = WarcWriter(tmp_path, ends(*places[:2]), max_bytes=2000)
    again = writer.append(answer("http://a.example/again"))
    writer.close()
    assert again.file not in {place.file for place in places[:2]}
    (tmp_path / "notes.txt").unlink()
    assert_all_valid(tmp_path)
    found = responses(tmp_path)
    assert found == {"http://a.example/0": 1, "http://a.example/1": 1, "http://a.example/again": 1}


def test_a_torn_tail_is_cut_to_whole_records(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    places = [writer.append(answer(f"http://a.example/{n}")) for n in range(3)]
    writer.close()
    path = tmp_path / places[0].file
    os.truncate(path, places[2].offset + 10)
    writer = WarcWriter(tmp_path, ends(*places))
    assert_valid(path)
    assert path.stat().st_size == places[2].offset
    assert responses(tmp_path) == {"http://a.example/0": 1, "http://a.example/1": 1}
    with pytest.raises(DamagedStore, match=path.name):
        read_response(tmp_path, places[2])


def test_a_file_that_is_gone_is_not_begun_again(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {"lagotto-00004.warc.gz": 1000})
    assert writer.append(answer()).file == "lagotto-00005.warc.gz"
    writer.close()
    with pytest.raises(CrawlDirectoryError, match="lagotto-00004"):
        read_response(tmp_path, WarcPlace("lagotto-00004.warc.gz", 0, 10))


def test_whole_records_of_damaged_files(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    places = [writer.append(answer(f"http://a.example/{n}")) for n in range(3)]
    writer.close()
    path = tmp_path / places[0].file
    whole = path.read_bytes()
    last = places[1].offset + places[1].length
    for tail in (b"", b"\x1f\x8bnoise", b"noise", gzip.compress(b"no record")):
        path.write_bytes(whole[:last] + tail)
        assert whole_records(path) == last
    path.write_bytes(b"noise")
    assert whole_records(path) == 0


def test_a_full_disk_leaves_whole_records_and_the_writer_goes_on(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    first = writer.append(answer("http://a.example/first"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (first.offset + first.length + 100, before[1]))
        with pytest.raises(DiskFull, match=first.file):
            writer.append(answer("http://a.example/lost"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert_valid(tmp_path / first.file)
    second = writer.append(answer("http://a.example/second"))
    writer.close()
    assert_all_valid(tmp_path)
    assert second.file == first.file
    assert responses(tmp_path) == {"http://a.example/first": 1, "http://a.example/second": 1}
    assert read_response(tmp_path, second).url == "http://a.example/second"


def test_places_that_hold_no_answer_are_refused(tmp_path: Path) -> None:
    writer = WarcWriter(tmp_path, {})
    place = writer.append(answer())
    writer.close()
    for wrong in (WarcPlace(place.file, place.offset + 1, place.length), WarcPlace(place.file, 0, 5)):
        with pytest.raises(DamagedStore, match=r"damaged|ends before"):
            read_response(tmp_path, wrong)


def test_workers_with_prefixes_of_their_own_share_a_folder(tmp_path: Path) -> None:
    first, second = WarcWriter(tmp_path, {}, prefix="a"), WarcWriter(tmp_path, {}, prefix="b")
    places = [writer.append(answer()) for writer in (first, second)]
    first.close()
    second.close()
    assert [place.file for place in places] == ["a-00000.warc.gz", "b-00000.warc.gz"]
    [kept, lost] = places
    again = WarcWriter(tmp_path, {kept.file: kept.offset + kept.length}, prefix="a")
    assert read_response(tmp_path, lost).body == HTML, "the file of another worker is not touched"
    assert again.append(answer()).file == "a-00001.warc.gz"
    again.close()


def test_a_body_that_came_compressed_is_not_compressed_again(tmp_path: Path) -> None:
    wire = gzip.compress(HTML)
    writer = WarcWriter(tmp_path, {})
    place = writer.append(answer(wire=wire, headers=[("Content-Encoding", "gzip")]))
    writer.close()
    assert wire in (tmp_path / place.file).read_bytes()
    assert read_response(tmp_path, place).body == HTML
    assert_valid(tmp_path / place.file)
