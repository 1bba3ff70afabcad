"""The search index of a running crawl is kept up to date by a process of its own."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys

_INDEXER = "lagotto.harvest.search.beside"
_log = logging.getLogger(__name__)


class IndexBeside:
    """The crawl's end of that process."""

    def __init__(self, location: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _INDEXER, location],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    async def finish(self) -> None:
        """Let it take in what is left, and wait for its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if await asyncio.to_thread(self._process.wait):
            _log.warning("the search index is not up to date; `lagotto search` will see to it")
