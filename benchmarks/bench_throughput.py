"""Pages per CPU-second of whole crawls over loopback HTTP: Lagotto, Scrapy and Crawlee on the same pages.

    python benchmarks/bench_throughput.py [--short] [--rounds N]

All crawl the same closed part of debdocs to its end, one after the other, in rounds. One page in twenty is
hostile. Lagotto runs a complete crawl, without a sentence encoder; the others follow links breadth first and
store nothing. CPU is that of a contender's processes, without the server. A minimal loop over Lagotto's
libraries shows the cost of fetching and parsing alone. Afterwards one crawl of Lagotto is measured by stage,
and py-spy samples another. `--short` is for daily use.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from closedweb import PAGES_OF_A_HOST, close_web
from contest import Order, Result, read_result
from figures import Aim, Figures, Picture, Table, count, publish
from flame import draw, read_stacks
from measuring import OUTPUT
from peers import peer_program, peer_versions
from serving import served
from stages import parse_stages
from webs import HostileWeb, Task, task, web_path

from lagotto.lab.webs.web import FrozenWeb

HERE = Path(__file__).parent
HOSTILE = 0.05
SAMPLES_A_SECOND = 250
FLAME = "performance-flame.svg"
OURS = ("crawl_lagotto.py", "crawl_bare.py")
"""Scripts that run in Lagotto's environment."""


class Length(NamedTuple):
    """How much is measured."""

    pages: int
    warm: int
    """Pages at the beginning that are not measured."""
    rounds: int


LONG, SHORT = Length(5000, 1000, 5), Length(1500, 100, 3)


class Contender(NamedTuple):
    """A crawler with its settings."""

    name: str
    script: str
    settings: dict[str, str]

    def command(self, order: Order) -> list[str]:
        """The interpreter of the environment that it is installed in."""
        python = sys.executable if self.script in OURS else str(peer_program("python"))
        return [python, str(HERE / self.script), order.as_argument()]


SCENT = Contender("Lagotto `scent`", "crawl_lagotto.py", {"strategy": "scent"})
BFS = Contender("Lagotto `bfs`", "crawl_lagotto.py", {"strategy": "bfs"})
PEERS = (
    Contender("Scrapy, its defaults", "crawl_scrapy.py", {"settings": "default"}),
    Contender("Scrapy, best settings", "crawl_scrapy.py", {"settings": "best"}),
    Contender("Crawlee, parsel", "crawl_crawlee.py", {"parser": "parsel"}),
)
TIMES = (2.5, 2.3, 1.7)
"""How many times as fast as each of them `scent` should be."""
PAGES_A_SECOND = 350
CONTENDERS = (
    SCENT,
    BFS,
    *PEERS,
    Contender("no crawler: aiohttp, turbohtml, a set", "crawl_bare.py", {}),
)
Rounds = dict[str, list[Result]]


def main() -> None:
    """Run the contenders in turn, then measure Lagotto by stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="fewer pages and rounds")
    parser.add_argument("--rounds", type=int, help="how often each contender crawls")
    arguments = parser.parse_args()
    length = SHORT if arguments.short else LONG
    os.environ["LAGOTTO_ENCODER"] = "none"
    wanted = task("debdocs", "astronomy")
    path = closed_part(wanted, length.pages)
    with FrozenWeb.open(path) as web:
        pages = len(web)
    with served(path, HOSTILE) as proxy:
        order = Order(proxy, wanted.seeds, wanted.words, pages, length.warm)
        rounds = compete(order, arguments.rounds or length.rounds)
        timed = run(SCENT, order, {"stages": "yes"})
        watch(order)
    with FrozenWeb.open(path) as web:
        hostile = HostileWeb(web, HOSTILE)
        parsed = parse_stages(page for url in web.urls() if (page := hostile.page(url)) is not None)
    publish(
        Figures(
            name="throughput",
            sentences=[headline(rounds), price(rounds)],
            aims=aims(rounds),
            tables=[contest_table(rounds, pages, length.warm), stage_table(timed, parsed, pages)],
            pictures=[
                Picture(FLAME, f"Where the CPU time of a `scent` crawl goes, {SAMPLES_A_SECOND} samples/s")
            ],
            measured={**rounds, "stages": timed},
        ),
        peer_versions(),
    )


def closed_part(wanted: Task, pages: int) -> Path:
    """The part of debdocs that is crawled, made on first use."""
    source = web_path("debdocs")
    path = OUTPUT / f"debdocs-closed-{pages}-{PAGES_OF_A_HOST}.web"
    if not path.exists():
        close_web(source, wanted.seeds, pages, path)
    return path


def compete(order: Order, rounds: int) -> Rounds:
    """Run every contender once a round, so that other load on the machine affects all alike."""
    results: Rounds = {contender.name: [] for contender in CONTENDERS}
    for number in range(1, rounds + 1):
        for contender in CONTENDERS:
            result = run(contender, order)
            results[contender.name].append(result)
            print(
                f"round {number}: {contender.name:37} {result.pages / result.cpu.total:5.0f} pages/CPU-s, "
                f"{result.pages / result.wall:5.0f} pages/s, {result.pages} pages",
                flush=True,
            )
    return results


def run(contender: Contender, order: Order, more: dict[str, str] | None = None) -> Result:
    """One crawl in a separate process."""
    order.settings = contender.settings | (more or {})
    done = subprocess.run(contender.command(order), stdout=subprocess.PIPE, text=True, check=True)
    return read_result(done.stdout.splitlines()[-1])


def watch(order: Order) -> None:
    """Draw the flame graph of a crawl and its parser."""
    order.settings = SCENT.settings
    stacks = OUTPUT / "flame.txt"
    spy = [
        str(peer_program("py-spy")),
        "record",
        "--subprocesses",
        "--format",
        "raw",
        "--output",
        str(stacks),
    ]
    spy += ["--rate", str(SAMPLES_A_SECOND), "--", *SCENT.command(order)]
    subprocess.run(spy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    draw(
        {
            "The crawling process": read_stacks(stacks, "Runner.run "),
            "The parser process": read_stacks(stacks, "main (lagotto/parse/child.py"),
        },
        OUTPUT / FLAME,
    )


def contest_table(rounds: Rounds, pages: int, warm: int) -> Table:
    """Medians over the rounds, and the median of the rounds' ratios."""
    rows = []
    for name, results in rounds.items():
        rows.append(
            [
                name,
                count(median(result.pages + warm for result in results)),
                count(a_cpu_second(results)),
                f"{ratio(rounds[SCENT.name], results):.1f}",
                count(median(result.pages / result.wall for result in results)),
                count(median(result.memory for result in results)),
            ]
        )
    head = ["crawler", "pages", "pages/CPU-s", "`scent` is so many times as fast", "pages/s", "MiB"]
    times = len(rounds[SCENT.name])
    caption = f"Whole crawls of {count(pages)} pages, the first {count(warm)} not measured, " + (
        f"medians of {times} rounds" if times > 1 else "one round"
    )
    return Table(caption, head, rows)


def a_cpu_second(results: Sequence[Result]) -> float:
    """Pages a CPU-second, median over the rounds."""
    return median(result.pages / result.cpu.total for result in results)


def ratio(ours: Sequence[Result], theirs: Sequence[Result]) -> float:
    """Median over the rounds of the ratio of pages per CPU-second."""
    return median(
        (our.pages / our.cpu.total) / (their.pages / their.cpu.total)
        for our, their in zip(ours, theirs, strict=True)
    )


def headline(rounds: Rounds) -> str:
    """The ratios in words."""
    ours = rounds[SCENT.name]
    against = ", ".join(
        f"{ratio(ours, rounds[contender.name]):.1f} times as many as {contender.name}" for contender in PEERS
    )
    return f"Lagotto with `scent` crawls {a_cpu_second(ours):.0f} pages a CPU-second: {against}."


def price(rounds: Rounds) -> str:
    """What focusing costs, in words."""
    milliseconds = 1e3 * median(
        ours.cpu.total / ours.pages - plain.cpu.total / plain.pages
        for ours, plain in zip(rounds[SCENT.name], rounds[BFS.name], strict=True)
    )
    return f"`scent` takes {milliseconds:.2f} ms of CPU a page more than `bfs`: the price of focusing."


def aims(rounds: Rounds) -> list[Aim]:
    """The aims: ratio to the other crawlers, and wall-clock speed."""
    found = []
    for contender, wanted in zip(PEERS, TIMES, strict=True):
        times = ratio(rounds[SCENT.name], rounds[contender.name])
        what = f"pages a CPU-second of `scent` against {contender.name}"
        found.append(Aim(what, f"at least {wanted} times", f"{times:.1f} times", times >= wanted))
    wall = median(result.pages / result.wall for result in rounds[SCENT.name])
    wish = f"at least {PAGES_A_SECOND}"
    return [*found, Aim("pages a second of `scent`", wish, count(wall), wall >= PAGES_A_SECOND)]


def stage_table(timed: Result, parsed: dict[str, float], pages: int) -> Table:
    """Microseconds a page of every stage in both processes."""

    def cost(seconds: float, share: float, of: int) -> list[str]:
        return [count(1e6 * seconds / of), f"{100 * share:.0f} %"]

    whole = timed.cpu.total
    rest = timed.cpu.own - sum(timed.stages.values())
    crawl = sorted(timed.stages.items(), key=lambda stage: -stage[1])
    rows = [["**crawling process**", *cost(timed.cpu.own, timed.cpu.own / whole, timed.pages)]]
    rows += [[stage, *cost(spent, spent / whole, timed.pages)] for stage, spent in crawl]
    rows += [["HTTP, event loop, all else", *cost(rest, rest / whole, timed.pages)]]
    rows += [["**parser process**", *cost(timed.cpu.children, timed.cpu.children / whole, timed.pages)]]
    a_page = whole / timed.pages
    for stage, spent in sorted(parsed.items(), key=lambda stage: -stage[1]):
        rows.append([stage, *cost(spent, spent / pages / a_page, pages)])
    return Table("CPU time of a `scent` crawl by stage", ["stage", "µs a page", "share"], rows)


if __name__ == "__main__":
    main()
