"""The budget for large bodies: who waits, what is given back, and what a process takes under a flood."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from lagotto.fetch.memory import BodyMemory
from tests.fetch.servers import RawServer, reply

MIB = 1024 * 1024
ROOT = Path(__file__).parents[2]


async def test_claims_beyond_the_budget_wait_in_order() -> None:
    memory = BodyMemory(100)
    first = await memory.claim(60)
    second, third = (asyncio.create_task(memory.claim(size)) for size in (50, 10))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (second.done(), third.done(), memory.used) == (False, False, 60)
    first.shrink(50)
    await second
    assert memory.used == 100
    first.release()
    await third
    assert memory.used == 60


async def test_a_body_larger_than_the_budget_is_let_in_alone() -> None:
    memory = BodyMemory(100)
    small = await memory.claim(1)
    large = asyncio.create_task(memory.claim(500))
    await asyncio.sleep(0)
    assert not large.done()
    small.release()
    share = await large
    assert memory.used == 500
    share.release()
    share.release()
    assert memory.used == 0


async def test_one_who_gives_up_waiting_does_not_keep_the_others() -> None:
    memory = BodyMemory(100)
    first = await memory.claim(80)
    large, small = (asyncio.create_task(memory.claim(size)) for size in (90, 10))
    await asyncio.sleep(0)
    large.cancel()
    await small
    with pytest.raises(asyncio.CancelledError):
        await large
    assert memory.used == 90
    late = asyncio.create_task(memory.claim(90))
    await asyncio.sleep(0)
    first.release()
    late.cancel()  # it was let in and cancelled at the same moment
    with pytest.raises(asyncio.CancelledError):
        await late
    assert memory.used == 10


async def test_answers_that_are_kept_do_not_block_others_for_ever() -> None:
    memory = BodyMemory(100, patience=0.01)
    kept = [await memory.claim(80) for _ in range(3)]
    assert len(kept) == 3
    assert memory.used == 240


FLOOD = """
import asyncio, resource, sys
from lagotto.fetch import Guard, HttpFetcher

async def main(port):
    fetcher = HttpFetcher(guard=Guard(["127.0.0.0/8"]), max_size=60 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parser = asyncio.Lock()
    await parser.acquire()
    asyncio.get_running_loop().call_later(4, parser.release)

    async def visit(host):
        answer = await fetcher.fetch(f"http://127.0.0.{host}:{port}/")
        async with parser:
            await asyncio.sleep(0.01)
        return len(answer.body)

    sizes = await asyncio.gather(*(visit(host) for host in range(1, 65)))
    await fetcher.close()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(min(sizes), (after - before) // 1024, fetcher._client._memory.used)

asyncio.run(main(int(sys.argv[1])))
"""


async def test_answers_that_wait_for_a_parser_count_as_well() -> None:
    """64 hosts send 10 MiB each at once, and one parser reads them one after the other."""
    body = b"<!doctype html>" + bytes(10 * MIB)
    async with RawServer({"/": reply(body)}, address="0.0.0.0") as server:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", FLOOD, str(server.port), stdout=asyncio.subprocess.PIPE, cwd=ROOT
        )
        output, _ = await child.communicate()
    smallest, mebibytes, left = map(int, output.split())
    assert smallest == len(body)
    assert mebibytes < 256
    assert left == 0


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_a_crawl_of_64_hosts_that_send_50_megabytes_at_once_stays_under_its_limit(
    tmp_path: Path,
) -> None:
    page = b"<!doctype html><title>Flood</title><p>birds<!--" + b"x" * 50_000_000

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        for start in range(0, len(page), MIB):
            writer.write(page[start : start + MIB])
            await writer.drain()

    async with RawServer({"/": flood}, address="0.0.0.0") as server:
        seeds = [f"--seed=http://127.0.0.{host}:{server.port}/" for host in range(1, 65)]
        options = ["--allow-private=127.0.0.0/8", "--no-robots", f"--max-size={60 * MIB}", "--concurrency=64"]
        options += [f"--output={tmp_path}/flood", "--delay=0", "--ip-delay=0", "--max-pages=64"]
        command = [sys.executable, "-m", "lagotto", "crawl", "birds", *seeds, *options]
        pid = os.posix_spawn(sys.executable, command, os.environ)
        _, status, used = await asyncio.to_thread(os.wait4, pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    # The larger of the crawl and its largest parser.
    assert used.ru_maxrss // 1024 < 700
