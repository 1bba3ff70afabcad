"""How long a crawl has been at work: time spent paused does not count."""

from __future__ import annotations

from collections.abc import Callable


class WorkingTime:
    """A stopwatch that can be held; it stands still until it is started."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._before = 0.0
        self._since: float | None = None
        self.paused = False

    @property
    def seconds(self) -> float:
        """Seconds at work so far."""
        return self._before + (self._now() - self._since if self._since is not None else 0.0)

    def start(self) -> None:
        """Begin to count, unless paused."""
        if not self.paused and self._since is None:
            self._since = self._now()

    def pause(self) -> None:
        """Hold the watch."""
        self._before, self._since, self.paused = self.seconds, None, True

    def go_on(self) -> None:
        """Count again."""
        self.paused = False
        self.start()
