"""A real web, served as a proxy by a process of its own, crawled from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from lagotto.lab.serving.answers import read_log
from lagotto.lab.webs.importing import import_web
from tests.crawling.audit import lagotto

WORDS = "astronomy telescope stars galaxies"
SEEDS = ["python-astropy-doc", "python3-astropy"]


@pytest.fixture(scope="module")
def debdocs(lagotto_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation of Debian's packages as a frozen web."""
    web = tmp_path_factory.mktemp("webs") / "debdocs.web"
    import_web([lagotto_data / "webs" / "debdocs" / "pages.jsonl.zst"], web)
    return web


@contextmanager
def served(web: Path, log: Path) -> Iterator[str]:
    """The web behind a proxy; gives the proxy's URL."""
    command = [sys.executable, "-m", "lagotto", "lab", "serve", str(web), "--port", "0", "--log", str(log)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def crawl(proxy: str, directory: Path, *options: str) -> None:
    seeds = [f"--seed=http://packages.debian.org/bookworm/{name}" for name in SEEDS]
    lagotto("crawl", WORDS, *seeds, "-o", str(directory), "--proxy", proxy, *options, timeout=280)


@pytest.mark.timeout(400)
def test_two_thousand_pages(debdocs: Path, tmp_path: Path) -> None:
    with served(debdocs, tmp_path / "log") as proxy:
        crawl(proxy, tmp_path / "crawl", "--delay", "0", "--max-pages", "2000")
    rows = [json.loads(line) for line in lagotto("export", str(tmp_path / "crawl")).splitlines()]
    assert sum(row["status"] == 200 for row in rows) == 2000
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    asked = Counter(request.url for request in read_log(tmp_path / "log"))
    # The server refuses tunnels, and what was refused may be tried again.
    assert max(times for url, times in asked.items() if not url.endswith(":443")) == 1
    assert len({row["url"] for row in rows}) == len(rows)
    for warc in (tmp_path / "crawl" / "warc").iterdir():
        for tool in ("warcio", "fastwarc"):
            check = [str(Path(sys.executable).with_name(tool)), "check", str(warc)]
            assert subprocess.run(check, capture_output=True).returncode == 0


@pytest.mark.timeout(300)
def test_no_delay_is_broken_over_many_hosts(debdocs: Path, tmp_path: Path) -> None:
    with served(debdocs, tmp_path / "log") as proxy:
        crawl(proxy, tmp_path / "crawl", "--delay", "0.2", "--max-pages", "150", "--concurrency", "32")
    times = defaultdict(list)
    for request in read_log(tmp_path / "log"):
        times[request.host].append(request.time)
    gaps = [later - earlier for arrivals in times.values() for earlier, later in pairwise(arrivals)]
    assert len(times) > 20
    assert len(gaps) > 50
    assert min(gaps) >= 0.2
