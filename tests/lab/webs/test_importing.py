"""Importing webs from JSONL, WARC and WACZ files and from crawl directories."""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.lab.webs.importing import Imported, import_web
from lagotto.lab.webs.web import FrozenWeb
from tests.lab import recording

PAGES = {f"http://a.example/{number}.html": f"<p>page {number} é" for number in range(500)}
JSONL = "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in PAGES.items()).encode()


def wide_zstd(plain: bytes) -> bytes:
    return zstd.compress(plain, options={zstd.CompressionParameter.window_log: 27})


def plain(raw: bytes) -> bytes:
    return raw


def with_blank_lines(raw: bytes) -> bytes:
    return b"\n" + raw.replace(b"\n", b"\n\n")


@pytest.mark.parametrize("pack", [plain, gzip.compress, wide_zstd, with_blank_lines])
def test_jsonl_in_any_packing(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "pages").write_bytes(pack(JSONL))
    assert import_web([tmp_path / "pages"], tmp_path / "a.web") == Imported(500, {})
    with FrozenWeb.open(tmp_path / "a.web") as web:
        assert {page.url: page.body.decode() for page in web} == PAGES


def test_two_files_become_one_web_and_spellings_one_page(tmp_path: Path) -> None:
    (tmp_path / "one").write_text('{"url": "http://a.example/", "html": "first"}\n')
    (tmp_path / "two").write_text(
        '{"url": "https://a.example/index.html", "html": "again"}\n{"url": "nonsense", "html": ""}\n'
        '{"url": "http://b.example/", "html": "b"}'
    )
    imported = import_web([tmp_path / "one", tmp_path / "two"], tmp_path / "a.web")
    assert imported == Imported(2, {"not a URL, or a page already in": 2})


def test_progress_rises_to_the_end(tmp_path: Path) -> None:
    (tmp_path / "pages").write_bytes(JSONL)
    seen: list[tuple[int, float]] = []
    import_web([tmp_path / "pages"], tmp_path / "a.web", lambda pages, share: seen.append((pages, share)))
    assert seen == sorted(seen)
    assert len(seen) >= 3
    assert seen[-1] == (500, 1.0)


WARC = [
    recording.record("http://a.example/", recording.html(b"<p>home")),
    recording.record("http://a.example/", b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "request"),
    recording.record(
        "http://a.example/zipped", recording.html(gzip.compress(b"<p>zipped"), "Content-Encoding: gzip")
    ),
    recording.record(
        "http://a.example/zstd", recording.html(zstd.compress(b"<p>zstd"), "Content-Encoding: zstd")
    ),
    recording.record(
        "http://a.example/chunked",
        recording.html(b"3\r\n<p>\r\n2\r\nok\r\n0\r\n\r\n", "Transfer-Encoding: chunked"),
    ),
    recording.record("http://a.example/old", recording.answer(301, b"", "Location: /zipped")),
    recording.record("http://a.example/gone", recording.answer(404, b"no", "Content-Type: text/html")),
    recording.record("http://a.example/logo.png", recording.answer(200, b"PNG", "Content-Type: image/png")),
    recording.record(
        "http://a.example/robots.txt",
        recording.answer(200, b"User-agent: *\nDisallow: /x\n", "Content-Type: text/plain"),
    ),
    recording.record(
        "http://a.example/broken",
        recording.html(gzip.compress(b"page")[:10] + b"\xff" * 50, "Content-Encoding: gzip"),
    ),
    recording.record("dns:a.example", recording.html(b"")),
    recording.record("http://a.example/last", recording.html(b"<p>last")),
]
WARC_LEFT_OUT = {"status other than 200": 1, "not HTML": 1, "damaged record": 1, "no http URL": 1}


def check_recorded(web_path: Path) -> None:
    with FrozenWeb.open(web_path) as web:
        assert {page.url.removeprefix("http://a.example/"): page.body for page in web} == {
            "": b"<p>home",
            "zipped": b"<p>zipped",
            "zstd": b"<p>zstd",
            "chunked": b"<p>ok",
            "last": b"<p>last",
        }
        assert web.redirect("http://a.example/old") == "http://a.example/zipped"
        assert web.robots("a.example") == "User-agent: *\nDisallow: /x\n"


@pytest.mark.parametrize("packed", [b"".join(WARC), recording.packed(WARC)])
def test_warc_plain_and_packed(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "recorded").write_bytes(packed)
    assert import_web([tmp_path / "recorded"], tmp_path / "a.web") == Imported(5, WARC_LEFT_OUT)
    check_recorded(tmp_path / "a.web")


def test_wacz(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "recorded.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/one.warc.gz", recording.packed(WARC[:4]))
        archive.writestr("archive/two.warc.gz", recording.packed(WARC[4:]))
    assert import_web([tmp_path / "recorded.wacz"], tmp_path / "a.web") == Imported(5, WARC_LEFT_OUT)
    check_recorded(tmp_path / "a.web")


def test_crawl_directory(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    (crawl / "warc").mkdir(parents=True)
    (crawl / "warc" / "00000.warc.gz").write_bytes(recording.packed(WARC[:4]))
    (crawl / "warc" / "00001.warc.gz").write_bytes(recording.packed(WARC[4:]))
    (crawl / "warc" / "notes.txt").write_text("not a record")
    assert import_web([crawl], tmp_path / "a.web") == Imported(5, WARC_LEFT_OUT)
    check_recorded(tmp_path / "a.web")


def test_folder_of_a_frozen_web(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "pages.jsonl.gz").write_bytes(gzip.compress(JSONL))
    (tmp_path / "web" / "labels.csv").write_text("url,topic\n")
    assert import_web([tmp_path / "web"], tmp_path / "a.web").pages == 500


def test_a_warc_that_was_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    whole = b"".join(WARC)
    cut = whole.index(b"http://a.example/gone")
    (tmp_path / "cut.warc").write_bytes(whole[:cut])
    assert import_web([tmp_path / "cut.warc"], tmp_path / "a.web").pages == 4


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no JSONL, WARC or WACZ"),
        (b"<html>a page</html>", "no JSONL, WARC or WACZ"),
        (b"\x1f\x8bnot really gzip", "no JSONL, WARC or WACZ"),
        (b"PK\x03\x04not really zip", "damaged WACZ"),
        (b'{"url": "http://a.example/", "html": "a"}\n{"url": 5}\n', "line 2 of"),
        (b'{"url": "http://a.example/"', "line 1 of"),
        (gzip.compress(JSONL, mtime=0)[:-300], "is damaged after line"),
    ],
)
def test_bad_input_is_told_and_nothing_written(tmp_path: Path, content: bytes, sentence: str) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    source.write_bytes(content)
    out.mkdir()
    with pytest.raises(InputError, match=sentence):
        import_web([source], out / "a.web")
    assert list(out.iterdir()) == []


def test_missing_sources_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no"):
        import_web([tmp_path / "none"], tmp_path / "a.web")
    with pytest.raises(InputError, match="no WARC files"):
        import_web([tmp_path], tmp_path / "a.web")


def test_recordings_of_other_tools(lagotto_data: Path, tmp_path: Path) -> None:
    folder = lagotto_data / "conformance" / "warc"
    if not folder.is_dir():
        pytest.skip(f"no recordings in {folder}")
    names = ("fastwarc/warcfile.warc", "fastwarc/warcfile.warc.gz", "fastwarc/warcfile.warc.lz4")
    webs = []
    for name in names:
        import_web([folder / name], tmp_path / "a.web")
        with FrozenWeb.open(tmp_path / "a.web") as web:
            webs.append((len(web), web.content_hash))
    assert webs[0] == webs[1] == webs[2]
    assert webs[0][0] > 10


def test_a_real_web(lagotto_data: Path, tmp_path: Path) -> None:
    source = lagotto_data / "webs" / "wikischools"
    if not source.is_dir():
        pytest.skip(f"no frozen web in {source}")
    assert import_web([source], tmp_path / "a.web").pages == 5232
    with FrozenWeb.open(tmp_path / "a.web") as web:
        labelled = {line.rpartition(",")[0] for line in (source / "labels.csv").read_text().splitlines()[1:]}
        resolved = {web.resolve(url) for url in labelled}
        assert None not in resolved
        assert len(resolved) == len(labelled)
        page = web.get("https://schools-wikipedia.org/wp/b/Bird.htm")
        assert page is not None
        assert b"<title>" in page


def test_without_fastwarc_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.warc").write_bytes(b"WARC/1.1\r\n\r\n")
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    with pytest.raises(InputError, match="pip install fastwarc"):
        import_web([tmp_path / "a.warc"], tmp_path / "a.web")
    assert not (tmp_path / "a.web").exists()
