"""Brings the index of a crawl up to date and kills itself at a step: before a page, before or after a commit.

Run as `python -m tests.harvest.search.killed DIRECTORY STEP`.
"""

from __future__ import annotations

import os
import signal
import sys

from lagotto.base.views import StoredPage
from lagotto.harvest.search import Search, follower, index
from lagotto.harvest.search.index import State

PAGES = 7
"""Pages between two commits."""


class Killed(index.Writer):
    """Counts its steps."""

    left = int(sys.argv[2])

    def step(self) -> None:
        Killed.left -= 1
        if not Killed.left:
            os.kill(os.getpid(), signal.SIGKILL)

    def put(self, stored: StoredPage, *, again: bool = False) -> None:
        self.step()
        super().put(stored, again=again)

    def commit(self, state: State) -> None:
        self.step()
        super().commit(state)
        self.step()


follower.COMMIT_EVERY = PAGES
index.Writer = Killed  # type: ignore[misc]
with Search(sys.argv[1]) as search:
    search.refresh()
