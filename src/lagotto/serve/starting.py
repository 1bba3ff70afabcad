"""Starting crawls as processes of their own: neither ends with the other.

A crawl that is started here runs as `lagotto crawl` in a session of its own. What it prints goes to a file
beside the crawls, so that a server that is started later can still tell why a crawl failed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.crawling import config as configuration
from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.permissions import Permissions
from lagotto.serve.uploads import Uploads, save
from lagotto.store import storage_at

Seeds = Annotated[list[str], Meta(max_length=10_000)]


class NewCrawl(Struct, forbid_unknown_fields=True):
    """A crawl to start."""

    name: str
    topic: str = ""
    """Words, phrases in quotes."""
    seeds: Seeds = []
    strategy: str = "scent"
    strategy_options: dict[str, Any] = {}
    """As GET /api/strategies lists them."""
    options: dict[str, Any] = {}
    """As GET /api/options lists them."""
    examples: Uploads = []
    counter_examples: Uploads = []
    query_log: str = ""
    """The text of a query log, one query a line."""


class Started(Struct):
    """A crawl that was started."""

    name: str
    location: str


def begin(data: NewCrawl, folder: CrawlFolder, starter: Starter, permissions: Permissions) -> Started:
    """Start a crawl; what makes no sense is refused, and leaves nothing behind."""
    place = folder.new_place(data.name)
    if not data.seeds:
        raise InputError("there is no seed to start from; give at least one, or find some with /api/seeds")
    values = permissions.checked(data.options)
    values |= {"topic": data.topic, "seeds": data.seeds, "strategy": data.strategy}
    values |= {"options": data.strategy_options, "proxy": permissions.proxy}
    kept = folder.own() / data.name
    try:
        values |= _save_uploads(data, kept)
        config = configuration.from_values(values)
        config.check()
        try:
            (kept / "config.toml").write_bytes(configuration.encode(config))
        except TypeError:  # TOML has no null.
            raise InputError(
                "an option of the strategy holds null or what no option can hold; leave it out"
            ) from None
        arguments = ["crawl", "--config", str(kept / "config.toml"), "-o", str(place), "--quiet"]
        starter.launch(data.name, str(place), arguments)
    except BaseException:
        if not place.exists():
            shutil.rmtree(kept, ignore_errors=True)
        raise
    return Started(data.name, str(place))


def _save_uploads(data: NewCrawl, kept: Path) -> dict[str, Any]:
    """Keep what came with the request; a resumed crawl reads it again."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(mode=0o700)
    values: dict[str, Any] = {}
    for name, pages in (("examples", data.examples), ("counter_examples", data.counter_examples)):
        if pages:
            save(pages, kept / name)
            values[name] = [str(kept / name)]
    if data.query_log.strip():
        (kept / "queries.txt").write_text(data.query_log, encoding="utf-8", errors="replace")
        values["query_log"] = str(kept / "queries.txt")
    return values


MOST_CRAWLS = 8
"""Crawls started here that may run at once."""
PATIENCE = 15.0
"""Seconds that a process is watched for an early end before its start counts as good."""
_LOOK_EVERY = 0.1
started_here: list[subprocess.Popen[bytes]] = []
"""Crawls that this process has started and that run; they outlive the server."""
_TAIL = 20_000


class Starter:
    """Starts and resumes crawls."""

    def __init__(self, folder: CrawlFolder) -> None:
        self._folder = folder

    def resume(self, name: str, location: str) -> None:
        """Go on with a crawl that does not run."""
        if storage_at(location).running():
            raise InputError(f"the crawl '{name}' runs already")
        self.launch(name, location, ["resume", location, "--quiet"])

    def launch(self, name: str, location: str, arguments: Sequence[str]) -> None:
        """Start `lagotto ARGUMENTS`, and wait until its crawl runs or it has ended."""
        started_here[:] = [process for process in started_here if process.poll() is None]
        if len(started_here) >= MOST_CRAWLS:
            raise InputError(f"{MOST_CRAWLS} crawls run already; stop one of them first")
        output = self.output_of(name)
        with output.open("ab") if output is not None else open("/dev/null", "ab") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "lagotto", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        started_here.append(process)
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            if storage_at(location).exists() and storage_at(location).running():
                return
            time.sleep(_LOOK_EVERY)
        if process.poll():
            raise InputError(self.problem(name) or f"the crawl ended with code {process.returncode}")

    def output_of(self, name: str) -> Path | None:
        """File with what the crawl printed; None if there is no folder for it."""
        return None if self._folder.home is None else self._folder.own() / f"{name}.log"

    def failed(self) -> dict[str, str]:
        """Crawls that were started here and of which nothing is left -> why."""
        if self._folder.home is None:
            return {}
        there = self._folder.locations()
        names = [path.stem for path in sorted(self._folder.own().glob("*.log")) if path.stem not in there]
        return {name: problem for name in names if (problem := self.problem(name))}

    def problem(self, name: str) -> str:
        """What a crawl that was started here said at last, if it failed."""
        output = self.output_of(name)
        if output is None or not output.is_file():
            return ""
        lines = output.read_bytes()[-_TAIL:].decode("utf-8", "replace").splitlines()
        last = next((line for line in reversed(lines) if line.strip()), "")
        return last.removeprefix("lagotto: ") if last.startswith("lagotto: ") else ""
