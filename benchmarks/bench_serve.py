"""What the dashboard costs a crawl, and what many listeners cost the server.

    python benchmarks/bench_serve.py [--pages 1500] [--rounds 5] [--clients 50] [--seconds 60]

The same crawl over loopback HTTP, alone and watched, in turns: a server beside it, and a viewer that follows
its events and asks every two seconds for all that the live screen shows. Then many clients listen to the
events of one crawl, and the memory of the server is compared between a sixth of the time and its end.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median

import httpx
from bench_follow import cost
from bench_throughput import HOSTILE, SCENT, SHORT, closed_part
from contest import Order, Result, read_result
from figures import Aim, Figures, Table, count, publish
from serving import served
from webs import task

from lagotto.lab.webs.web import FrozenWeb

LIMIT = 0.05
GROWTH = 0.05
"""Memory that the server may gain while many listen."""
ALONE, WATCHED = "alone", "watched"
LIVE = ("", "/progress", "/pages?limit=50", "/links?n=20", "/hosts?limit=50", "/failures", "/commands")
"""What the live screen asks for."""
Rounds = dict[str, list[Result]]


def main() -> None:
    """Crawl in turns, then listen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    wanted = task("debdocs", "astronomy")
    path = closed_part(wanted, arguments.pages)
    with FrozenWeb.open(path) as web:
        pages = len(web)
    rounds: Rounds = {ALONE: [], WATCHED: []}
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder, served(path, HOSTILE) as proxy:
        for number in range(arguments.rounds):
            for name in (ALONE, WATCHED) if number % 2 else (WATCHED, ALONE):
                order = Order(proxy, wanted.seeds, wanted.words, pages, SHORT.warm)
                order.settings = SCENT.settings | {"directory": f"{folder}/{name}-{number}"}
                rounds[name].append(crawl(order, Path(folder), watched=name == WATCHED))
                print(f"round {number + 1}: {name:8} {cost(rounds[name][-1]):,.0f} µs CPU a page", flush=True)
        memory = listen(Path(folder), f"{WATCHED}-0", arguments.clients, arguments.seconds)
    publish(figures(rounds, pages, memory, arguments.clients, arguments.seconds))


def crawl(order: Order, folder: Path, *, watched: bool) -> Result:
    """One crawl, with a server and a viewer beside it if wanted."""
    name = Path(str(order.settings["directory"])).name
    with ExitStack() as beside:
        if watched:
            client, _ = beside.enter_context(server(folder))
            beside.enter_context(viewer(client, name))
        done = subprocess.run(SCENT.command(order), stdout=subprocess.PIPE, text=True, check=True)
    return read_result(done.stdout.splitlines()[-1])


@contextmanager
def server(folder: Path) -> Iterator[tuple[httpx.Client, int]]:
    """A server of a folder of crawls: a client of it, and its process."""
    command = [sys.executable, "-m", "lagotto", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LAGOTTO_TOKEN": "bench"}
    )
    assert process.stdout is not None
    found = re.match(r"open (\S+)#", process.stdout.readline())
    assert found is not None
    try:
        limits = httpx.Limits(max_connections=None)
        headers = {"Authorization": "Bearer bench"}
        with httpx.Client(base_url=found[1], headers=headers, timeout=60, limits=limits) as client:
            yield client, process.pid
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def viewer(client: httpx.Client, name: str) -> Iterator[None]:
    """One person who has the live screen open."""
    gone = threading.Event()

    def look() -> None:
        while not gone.wait(2.0):
            client.get("/api/crawls")
            for part in LIVE:
                client.get(f"/api/crawls/{name}{part}")

    looking = [threading.Thread(target=look), threading.Thread(target=follow, args=(client, name, gone))]
    for thread in looking:
        thread.start()
    try:
        yield
    finally:
        gone.set()
        for thread in looking:
            thread.join()


def follow(client: httpx.Client, name: str, gone: threading.Event, after: int = 0) -> None:
    """Read events until told to go."""
    while not gone.is_set():
        with (
            suppress(httpx.HTTPError),
            client.stream("GET", f"/api/crawls/{name}/events?after={after}", timeout=1.0) as answer,
        ):
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    after = int(line[4:])
                if gone.is_set():
                    return
        gone.wait(0.2)


def listen(folder: Path, name: str, clients: int, seconds: float) -> tuple[float, float]:
    """Memory of the server in MB after a sixth of the time, and at the end, with many listeners."""
    gone = threading.Event()
    with server(folder) as (client, process):
        threads = [threading.Thread(target=follow, args=(client, name, gone)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        time.sleep(seconds / 6)
        early = resident(process)
        time.sleep(seconds * 5 / 6)
        late = resident(process)
        gone.set()
        for thread in threads:
            thread.join()
    return early, late


def resident(process: int) -> float:
    """Resident memory of a process in MB."""
    [size] = re.findall(r"^VmRSS:\s+(\d+) kB$", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    return int(size) / 1024


def figures(rounds: Rounds, pages: int, memory: tuple[float, float], clients: int, seconds: float) -> Figures:
    """Medians, the median of the rounds' ratios, and the memory."""
    pairs = zip(rounds[ALONE], rounds[WATCHED], strict=True)
    slower = median(cost(watched) / cost(alone) for alone, watched in pairs) - 1
    early, late = memory
    grown = late / early - 1
    return Figures(
        name="serve",
        sentences=[
            f"A crawl that is watched takes {100 * slower:+.1f} % CPU time a page.",
            f"With {clients} listeners, {seconds:.0f} s long, it grew from {early:.0f} to {late:.0f} MB.",
        ],
        aims=[
            Aim(
                "CPU time of a crawl that is watched in the browser",
                f"under {100 * LIMIT:.0f} % more",
                f"{100 * slower:+.1f} %",
                slower < LIMIT,
            ),
            Aim(
                f"Memory of the server with {clients} listeners",
                f"under {100 * GROWTH:.0f} % more at the end",
                f"{100 * grown:+.1f} %",
                grown < GROWTH,
            ),
        ],
        tables=[
            Table(
                f"Whole crawls of {count(pages)} pages, medians of {len(rounds[ALONE])} rounds",
                ["crawl", "µs CPU a page"],
                [[name, count(median(map(cost, results)))] for name, results in rounds.items()],
            )
        ],
        measured={**rounds, "slower": slower, "memory": memory},
    )


if __name__ == "__main__":
    main()
