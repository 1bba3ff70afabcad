"""What to do when this machine has no more files, ports or memory for a request."""

from __future__ import annotations

from math import inf

from lagotto.errors import LocalError

LONGEST_PAUSE = 30.0
TELL_EVERY = 10.0
PATIENCE = 300.0
"""Seconds after which the crawl ends, if no request was answered meanwhile."""


class Shortage:
    """Counts how long this machine has had no more files, ports or memory to give."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._until = 0.0
        self._next = 0.0
        self._told_at = -inf

    def pause(self, now: float, at_least: float, what: str) -> float:
        """Seconds to pause, longer each time; 0 during a pause. Raises if it goes on for too long."""
        if self._since is None:
            self._since, self._next = now, at_least
        if now - self._since > PATIENCE:
            raise LocalError(
                f"this machine had no room for a request for {PATIENCE:g} s ({what}); "
                "raise the limit of open files (ulimit -n) or lower --concurrency, then resume the crawl"
            )
        if now < self._until:
            return 0.0
        seconds, self._next = self._next, min(2 * self._next, LONGEST_PAUSE)
        self._until = now + seconds
        return seconds

    def tells(self, now: float) -> bool:
        """Whether it is time to report the shortage again."""
        if now < self._told_at + TELL_EVERY:
            return False
        self._told_at = now
        return True

    def over(self) -> None:
        """A request was answered."""
        self._since = None
