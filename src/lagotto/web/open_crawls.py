"""Crawls that are open because somebody has asked for them."""

from __future__ import annotations

from collections import OrderedDict

from lagotto.hosting.folder import CrawlFolder
from lagotto.web.watched import Watched

MOST_OPEN = 100
"""Crawls whose readers are kept open."""


class OpenCrawls:
    """Gives crawls by their names, and keeps the latest ones open."""

    def __init__(self, folder: CrawlFolder) -> None:
        self.folder = folder
        self._open: OrderedDict[str, Watched] = OrderedDict()

    def find(self, name: str) -> Watched:
        """The crawl with a name."""
        location = self.folder.location(name)
        kept = self._open.get(name)
        if kept is None or kept.location != location:
            if kept is not None:
                kept.close()
            kept = self._open[name] = Watched(name, location)
        self._open.move_to_end(name)
        self._close_some()
        return kept

    def all(self) -> list[Watched]:
        """Every crawl there is now."""
        return [self.find(name) for name in self.folder.locations()]

    def _close_some(self) -> None:
        """Close the crawls that were asked for longest ago, if too many are open and nobody listens."""
        idle = [name for name, watched in self._open.items() if not watched.follower.listeners]
        for name in idle[: max(0, len(self._open) - MOST_OPEN)]:
            self._open.pop(name).close()

    def close(self) -> None:
        """Close all readers."""
        for watched in self._open.values():
            watched.close()
        self._open.clear()
