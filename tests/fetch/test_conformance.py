"""Raw replies collected by WPT, llhttp and curl: every one ends in an answer or a reason, none in a hang."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lagotto.base.records import Failure, Fetched, Reason
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import Answer, RawServer, Request, raw


def cases_of(data: Path, file: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((data / "conformance/http" / file).read_text())["cases"]
    return cases


async def fetch_all(make_fetcher: MakeFetcher, replies: list[bytes]) -> list[Fetched | Failure]:
    def answer(request: Request) -> Answer:
        return replies[int(request.target[1:])].replace(b"\r\nConnection: keep-alive\r\n", b"\r\n")

    fetcher = make_fetcher(limit_per_host=0)
    at_once = asyncio.Semaphore(8)

    async def fetch(url: str) -> Fetched | Failure:
        async with at_once:
            return await fetcher.fetch(url)

    async with RawServer(answer) as server:
        return await asyncio.gather(*(fetch(server.url(f"/{i}")) for i in range(len(replies))))


async def test_odd_characters_in_status_line_and_headers(
    lagotto_data: Path, make_fetcher: MakeFetcher
) -> None:
    cases = [case for case in cases_of(lagotto_data, "h1_parsing_cases.json") if case["exists"]]
    answers = await fetch_all(make_fetcher, [case["raw_latin1"].encode("latin-1") for case in cases])
    accepted = 0
    for case, answer in zip(cases, answers, strict=True):
        if isinstance(answer, Failure):
            assert answer.reason is Reason.BAD_HTTP, case
            assert case["fetch"] == "Network Error", case
        else:
            accepted += case["fetch"] == "Network Error"
    # A second blank and colons in the reason phrase, and colons in header values, which RFC 9112 allows.
    assert accepted == 8


async def test_replies_of_llhttp(lagotto_data: Path, make_fetcher: MakeFetcher) -> None:
    cases = cases_of(lagotto_data, "llhttp_response_cases.json")
    answers = await fetch_all(make_fetcher, [case["raw_latin1"].encode("latin-1") for case in cases])
    accepted = {
        case["title"]
        for case, answer in zip(cases, answers, strict=True)
        if isinstance(answer, Fetched) and case["meta"]["type"] == "response" and case["error"]
    }
    # Line ends without CR throughout, and a blank after a chunk's size: see docs/fetching.md.
    assert accepted == {
        "No carriage ret",
        "Only LFs present",
        "Only LFs present and no body",
        "Trailing space on chunked body",
    }


async def test_replies_of_curl(lagotto_data: Path, make_fetcher: MakeFetcher) -> None:
    cases = [
        case
        for case in cases_of(lagotto_data, "curl_http_cases.json")
        if case["simple_get"] and len(case["replies"]) == 1
    ]
    answers = await fetch_all(
        make_fetcher, [case["replies"][0]["raw_latin1"].encode("latin-1") for case in cases]
    )
    outcomes = Counter(
        (case["curl_exit"], isinstance(answer, Fetched)) for case, answer in zip(cases, answers, strict=True)
    )
    # Three that curl takes have heads that mix CRLF and LF.
    assert outcomes[0, True] >= 357
    # What curl calls a weird server reply, we refuse too, up to two exceptions.
    assert outcomes[8, True] <= 2
    assert {answer.reason for answer in answers if isinstance(answer, Failure)} <= {
        Reason.BAD_HTTP,
        Reason.BAD_ENCODING,
        Reason.CONTENT_TYPE,
        Reason.RESET,
        Reason.TOO_LARGE,
    }


async def test_content_lengths(lagotto_data: Path, make_fetcher: MakeFetcher) -> None:
    cases = json.loads((lagotto_data / "conformance/http/wpt_content-lengths.json").read_text())
    body = b"x" * 42
    answers = await fetch_all(
        make_fetcher, [raw("HTTP/1.1 200 OK", case["input"], body=body) for case in cases]
    )
    for case, answer in zip(cases, answers, strict=True):
        if case["output"] is None:
            assert isinstance(answer, Failure), case
            assert answer.reason is Reason.BAD_HTTP, case
        elif isinstance(answer, Fetched):
            assert len(answer.body) == case["output"], case


REFUSED = {
    "WPT, a head that is a network error": (84, 92),
    "llhttp, an error when strict": (22, 26),
    "curl, a weird reply or a bad transfer coding": (22, 24),
    "WPT, a length that is a network error": (15, 15),
}
"""Collection -> replies refused, and replies that the collection says must be refused."""
ALLOWED_BY_RFC_9112 = 8 + 3
"""Colons and a second blank (WPT), and lines that all end with LF alone (llhttp): see docs/fetching.md."""
CURL_REFUSES = (8, 61)


async def test_what_must_be_refused_is_refused(lagotto_data: Path, make_fetcher: MakeFetcher) -> None:
    heads = [
        case["raw_latin1"]
        for case in cases_of(lagotto_data, "h1_parsing_cases.json")
        if case["exists"] and case["fetch"] == "Network Error"
    ]
    strict = [
        case["raw_latin1"]
        for case in cases_of(lagotto_data, "llhttp_response_cases.json")
        if case["meta"]["type"] == "response" and case["error"]
    ]
    weird = [
        case["replies"][0]["raw_latin1"]
        for case in cases_of(lagotto_data, "curl_http_cases.json")
        if case["simple_get"] and len(case["replies"]) == 1 and case["curl_exit"] in CURL_REFUSES
    ]
    lengths = [
        raw("HTTP/1.1 200 OK", case["input"], body=b"x" * 42).decode("latin-1")
        for case in json.loads((lagotto_data / "conformance/http/wpt_content-lengths.json").read_text())
        if case["output"] is None
    ]
    found = {}
    for name, replies in zip(REFUSED, (heads, strict, weird, lengths), strict=True):
        answers = await fetch_all(make_fetcher, [reply.encode("latin-1") for reply in replies])
        found[name] = sum(isinstance(answer, Failure) for answer in answers), len(answers)
    assert found == REFUSED
    refused, wanted = map(sum, zip(*found.values(), strict=True))
    assert refused / (wanted - ALLOWED_BY_RFC_9112) >= 0.95


BOMB_RUN = """
import asyncio, resource, sys
from pathlib import Path
from lagotto.fetch import Guard, HttpFetcher
from tests.fetch.servers import RawServer, reply

async def main(folder):
    bombs = {
        f"/{name}": reply((folder / f"scrapy_bomb-{name}.bin").read_bytes(), f"Content-Encoding: {name}")
        for name in ("br", "deflate", "gzip", "zstd")
    }
    async with RawServer({"/": reply(), **bombs}) as server:
        fetcher = HttpFetcher(guard=Guard(["127.0.0.0/8"]))
        await fetcher.fetch(server.url("/"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        reasons = {(await fetcher.fetch(server.url(path))).reason for path in bombs}
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        await fetcher.close()
    print(",".join(reasons), (after - before) // 1024)

asyncio.run(main(Path(sys.argv[1])))
"""


def test_bombs_leave_the_memory_flat(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/http/bombs"
    run = subprocess.run(
        [sys.executable, "-c", BOMB_RUN, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
    )
    reasons, mebibytes = run.stdout.split()
    assert reasons == "too-large"
    assert int(mebibytes) < 32


@pytest.mark.parametrize("seed", range(3))
async def test_damaged_replies(make_fetcher: MakeFetcher, seed: int) -> None:
    chance = random.Random(seed)
    good = raw(
        "HTTP/1.1 200 OK",
        "Content-Type: text/html",
        "Transfer-Encoding: chunked",
        body=b"5\r\nhello\r\n0\r\n\r\n",
    )
    replies = []
    for _ in range(60):
        damaged = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at : at + chance.randint(0, 2)] = chance.randbytes(chance.randint(0, 3))
        replies.append(bytes(damaged))
    answers = await fetch_all(make_fetcher, replies)
    assert not any(isinstance(a, Failure) and a.reason.startswith("timeout") for a in answers)
