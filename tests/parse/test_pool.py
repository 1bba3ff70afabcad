"""The pool of parser processes, and what a page may not do to it."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from lagotto.base.errors import ParserError
from lagotto.base.records import Failure, Fetched, Page, Reason
from lagotto.parse import pool as pool_module
from lagotto.parse.pool import InlineParser, ParserPool
from lagotto.parse.process import ParserProcess

MakePool = Callable[..., ParserPool]
GOOD = "<title>Good</title><p>see <a href=/next>the next page</a>"
# A heading in a heading, many times over: each is measured down to the last. About a second of CPU.
SLOW = "<h1><div>x" * 300_000


def _fetched(html: str | bytes, url: str = "http://example.org/", content_type: str = "text/html") -> Fetched:
    body = html.encode() if isinstance(html, str) else html
    return Fetched(
        url, 200, [("Content-Type", f"{content_type}; charset=utf-8")], body, content_type=content_type
    )


async def _still_works(pool: ParserPool) -> bool:
    page = await pool.parse(_fetched(GOOD))
    return (
        isinstance(page, Page)
        and page.title == "Good"
        and [link.anchor for link in page.links] == ["the next page"]
    )


def _pids(pool: ParserPool) -> list[int]:
    return [child.process.pid for child in pool._children]


@pytest.fixture
async def make_pool() -> AsyncIterator[MakePool]:
    """Makes pools, and closes them also after a failure, which would else appear in a later test."""
    pools: list[ParserPool] = []

    def make(**options: object) -> ParserPool:
        pools.append(ParserPool(**{"size": 1, "seconds": 30, **options}))  # type: ignore[arg-type]
        return pools[-1]

    yield make
    for pool in pools:
        await pool.close()


@pytest.fixture
async def pool(make_pool: MakePool) -> ParserPool:
    return make_pool(size=2)


async def _in_line(pool: ParserPool, pages: int) -> int:
    """Wait until the one process has so many pages to parse; returns its id."""
    while [child.waiting for child in pool._children] != [pages]:
        await asyncio.sleep(0.001)
    return pool._children[0].process.pid


def _stop_when_asked(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Stop a process before it is sent a page, so many times: it cannot finish before the test acts."""
    ask = ParserProcess.ask
    asked = 0

    async def stop_and_ask(self: ParserProcess, frame: bytes, seconds: float) -> object:
        nonlocal asked
        asked += 1
        if asked <= times:
            os.kill(self.process.pid, signal.SIGSTOP)
        return await ask(self, frame, seconds)

    monkeypatch.setattr(ParserProcess, "ask", stop_and_ask)


async def test_a_process_may_be_ready_before_it_is_asked() -> None:
    """As after our own process was stopped for a while."""
    child = await ParserProcess.start(1 << 30)
    try:
        assert child._transport is not None
        assert select.select([child._transport.get_extra_info("socket")], [], [], 60)[0]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert await child.ready()
    finally:
        child.end()
        await child.fate()


async def test_the_pool_reads_pages_as_the_inline_parser_does(pool: ParserPool) -> None:
    inline = InlineParser()
    for content_type in ("text/html", "text/plain"):
        fetched = _fetched(f"<html lang=fr>{GOOD}" + "é " * 300_000, content_type=content_type)
        assert await pool.parse(fetched) == await inline.parse(fetched)
    await inline.close()


async def test_links_may_come_without_the_words_that_they_were_hashed_from(make_pool: MakePool) -> None:
    body = b"<h2>Dogs</h2><ul><li>See the <a href=/lagotto rel=tag>lagotto romagnolo</a> at work</ul>"
    fetched = _fetched(body)
    whole, bare = await make_pool().parse(fetched), await make_pool(link_words=False).parse(fetched)
    assert isinstance(whole, Page)
    assert isinstance(bare, Page)
    [full], [link] = whole.links, bare.links
    assert full.context_terms
    assert full.path
    assert (link.context, link.heading, link.path) == ("", "", "")
    assert (link.anchor_terms, link.context_terms, link.url_terms) == ([], [], [])
    assert (link.url, link.anchor, link.rel) == (full.url, full.anchor, full.rel)
    assert (link.keys, link.hashes, link.host) == (full.keys, full.hashes, full.host)


async def test_processes_start_when_needed_and_no_more_than_allowed(pool: ParserPool) -> None:
    assert _pids(pool) == []
    assert await _still_works(pool)
    assert await _still_works(pool)
    assert len(_pids(pool)) == 1
    pages = await asyncio.gather(*(pool.parse(_fetched(f"<title>{i}</title>")) for i in range(50)))
    assert [page.title for page in pages if isinstance(page, Page)] == [str(i) for i in range(50)]
    assert len(_pids(pool)) == 2


async def test_phrases_may_change_while_it_runs(pool: ParserPool) -> None:
    pool.phrases = ("next page",)
    page = await pool.parse(_fetched(GOOD))
    assert isinstance(page, Page)
    assert page.terms["next page"] == 1


async def test_a_page_that_takes_too_long_is_given_up(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await _still_works(pool)
    before = _pids(pool)
    pool.seconds = 0.1
    failure = await pool.parse(_fetched(SLOW))
    pool.seconds = 30
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.PARSE_TIMEOUT
    assert "0.1 s" in failure.detail
    assert await _still_works(pool)
    assert _pids(pool) != before


async def test_a_page_that_takes_too_much_memory_is_given_up(make_pool: MakePool) -> None:
    pool = make_pool(seconds=20, memory=64 << 20)
    assert await _still_works(pool)
    failure = await pool.parse(_fetched("<p>Some <a href=/x>text</a> and more words</p>\n" * 400_000))
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.PARSE_MEMORY
    assert await _still_works(pool)


@pytest.mark.parametrize("kills", [1, 2])
async def test_a_page_whose_process_is_killed_is_parsed_in_a_fresh_one(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    pool = make_pool(retry_waits=(0, 0))
    assert await _still_works(pool)
    _stop_when_asked(monkeypatch, kills)
    parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
    for kill in range(kills):
        os.kill(await _in_line(pool, 1), signal.SIGKILL)
        while pool.deaths["SIGKILL"] == kill:
            await asyncio.sleep(0.001)
    assert isinstance(await parsing, Page)


async def test_a_page_whose_process_dies_three_times_is_given_up(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(retry_waits=(0, 0))
    assert await _still_works(pool)
    _stop_when_asked(monkeypatch, 3)
    parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
    for death in range(3):
        pid = await _in_line(pool, 1)
        os.kill(pid, signal.SIGSEGV)
        os.kill(pid, signal.SIGCONT)
        while pool.deaths["SIGSEGV"] == death:
            await asyncio.sleep(0.001)
    failure = await parsing
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.PARSE_CRASH
    assert failure.detail == "the parser process died 3 times (SIGSEGV)"
    assert pool.deaths == {"SIGSEGV": 3}
    assert await _still_works(pool)


async def test_pages_behind_one_whose_process_dies_are_not_blamed(make_pool: MakePool) -> None:
    pool = make_pool(retry_waits=())
    assert await _still_works(pool)
    (pid,) = _pids(pool)
    os.kill(pid, signal.SIGSTOP)
    parsing = [asyncio.create_task(pool.parse(_fetched(html))) for html in (GOOD, GOOD, SLOW[:100])]
    assert await _in_line(pool, len(parsing)) == pid
    os.kill(pid, signal.SIGKILL)
    failure, *pages = await asyncio.gather(*parsing)
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.PARSE_CRASH
    assert all(isinstance(page, Page) for page in pages)
    assert _pids(pool) != [pid]


async def test_a_process_that_is_killed_while_it_starts_is_started_again(make_pool: MakePool) -> None:
    pool = make_pool(start_waits=(0, 0))
    parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before = set(children.read_text().split())
    while not (started := set(children.read_text().split()) - before):
        await asyncio.sleep(0.001)
    os.kill(int(started.pop()), signal.SIGKILL)
    assert isinstance(await parsing, Page)
    assert pool.deaths == {"SIGKILL": 1}


async def test_time_that_a_stopped_process_gets_no_cpu_does_not_count(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "WALL", 1000.0)
    pool = make_pool()
    assert await _still_works(pool)
    (pid,) = _pids(pool)
    pool.seconds = 0.3
    os.kill(pid, signal.SIGSTOP)
    parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
    await asyncio.sleep(0.6)
    os.kill(pid, signal.SIGCONT)
    assert isinstance(await parsing, Page)


async def test_a_process_that_hangs_is_killed_by_the_clock(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await _still_works(pool)
    (pid,) = _pids(pool)
    pool.seconds = 0.05
    os.kill(pid, signal.SIGSTOP)
    failure = await pool.parse(_fetched(GOOD))
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.PARSE_TIMEOUT


async def test_the_clock_of_a_page_begins_when_its_turn_comes(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "WALL", 1.0)
    loop = asyncio.get_running_loop()
    clock, passed = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: clock() + passed)
    pool = make_pool(seconds=1000)
    assert await _still_works(pool)
    (pid,) = _pids(pool)
    os.kill(pid, signal.SIGSTOP)
    parsing = [asyncio.create_task(pool.parse(_fetched(GOOD)))]
    await _in_line(pool, 1)
    pool.seconds = 100
    parsing.append(asyncio.create_task(pool.parse(_fetched(SLOW))))
    await _in_line(pool, 2)
    for _ in range(201):  # in steps too small to be taken for a time in which we were stopped ourselves
        passed += 0.5
        await asyncio.sleep(0)
    os.kill(pid, signal.SIGCONT)
    assert [type(result) for result in await asyncio.gather(*parsing)] == [Page, Page]
    assert _pids(pool) == [pid]


async def test_a_page_behind_two_that_take_too_long_is_parsed(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await _still_works(pool)
    pool.seconds = 0.1
    slow = [asyncio.create_task(pool.parse(_fetched(SLOW))) for _ in range(2)]
    await asyncio.sleep(0)
    pool.seconds = 30
    good = await pool.parse(_fetched(GOOD))
    results = await asyncio.gather(*slow)
    assert [result.reason for result in results if isinstance(result, Failure)] == [Reason.PARSE_TIMEOUT] * 2
    assert isinstance(good, Page)


@pytest.mark.parametrize("cancelled", [0, 1])
async def test_a_cancelled_page_takes_no_other_with_it(make_pool: MakePool, cancelled: int) -> None:
    pool = make_pool()
    assert await _still_works(pool)
    (pid,) = _pids(pool)
    os.kill(pid, signal.SIGSTOP)
    parsing = [asyncio.create_task(pool.parse(_fetched(GOOD))) for _ in range(3)]
    await _in_line(pool, len(parsing))
    parsing.pop(cancelled).cancel()
    os.kill(pid, signal.SIGCONT)
    results = await asyncio.gather(*parsing)
    assert [type(result) for result in results] == [Page, Page]


async def test_pages_behind_one_that_takes_too_much_memory_are_parsed_elsewhere(make_pool: MakePool) -> None:
    pool = make_pool(memory=64 << 20)
    assert await _still_works(pool)
    large = "<p>Some <a href=/x>text</a> and more words</p>\n" * 400_000
    results = await asyncio.gather(*(pool.parse(_fetched(html)) for html in (large, GOOD * 300, GOOD, GOOD)))
    assert isinstance(results[0], Failure)
    assert results[0].reason is Reason.PARSE_MEMORY
    assert [type(result) for result in results[1:]] == [Page] * 3


async def test_a_process_that_dies_idle_costs_nothing(pool: ParserPool) -> None:
    assert await _still_works(pool)
    (child,) = pool._children
    child.process.kill()
    while child.alive:
        await asyncio.sleep(0.001)
    assert await _still_works(pool)
    assert pool.deaths == {}


async def test_a_cancelled_page_frees_its_turn(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await _still_works(pool)
    os.kill(_pids(pool)[0], signal.SIGSTOP)
    parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
    await _in_line(pool, 1)
    parsing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await parsing
    assert await _still_works(pool)


async def test_a_process_that_cannot_start_ends_the_crawl_with_a_sentence(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(start_waits=(0, 0))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ParserError, match=r"no parser process can be started \(exit code 1\); free memory"):
        await pool.parse(_fetched(GOOD))
    monkeypatch.undo()
    assert await _still_works(pool)


async def test_a_process_is_started_again_when_files_are_free_again(make_pool: MakePool) -> None:
    pool = make_pool(start_waits=(0.01,) * 100)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.open("/dev/null", os.O_RDONLY)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        parsing = asyncio.create_task(pool.parse(_fetched(GOOD)))
        await asyncio.sleep(0.05)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert isinstance(await parsing, Page)


async def test_close_leaves_no_process_behind(make_pool: MakePool) -> None:
    pool = make_pool(size=2)
    await asyncio.gather(*(pool.parse(_fetched(GOOD * 1000)) for _ in range(20)))
    pids = _pids(pool)
    assert len(pids) == 2
    await pool.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    await pool.close()


MONSTERS = {
    "nested blocks": (b"<div>" * 100_000 + b"<a href=/deep>x</a>", 1),
    "nested formatting": (b"<b>" * 100_000 + b"<a href=/deep>x</a>", 1),
    "attributes": (b"<a " + b" ".join(b"a%d=1" % i for i in range(200_000)) + b" href=/many>x</a>", 1),
    "unterminated quote": (b"<a href='" + b"x" * 50_000_000, 0),
    "nested tables": (b"<table>" * 50_000 + b"<a href=/deep>x</a>", 1),
    "zero bytes": (b"\0" * 1_000_000 + b"<a href=/nul>x</a>", 1),
    "open brackets": (b"<" * 1_000_000, 0),
    "open comments": (b"<!--" * 500_000, 0),
    "references": (b"&amp" * 1_000_000 + b";<a href=/late>x</a>", 1),
    "links": (b"".join(b"<a href=/%d>x</a>" % i for i in range(50_000)), 10_000),
}


async def test_monstrous_pages_are_read(pool: ParserPool) -> None:
    for name, (html, links) in MONSTERS.items():
        page = await pool.parse(_fetched(b"<html lang=en>" + html))
        assert isinstance(page, Page), name
        assert len(page.links) == links, name
    assert await _still_works(pool)


async def test_fifty_megabytes_are_read_or_given_up_and_the_pool_goes_on(pool: ParserPool) -> None:
    pool.seconds = 5
    row = b"<p>Some <a href=/x>text here</a> and more words</p>\n"
    result = await pool.parse(_fetched(row * (50_000_000 // len(row))))
    assert isinstance(result, Page) or result.reason in (Reason.PARSE_TIMEOUT, Reason.PARSE_MEMORY)
    pool.seconds = 30
    assert await _still_works(pool)


async def test_a_process_loads_no_more_than_it_needs(pool: ParserPool) -> None:
    code = "import lagotto.parse.child, sys; print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = {name.partition(".")[0] for name in output.split()}
    assert loaded.isdisjoint({"aiohttp", "asyncio", "sklearn", "scipy", "click", "rich"})


PARENT = """
import asyncio
from lagotto.base.errors import ParserError
from lagotto.parse.pool import ParserPool
from lagotto.base.records import Fetched

async def main():
    pool = ParserPool(size=2)
    await pool.parse(Fetched("http://example.org/", 200, body=b"x", content_type="text/html"))
    print(pool._children[0].process.pid, flush=True)
    for _ in range(600):  # a signal that comes just before a long sleep would be noticed after it
        await asyncio.sleep(0.1)

try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_children_end_with_their_parent_and_say_nothing(ending: signal.Signals) -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        # As a terminal does for Ctrl-C: to all processes of the group.
        os.killpg(parent.pid, ending)
        _, errors = parent.communicate(timeout=60)
    assert errors == b""
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}").exists()


async def test_a_header_that_is_no_text_does_not_keep_a_page_from_being_read(pool: ParserPool) -> None:
    odd = Fetched(
        "http://a.example/",
        200,
        body=b"<p>birds</p>",
        headers=[("Content-Type", "text/html; charset=\udce9")],
    )
    page = await pool.parse(odd)
    assert isinstance(page, Page)
    assert page.text == "birds"
