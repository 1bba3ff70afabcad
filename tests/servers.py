"""Servers for tests that must not share the crawler's process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lagotto.lab.demo import DemoWeb

_SERVE = """
import sys
from lagotto.lab.demo import DemoWeb
from lagotto.lab.serving.server import serve
log = sys.argv[1] if len(sys.argv) > 1 else None
serve(DemoWeb(), 0, log_path=log, ready=lambda server: print(server.proxy, flush=True))
"""


@dataclass
class Served:
    """The demo web behind a proxy."""

    proxy: str
    web: DemoWeb

    def options(self, topic: str) -> list[str]:
        """Seeds and way of a crawl of the web for a topic, without waiting."""
        seeds = [part for url in self.web.topics()[topic].seeds for part in ("--seed", url)]
        return [*seeds, "--proxy", self.proxy, "--delay", "0"]


@contextmanager
def demo_served(log: Path | None = None) -> Iterator[Served]:
    """Serve the demo web from another process, which may log every request."""
    command = [sys.executable, "-c", _SERVE, *([str(log)] if log else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Served(process.stdout.readline().strip(), DemoWeb())
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()
