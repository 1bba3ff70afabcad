"""Throughput with many hosts that are slow, hang or do not exist, compared with what politeness allows.

    python benchmarks/bench_hosts.py [--seconds 30]

First 200 hosts on separate loopback addresses, which answer after 300 ms and may be asked once a second. Then
50 such hosts alone, and again with 500 hosts that accept connections and never answer and 10,000 names
without an address. The crawl is a `lagotto crawl` process. The servers count pages after all seeds were
fetched. No name is looked up outside this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from figures import Aim, Figures, Table, publish
from loopback import EndlessWeb, addresses, hanging_hosts, slow_hosts

LATENCY = 0.3
DELAY = 1.0
SETTLE = 6.0
"""Seconds from the first request until counting begins."""
AFTER = 3.0
"""Seconds that the crawl runs after that."""
SLOW, GOOD, HANGING, NAMELESS = 200, 50, 500, 10_000
FEW = 64
"""A concurrency below the number of hanging hosts."""
GOOD_HOSTS, HANGING_HOSTS = addresses(2, GOOD), addresses(3, HANGING)
BAD_LINKS = 12
"""Links of a page to hosts that hang or do not exist."""


class Crawls:
    """Measures crawls of slow webs."""

    def __init__(self, strategy: str, concurrency: int, seconds: float) -> None:
        self.strategy = strategy
        self.concurrency = concurrency
        self.seconds = seconds

    def pages_a_second(self, web: EndlessWeb, hanging: Sequence[str] = ()) -> float:
        """Crawl the web and count its requests after the warm-up."""
        asyncio.run(self._crawl(web, hanging))
        start = min(times[0] for times in web.requests.values()) + SETTLE
        return web.requests_between(start, start + self.seconds) / self.seconds

    async def _crawl(self, web: EndlessWeb, hanging: Sequence[str]) -> None:
        async with AsyncExitStack() as hosts:
            await hosts.enter_async_context(slow_hosts(web, LATENCY))
            await hosts.enter_async_context(hanging_hosts(hanging, web.port))
            folder = Path(hosts.enter_context(tempfile.TemporaryDirectory(prefix="lagotto-bench-")))
            crawl = await asyncio.create_subprocess_exec(
                *self._command(web, folder), stdout=asyncio.subprocess.DEVNULL
            )
            try:
                while not web.requests and crawl.returncode is None:
                    await asyncio.sleep(0.05)
                await asyncio.sleep(SETTLE + self.seconds + AFTER)
                if crawl.returncode is not None:
                    raise RuntimeError(f"the crawl ended with {crawl.returncode}")
            finally:
                crawl.kill()
                await crawl.wait()

    def _command(self, web: EndlessWeb, folder: Path) -> list[str]:
        seeds = folder / "seeds.txt"
        seeds.write_text("\n".join(web.seeds()))
        command = [sys.executable, str(Path(__file__).with_name("crawl_names.py")), "crawl", "barcel dorfen"]
        command += ["--seeds-file", str(seeds), "-o", str(folder / "crawl"), "--strategy", self.strategy]
        command += ["--delay", str(DELAY), "--concurrency", str(self.concurrency)]
        return [*command, "--allow-private", "127.0.0.0/8"]


class Rates(NamedTuple):
    """Pages a second."""

    slow: float
    unjudged: float
    """Like `slow`, with a strategy that computes almost nothing."""
    alone: list[float]
    beside: list[float]
    few: float


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="how long pages are counted")
    parser.add_argument("--rounds", type=int, default=3, help="of good hosts alone and beside bad ones")
    parser.add_argument("--concurrency", type=int, default=1000)
    parser.add_argument("--strategy", default="scent")
    arguments = parser.parse_args()
    crawls = Crawls(arguments.strategy, arguments.concurrency, arguments.seconds)
    slow = crawls.pages_a_second(EndlessWeb(addresses(1, SLOW)))
    plain = Crawls("bfs", arguments.concurrency, arguments.seconds)
    unjudged = plain.pages_a_second(EndlessWeb(addresses(1, SLOW)))
    print(f"{SLOW} slow hosts: {slow:.1f} pages/s, with bfs {unjudged:.1f} pages/s", flush=True)
    alone, beside = [], []
    for number in range(1, arguments.rounds + 1):
        alone.append(crawls.pages_a_second(EndlessWeb(GOOD_HOSTS)))
        beside.append(beside_bad_hosts(crawls))
        print(
            f"round {number}: {GOOD} good hosts alone {alone[-1]:.1f} pages/s, "
            f"beside bad ones {beside[-1]:.1f} pages/s",
            flush=True,
        )
    few = beside_bad_hosts(Crawls(arguments.strategy, FEW, arguments.seconds))
    publish(figures(crawls, Rates(slow, unjudged, alone, beside, few)))


def beside_bad_hosts(crawls: Crawls) -> float:
    """Pages a second of good hosts when others hang or have no address."""
    bad = HANGING_HOSTS + [f"no-such-host-{number}.invalid" for number in range(NAMELESS)]
    return crawls.pages_a_second(EndlessWeb(GOOD_HOSTS, bad, BAD_LINKS), HANGING_HOSTS)


def figures(crawls: Crawls, rates: Rates) -> Figures:
    """The results as a table and in words."""
    alone, beside = median(rates.alone), median(rates.beside)

    def row(what: str, hosts: int, rate: float, concurrency: int = crawls.concurrency) -> list[str]:
        allowed = hosts / DELAY
        return [what, str(concurrency), f"{allowed:.0f}", f"{rate:.1f}", f"{100 * rate / allowed:.1f} %"]

    cost = 100 * (1 - beside / alone)
    share = 100 * rates.slow * DELAY / SLOW
    all_bad = f"{HANGING} hanging, {NAMELESS:,} nameless"
    return Figures(
        name="hosts",
        sentences=[
            f"{SLOW} hosts that answer after {1000 * LATENCY:.0f} ms are asked at {share:.1f} % of the rate "
            f"that a delay of {DELAY:g} s allows.",
            f"{HANGING} hosts that hang and {NAMELESS:,} names without address cost {GOOD} good ones "
            f"{cost:.1f} % of their pages, as long as there are more requests at once than hosts that hang.",
        ],
        aims=[
            Aim(
                f"{SLOW} slow hosts: share of the rate that politeness allows",
                "at least 95 %",
                f"{share:.1f} %",
                share >= 95,
            ),
            Aim("hanging hosts and dead names cost the good ones", "under 10 %", f"{cost:.1f} %", cost < 10),
        ],
        tables=[
            Table(
                f"`{crawls.strategy}`, pages counted over {crawls.seconds:g} s, medians of "
                f"{len(rates.alone)} rounds (one round of {SLOW} hosts, and of the last line)",
                ["hosts", "requests at once", "pages/s allowed", "pages/s", "share"],
                [
                    row(f"{SLOW} slow", SLOW, rates.slow),
                    row(f"{SLOW} slow, with `bfs`", SLOW, rates.unjudged),
                    row(f"{GOOD} slow", GOOD, alone),
                    row(f"{GOOD} slow, {all_bad}", GOOD, beside),
                    row(f"{GOOD} slow, {all_bad}", GOOD, rates.few, FEW),
                ],
            )
        ],
        measured=rates._asdict(),
    )


if __name__ == "__main__":
    main()
