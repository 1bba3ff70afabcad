"""Starting crawls as processes of their own: neither ends with the other.

A crawl that is started here runs as `lagotto crawl` in a session of its own. What it prints goes to a file
beside the crawls, so that a server that is started later can still tell why a crawl failed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from lagotto.errors import InputError
from lagotto.hosting.folder import CrawlFolder
from lagotto.store import storage_at

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
