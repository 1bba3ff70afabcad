"""Start-up time of `lagotto --help`, and of `lagotto crawl` until its first request.

    python benchmarks/bench_start.py [--times 9]

The crawl is of one page on loopback, with the default strategy; its first request is for robots.txt.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from figures import Aim, Figures, Table, publish
from firstrequest import seconds_to_first_request

LAGOTTO = str(Path(sys.executable).with_name("lagotto"))


def help_seconds() -> float:
    """Seconds from the command to its end."""
    started = time.perf_counter()
    subprocess.run([LAGOTTO, "--help"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def crawl_seconds() -> float:
    """Seconds from the command to its first request."""
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:

        def crawl(server: str) -> list[str]:
            command = [LAGOTTO, "crawl", "solar power", "--seed", f"{server}/", "-o", f"{folder}/crawl"]
            return [*command, "--allow-private", "127.0.0.0/8"]

        return seconds_to_first_request(crawl)


def main() -> None:
    """Measure both alternately."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=9)
    times = parser.parse_args().times
    help_seconds()  # Now bytecode and file cache are warm, as for a user's second call.
    measured: dict[str, list[float]] = {"`lagotto --help`": [], "`lagotto crawl` to its first request": []}
    for _ in range(times):
        for seconds, measure in zip(measured.values(), (help_seconds, crawl_seconds), strict=True):
            seconds.append(measure())
    rows = [
        [what, f"{median(seconds):.2f}", f"{min(seconds):.2f}", f"{max(seconds):.2f}"]
        for what, seconds in measured.items()
    ]
    help_median, crawl_median = map(median, measured.values())
    publish(
        Figures(
            name="start",
            sentences=[
                f"`lagotto --help` takes {help_median:.2f} s; a crawl's first request arrives "
                f"{crawl_median:.2f} s after the command was given."
            ],
            aims=[
                Aim("`lagotto --help`", "under 0.3 s", f"{help_median:.2f} s", help_median < 0.3),
                Aim("a crawl's first request", "under 1.5 s", f"{crawl_median:.2f} s", crawl_median < 1.5),
            ],
            tables=[Table(f"Seconds by the clock, {times} times each", ["", "median", "min", "max"], rows)],
            measured=measured,
        )
    )


if __name__ == "__main__":
    main()
