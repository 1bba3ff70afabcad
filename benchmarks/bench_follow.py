"""What three readers that follow a running crawl cost it.

    python benchmarks/bench_follow.py [--pages 1500] [--rounds 5]

The same crawl over loopback HTTP, alone and followed, in turns. Every reader must be told of every page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench_throughput import HOSTILE, SCENT, SHORT, closed_part
from contest import Order, Result, read_result
from figures import Aim, Figures, Table, count, publish
from serving import served
from webs import task

from lagotto.lab.webs.web import FrozenWeb
from lagotto.store import storage_at

READERS = 3
LIMIT = 0.02
ALONE, FOLLOWED = "alone", f"followed by {READERS} readers"
Rounds = dict[str, list[Result]]


def main() -> None:
    """Crawl in turns and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    wanted = task("debdocs", "astronomy")
    path = closed_part(wanted, arguments.pages)
    with FrozenWeb.open(path) as web:
        pages = len(web)
    rounds: Rounds = {ALONE: [], FOLLOWED: []}
    with served(path, HOSTILE) as proxy:
        for number in range(arguments.rounds):
            for name in (ALONE, FOLLOWED) if number % 2 else (FOLLOWED, ALONE):
                order = Order(proxy, wanted.seeds, wanted.words, pages, SHORT.warm)
                rounds[name].append(crawl(order, READERS if name == FOLLOWED else 0))
                print(
                    f"round {number + 1}: {name:22} {cost(rounds[name][-1]):,.0f} µs CPU a page", flush=True
                )
    publish(figures(rounds, pages))


def crawl(order: Order, readers: int) -> Result:
    """One crawl, with readers beside it that must miss nothing."""
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
        directory = f"{folder}/crawl"
        order.settings = SCENT.settings | {"directory": directory}
        program = [sys.executable, str(Path(__file__).with_name("follow.py")), directory]
        following = [
            subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(readers)
        ]
        done = subprocess.run(SCENT.command(order), stdout=subprocess.PIPE, text=True, check=True)
        told = {process.communicate()[0].strip() for process in following}
        with storage_at(directory).reader() as reader:
            concluded = reader.status().concluded
    if readers and told != {str(concluded)}:
        sys.exit(f"the readers were told of {told} pages, and there are {concluded}")
    return read_result(done.stdout.splitlines()[-1])


def cost(result: Result) -> float:
    """CPU microseconds a page."""
    return 1e6 * result.cpu.total / result.pages


def figures(rounds: Rounds, pages: int) -> Figures:
    """Medians, and the median of the rounds' ratios."""
    pairs = zip(rounds[ALONE], rounds[FOLLOWED], strict=True)
    slower = median(cost(followed) / cost(alone) for alone, followed in pairs) - 1
    return Figures(
        name="follow",
        sentences=[f"A crawl that {READERS} readers follow takes {100 * slower:+.1f} % CPU time a page."],
        aims=[
            Aim(
                f"CPU time of a crawl that {READERS} readers follow",
                f"under {100 * LIMIT:.0f} % more",
                f"{100 * slower:+.1f} %",
                slower < LIMIT,
            )
        ],
        tables=[
            Table(
                f"Whole crawls of {count(pages)} pages, medians of {len(rounds[ALONE])} rounds",
                ["crawl", "µs CPU a page"],
                [[name, count(median(map(cost, results)))] for name, results in rounds.items()],
            )
        ],
        measured={**rounds, "slower": slower},
    )


if __name__ == "__main__":
    main()
