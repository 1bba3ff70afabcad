"""The audit after kills: what the server saw against what the crawl holds."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from tests.site import Site


@dataclass
class Audit:
    """Figures that the promise is judged by."""

    lost: int
    double_commits: int
    double_records: int
    refetches: int


def audit(location: str | Path, site: Site, expected: set[str], folder: Path | None = None) -> Audit:
    """Compare the pages that can be reached with export, WARC and the server's log.

    `folder` holds the WARC files, if the location is not a directory.
    """
    rows = [json.loads(line) for line in lagotto("export", str(location), "--format", "jsonl").splitlines()]
    committed = Counter(row["url"] for row in rows if row["status"] == 200)
    records: Counter[str] = Counter()
    for path in sorted(((folder or Path(location)) / "warc").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                records[record.headers["WARC-Target-URI"]] += 1
    return Audit(
        lost=len(expected - committed.keys()),
        double_commits=sum(n - 1 for n in committed.values()),
        double_records=sum(n - 1 for n in records.values()),
        refetches=sum(n - 1 for n in site.fetches().values()),
    )


def lagotto(*arguments: str, timeout: float = 120) -> str:
    """Run the command line and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "lagotto", *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=timeout,
    )
    return done.stdout


def lagotto_fails(*arguments: str, code: int = 2) -> str:
    """Run a command that must end with an error; returns all that it says."""
    command = [sys.executable, "-m", "lagotto", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    assert done.returncode == code, done.stdout
    return done.stdout


async def run_killed_at(counts: list[int], site: Site, first: list[str], again: list[str]) -> int:
    """Run a crawl that is killed each time the server has served one of `counts` pages.

    Returns how many kills happened; after the last one the crawl runs to its end.
    """
    loop = asyncio.get_running_loop()
    kills = 0
    process: asyncio.subprocess.Process | None = None
    pending = list(counts)

    def strike() -> None:
        nonlocal kills
        served = sum(request.path != "/robots.txt" for request in site.log)
        if pending and served >= pending[0] and process is not None and process.returncode is None:
            while pending and served >= pending[0]:
                pending.pop(0)
            os.kill(process.pid, signal.SIGKILL)
            kills += 1

    site.on_request = lambda _: strike()
    arguments = first
    while True:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lagotto", *arguments, stdout=asyncio.subprocess.DEVNULL
        )
        started = loop.time()
        code = await process.wait()
        assert loop.time() - started < 120
        arguments = again
        if code == 0:
            return kills
        assert code == -signal.SIGKILL, f"the crawl ended with {code}"
