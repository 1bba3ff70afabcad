"""One GET: what a good answer becomes, and which reason each fault gets."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch import SITEMAP_TYPES, Timeouts
from tests.fetch.conftest import MakeFetcher
from tests.fetch.encodings import ENCODE, br, gzip, zstd
from tests.fetch.servers import Answer, RawServer, Script, raw, reply

HTML = b"<!doctype html><title>Truffles</title>" + b"<p>below oaks</p>" * 200
OK = "HTTP/1.1 200 OK"
MIB = 1024 * 1024


async def fetch(make_fetcher: MakeFetcher, answer: Answer, **options: object) -> Fetched | Failure:
    async with RawServer({"/": answer}) as server:
        return await make_fetcher(**options).fetch(server.url("/"))


async def page(make_fetcher: MakeFetcher, answer: Answer, **options: object) -> Fetched:
    fetched = await fetch(make_fetcher, answer, **options)
    assert isinstance(fetched, Fetched), fetched
    return fetched


async def reason(make_fetcher: MakeFetcher, answer: Answer, **options: object) -> Reason:
    failure = await fetch(make_fetcher, answer, **options)
    assert isinstance(failure, Failure), failure
    return failure.reason


def endless(start: bytes, piece: bytes) -> Script:
    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while True:
            writer.write(piece)
            await writer.drain()

    return send


def slowly(*pieces: bytes, wait: float = 0.05) -> Script:
    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(wait)

    return send


def then_silence(start: bytes) -> Script:
    return slowly(start, wait=60)


def then_reset(start: bytes) -> Script:
    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        await writer.drain()
        await asyncio.sleep(0.05)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return send


async def test_a_page_with_all_that_is_kept_of_it(make_fetcher: MakeFetcher) -> None:
    headers = (
        'ETag: "v1"',
        "Last-Modified: Tue, 14 Nov 2023 22:13:20 GMT",
        "X-Robots-Tag: noindex",
        "X-Robots-Tag: lagotto: nofollow",
        "Retry-After: 120",
        "X-Odd: caf\u00e9",
    )
    before = time.monotonic()
    fetched = await page(make_fetcher, reply(HTML, *headers, kind="text/html; charset=utf-8"))
    assert (fetched.status, fetched.status_text, fetched.http_version) == (200, "OK", "1.1")
    assert fetched.body == fetched.wire == HTML
    assert (fetched.content_type, fetched.declared_type) == ("text/html", "text/html; charset=utf-8")
    assert ("ETag", '"v1"') in fetched.headers
    assert fetched.header("X-Odd").encode("utf-8", "surrogateescape") == b"caf\xe9"
    assert (fetched.etag, fetched.last_modified) == ('"v1"', "Tue, 14 Nov 2023 22:13:20 GMT")
    assert (fetched.noindex, fetched.nofollow, fetched.retry_after) == (True, True, 120.0)
    assert before <= fetched.sent_at <= time.monotonic()
    assert abs(fetched.fetched_at - time.time()) < 60
    assert fetched.address == "127.0.0.1"
    assert not fetched.truncated
    sent = dict(fetched.request_headers)
    assert sent["User-Agent"].startswith("lagotto/")
    assert sent["Host"].startswith("127.0.0.1:")


async def test_odd_headers_can_be_stored(make_fetcher: MakeFetcher) -> None:
    headers = ('ETag: "\u00e9"', "Last-Modified: " + "x" * 5000)
    fetched = await page(
        make_fetcher, reply(HTML, *headers, kind="text/html; charset=\u00e9", status="200 \u00e9")
    )
    assert (fetched.etag, fetched.last_modified) == ('"?"', "")
    assert fetched.declared_type == "text/html; charset=?"
    assert fetched.status_text.isascii()


async def test_the_target_is_sent_as_the_canonical_url_has_it(make_fetcher: MakeFetcher) -> None:
    async with RawServer(lambda request: reply()) as server:
        for target in ("/a%2Fb?q=%C3%A9&r=a+b", "/~x/%20y;z", "/?", "/'\"<>"):
            await make_fetcher().fetch(server.url(target))
    assert server.targets[:2] == ["/a%2Fb?q=%C3%A9&r=a+b", "/~x/%20y;z"]


@pytest.mark.parametrize(
    ("encoding", "wire"),
    [
        ("gzip", gzip(HTML)),
        ("deflate", ENCODE["deflate"](HTML)),
        ("br", br(HTML)),
        ("zstd", zstd(HTML)),
        ("gzip, br", br(gzip(HTML))),
        ("identity", HTML),
    ],
)
async def test_encoded_bodies_are_kept_both_ways(
    make_fetcher: MakeFetcher, encoding: str, wire: bytes
) -> None:
    fetched = await page(make_fetcher, reply(wire, f"Content-Encoding: {encoding}"))
    assert fetched.body == HTML
    assert fetched.wire == wire


async def test_a_chunked_body_is_joined(make_fetcher: MakeFetcher) -> None:
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (HTML[:100], HTML[100:])) + b"0\r\n\r\n"
    fetched = await page(
        make_fetcher, raw(OK, "Transfer-Encoding: chunked", "Content-Type: text/html", body=chunks)
    )
    assert fetched.body == fetched.wire == HTML


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Again", "308 For Good"])
async def test_redirects_come_back_as_such(make_fetcher: MakeFetcher, status: str) -> None:
    fetched = await page(make_fetcher, reply(b"", "Location: ../b?c#d", status=status))
    assert fetched.status == int(status[:3])
    assert fetched.location.endswith("/b?c")


async def test_a_redirect_to_two_places_is_refused(make_fetcher: MakeFetcher) -> None:
    two = reply(b"", "Location: /a", "Location: /b", status="302 Found")
    assert await reason(make_fetcher, two) is Reason.BAD_HTTP


@pytest.mark.parametrize(
    "status", ["404 Not Found", "429 Slow Down", "503 Unavailable", "204 No Content", "304 Same"]
)
async def test_every_status_is_an_answer(make_fetcher: MakeFetcher, status: str) -> None:
    fetched = await page(make_fetcher, reply(b"", "Retry-After: 7", status=status, kind="image/png"))
    assert (fetched.status, fetched.retry_after) == (int(status[:3]), 7.0)


async def test_an_answer_that_is_no_page_counts_whatever_its_body_is_like(make_fetcher: MakeFetcher) -> None:
    large = await page(make_fetcher, reply(b"x" * MIB, status="404 Not Found"))
    assert (large.status, len(large.body), large.truncated) == (404, 64 * 1024, True)
    bad = await page(make_fetcher, reply(b"no gzip", "Content-Encoding: gzip", status="500 Sorry"))
    assert (bad.status, bad.body) == (500, b"")
    short = await page(make_fetcher, raw("HTTP/1.1 404 Not Found", "Content-Length: 10"))
    assert (short.status, short.truncated) == (404, True)


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("text/html", HTML, "text/html"),
        ("text/plain", HTML, "text/html"),
        (None, HTML, "text/html"),
        ("image/png", HTML, "text/html"),
        ("text/plain", b"just words", "text/plain"),
        ("application/xhtml+xml", b"<html/>", "application/xhtml+xml"),
        ("text/html", b"\x89PNG\r\n\x1a\n" + b"\x00" * 5000, "image/png"),
        ("application/pdf", b"%PDF-1.4", "application/pdf"),
        ("application/json", b"{}", "application/json"),
        ("text/plain", b"\x00\x01\x02", "application/octet-stream"),
    ],
)
async def test_types_are_sniffed_and_unwanted_ones_refused(
    make_fetcher: MakeFetcher, kind: str | None, body: bytes, expected: str
) -> None:
    answer = await fetch(make_fetcher, reply(body, kind=kind))
    if isinstance(answer, Fetched):
        assert answer.content_type == expected
        assert answer.declared_type == (kind or "")
    else:
        assert (answer.reason, answer.detail) == (Reason.CONTENT_TYPE, expected)
        assert answer.sent_at > 0
    assert isinstance(answer, Fetched) == (expected in ("text/html", "text/plain", "application/xhtml+xml"))


async def test_an_unwanted_body_is_not_downloaded_to_its_end(make_fetcher: MakeFetcher) -> None:
    film = endless(raw(OK, "Content-Type: video/mp4"), b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 4096)
    assert await reason(make_fetcher, film) is Reason.CONTENT_TYPE


async def test_gzipped_sitemaps_are_unpacked_where_sitemaps_are_wanted(make_fetcher: MakeFetcher) -> None:
    body = b"<?xml version='1.0'?><urlset><url><loc>http://a.org/</loc></url></urlset>"
    answer = reply(gzip(body), kind="application/x-gzip")
    fetched = await page(make_fetcher, answer, accepted_types=SITEMAP_TYPES)
    assert (fetched.content_type, fetched.body) == ("text/xml", body)
    assert await reason(make_fetcher, answer) is Reason.CONTENT_TYPE


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (raw(OK, "Content-Type: text/html"), HTML),
        (
            raw(OK, "Content-Type: text/html", "Transfer-Encoding: chunked"),
            b"1000\r\n" + b"x" * 4096 + b"\r\n",
        ),
        (raw(OK, "Transfer-Encoding: chunked", body=b"5\r\nhello\r\n0\r\n"), b"X-Trailer: value\r\n" * 100),
        (raw(OK, "Transfer-Encoding: chunked", body=b"5;name="), b"x" * 4096),
        (raw(OK, "Transfer-Encoding: chunked"), b"0" * 4096),
        (b"HTTP/1.1 200 OK\r\n", b"X-Header: value\r\n" * 100),
        (b"HTTP/1.1 200 OK\r\nX-Header: ", b"x" * 4096),
        (b"HTTP/1.1 200 ", b"x" * 4096),
        (b"", raw("HTTP/1.1 103 Early Hints", "Link: </x>") * 50),
    ],
)
async def test_a_server_that_never_ends_is_cut_off(
    make_fetcher: MakeFetcher, start: bytes, piece: bytes
) -> None:
    assert await reason(make_fetcher, endless(start, piece), max_size=2 * MIB) is Reason.TOO_LARGE


async def test_a_body_as_large_as_the_cap_is_kept_and_one_larger_refused(make_fetcher: MakeFetcher) -> None:
    assert len((await page(make_fetcher, reply(HTML), max_size=len(HTML))).body) == len(HTML)
    assert await reason(make_fetcher, reply(HTML), max_size=len(HTML) - 1) is Reason.TOO_LARGE
    packed = reply(gzip(HTML), "Content-Encoding: gzip")
    assert len((await page(make_fetcher, packed, max_size=len(HTML))).body) == len(HTML)
    assert await reason(make_fetcher, packed, max_size=len(HTML) - 1) is Reason.TOO_LARGE


async def test_many_large_bodies_share_the_memory(make_fetcher: MakeFetcher) -> None:
    body = HTML + b"x" * (3 * MIB)
    async with RawServer({"/": reply(body)}) as server:
        fetcher = make_fetcher(limit_per_host=0)
        answers = await asyncio.gather(*(fetcher.fetch(server.url("/")) for _ in range(24)))
    assert {len(answer.body) for answer in answers if isinstance(answer, Fetched)} == {len(body)}
    assert len(answers) == 24


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip", "zstd"])
async def test_bombs_are_refused(lagotto_data: Path, make_fetcher: MakeFetcher, encoding: str) -> None:
    bomb = (lagotto_data / f"conformance/http/bombs/scrapy_bomb-{encoding}.bin").read_bytes()
    assert await reason(make_fetcher, reply(bomb, f"Content-Encoding: {encoding}")) is Reason.TOO_LARGE


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", ", ".join(["gzip"] * 10)])
async def test_a_wrong_content_encoding_is_bad(make_fetcher: MakeFetcher, encoding: str) -> None:
    answer = reply(HTML, f"Content-Encoding: {encoding}")
    assert await reason(make_fetcher, answer) is Reason.BAD_ENCODING


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (raw(OK, "Content-Length: 99999", body=HTML), HTML),
        (raw(OK, "Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n" % (len(HTML), HTML)), HTML),
        (then_reset(raw(OK, "Content-Length: 99999", body=HTML)), HTML),
        (raw(OK, "Content-Encoding: gzip", body=gzip(HTML)[:-8]), HTML),
    ],
)
async def test_a_body_that_breaks_off_is_kept_and_marked(
    make_fetcher: MakeFetcher, answer: Answer, kept: bytes
) -> None:
    fetched = await page(make_fetcher, answer)
    assert fetched.body == kept
    assert fetched.truncated


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"", Reason.RESET),
        (b"HTTP/1.1 200 OK\r\nContent-", Reason.RESET),
        (then_reset(b""), Reason.RESET),
        (raw(OK, "Content-Length: 10"), Reason.RESET),
        (raw(OK, "Content-Length: 5", "Content-Length: 6", body=b"hello!"), Reason.BAD_HTTP),
        (raw(OK, "Content-Length: -5", body=b"hello"), Reason.BAD_HTTP),
        (raw(OK, "Content-Length: thousand", body=b"hello"), Reason.BAD_HTTP),
        (raw(OK, "Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), Reason.BAD_HTTP),
        (raw(OK, "Transfer-Encoding: chunked", body=b"ZZ\r\nhello\r\n0\r\n\r\n"), Reason.BAD_HTTP),
        (raw(OK, "Transfer-Encoding: chunked", body=b"5\r\nhello, world\r\n0\r\n\r\n"), Reason.BAD_HTTP),
        (raw(OK, "Transfer-Encoding: chunked", body=b"F" * 20 + b"\r\nhello\r\n"), Reason.BAD_HTTP),
        (
            slowly(raw(OK, "Transfer-Encoding: chunked", body=b"5\r\nhello\r\n"), b"ZZ\r\nrest"),
            Reason.BAD_HTTP,
        ),
        (raw(OK, "X: a\x00b", body=b"hello"), Reason.BAD_HTTP),
        (raw("HTTP/1.1 99 OK"), Reason.BAD_HTTP),
        (raw("HTTP/1.1 101 Switching", "Upgrade: x", "Connection: upgrade"), Reason.BAD_HTTP),
        (b"just words, as in HTTP/0.9", Reason.BAD_HTTP),
        (b"SSH-2.0-OpenSSH_9.2\r\n", Reason.BAD_HTTP),
        (b"\x15\x03\x01\x00\x02\x02\x46", Reason.BAD_HTTP),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Reason.BAD_HTTP),
    ],
)
async def test_faults_have_their_reasons(make_fetcher: MakeFetcher, answer: Answer, expected: Reason) -> None:
    failure = await fetch(make_fetcher, answer)
    assert isinstance(failure, Failure)
    assert failure.reason is expected
    assert failure.sent_at > 0
    assert failure.detail.isprintable()


async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(raw(OK, "Content-Type: text/html"))
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("answer", "timeouts", "expected"),
    [
        (then_silence(b""), Timeouts(headers=0.5), Reason.TIMEOUT_HEADERS),
        (drip_headers, Timeouts(headers=0.5), Reason.TIMEOUT_HEADERS),
        (then_silence(raw(OK, "Content-Length: 10", body=b"hello")), Timeouts(idle=1.0), Reason.TIMEOUT_IDLE),
        (drip, Timeouts(total=1.0), Reason.TIMEOUT_TOTAL),
    ],
)
async def test_each_phase_has_its_timeout(
    make_fetcher: MakeFetcher, answer: Answer, timeouts: Timeouts, expected: Reason
) -> None:
    assert await reason(make_fetcher, answer, timeouts=timeouts) is expected


@pytest.fixture
async def full_port() -> AsyncIterator[int]:
    """A port whose queue of waiting connections is full, so that connecting hangs."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    waiting = []
    for _ in range(4):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex(listener.getsockname())
        waiting.append(sock)
    yield listener.getsockname()[1]
    for sock in (*waiting, listener):
        sock.close()


async def test_connecting_has_its_timeout(make_fetcher: MakeFetcher, full_port: int) -> None:
    failure = await make_fetcher(timeouts=Timeouts(connect=0.3)).fetch(f"http://127.0.0.1:{full_port}/")
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.TIMEOUT_CONNECT
    assert failure.sent_at == 0.0


async def test_a_closed_port_and_an_unknown_name(make_fetcher: MakeFetcher) -> None:
    async with RawServer({}) as server:
        url = server.url("/")
    refused = await make_fetcher().fetch(url)
    assert isinstance(refused, Failure)
    assert (refused.reason, refused.sent_at) == (Reason.CONNECT, 0.0)

    async def nothing(host: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    unknown = await make_fetcher(lookup=nothing).fetch("http://nowhere.test/")
    assert isinstance(unknown, Failure)
    assert unknown.reason is Reason.DNS


async def test_slow_hosts_do_not_hold_up_others(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher(limit_per_host=0)
    async with RawServer({"/slow": then_silence(b""), "/": reply(HTML)}) as server:
        slow = [asyncio.create_task(fetcher.fetch(server.url("/slow"))) for _ in range(100)]
        while server.targets.count("/slow") < len(slow):
            await asyncio.sleep(0.001)
        answers = [await fetcher.fetch(server.url("/")) for _ in range(50)]
        assert all(isinstance(answer, Fetched) for answer in answers)
        assert not any(task.done() for task in slow)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
