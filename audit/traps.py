"""How many requests each trap wastes, and how many real pages are found beside it.

`python -m audit.traps` runs Lagotto; `--peers` adds Scrapy, which the benchmarks install, and `-v` shows
what Lagotto says in the end.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from audit.trap_sites import SITES, TOPIC, Site, TrapServer

BUDGET = 1000
"""Pages that a crawler may fetch."""
MOST_WASTED = 250
LEAST_FOUND = 95
PEERS = Path(__file__).parents[1] / ".bench-venv" / "bin" / "python"
"""Interpreter of the environment that the benchmarks install other crawlers into."""

Contender = Callable[[TrapServer, Path], str]
"""Crawls a site into a directory; returns what it says in the end."""


def crawl_with_lagotto(server: TrapServer, directory: Path, *, strategy: str = "scent") -> str:
    """Crawl the site from the command line."""
    command = [sys.executable, "-m", "lagotto", "crawl", TOPIC, "--seed", server.site.seed]
    options = ["--strategy", strategy, "--max-pages", str(BUDGET), "--proxy", server.proxy, "--delay", "0"]
    return _run([*command, *options, "-o", str(directory)])


def crawl_with_scrapy(server: TrapServer, directory: Path) -> str:
    """Crawl the site with Scrapy's CrawlSpider; what it fetches is not kept."""
    spider = str(Path(__file__).with_name("scrapy_spider.py"))
    return _run([str(PEERS), spider, server.site.seed, server.proxy, str(BUDGET)])


def _run(command: list[str]) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=300, check=True).stdout


def trial(make_site: type[Site], crawl: Contender) -> tuple[int, int, str]:
    """Wasted requests, real pages found, and what the crawler said in the end."""
    with tempfile.TemporaryDirectory() as folder, TrapServer(make_site()) as server:
        said = crawl(server, Path(folder) / "crawl")
        return server.wasted, server.found, said


def main(arguments: Sequence[str] = ()) -> int:
    """Print a table; returns 1 if a trap wastes more of Lagotto's requests, or hides more, than it may."""
    contenders: dict[str, Contender] = {
        name: partial(crawl_with_lagotto, strategy=name) for name in ("scent", "bfs")
    }
    if "--peers" in arguments:
        contenders["scrapy"] = crawl_with_scrapy
    failed = 0
    print(f"{'trap':<22} {'crawler':<8} wasted  real pages found")
    for make_site in SITES:
        for name, crawl in contenders.items():
            wasted, found, said = trial(make_site, crawl)
            print(f"{make_site.name:<22} {name:<8} {wasted:>6}  {found:>3}", flush=True)
            if "-v" in arguments and name != "scrapy":
                print(said)
            failed += name != "scrapy" and (wasted > MOST_WASTED or found < LEAST_FOUND)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
