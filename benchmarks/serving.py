"""A frozen web served by a separate process, so that its CPU is not counted."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webs import open_web

from lagotto.lab.serving.server import serve


@contextmanager
def served(web: Path, hostile: float = 0.0) -> Iterator[str]:
    """The address of a proxy that serves the web, while the block runs."""
    command = [sys.executable, __file__, str(web), "--hostile", str(hostile)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address:
                raise RuntimeError("the server did not start")
            yield address
        finally:
            process.terminate()


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("web", type=Path)
    parser.add_argument("--hostile", type=float, default=0.0, help="share of hostile pages")
    arguments = parser.parse_args()
    web = open_web(arguments.web, arguments.hostile)
    serve(web, 0, ready=lambda server: print(server.proxy, flush=True))


if __name__ == "__main__":
    main()
