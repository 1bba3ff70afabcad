"""The workers of a crawl as plain processes of this machine: started, counted, and started again."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO

from lagotto.base.errors import LagottoError

BEAT = 0.2
"""Seconds between two looks at the processes."""
TRIES = 5
"""Failures in a row after which a worker is not started again."""
STABLE = 60.0
"""Seconds after which a worker that fails has not failed in a row."""
PAUSE = 1.0
"""Seconds before a worker is started again for the first time; each further time it is twice as long."""
LOCATION = "LAGOTTO_STORE"
"""Variable that tells `lagotto worker` where the crawl is. A command line would show its password."""
WORKER = (sys.executable, "-m", "lagotto", "worker", "--quiet")
_SAID_BEFORE = "lagotto: "
_LONGEST = 10_000
"""Bytes at the end of what a worker wrote that are looked through for what went wrong."""
_log = logging.getLogger(__name__)


class _Place:
    """A worker's place, filled by one process after another until one of them ends by itself."""

    def __init__(self, command: Sequence[str], location: str) -> None:
        self._command = command
        self._location = location
        self._failures = 0
        self._started = 0.0
        self._again_at = 0.0
        self._said: IO[bytes] | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.over = False
        """Whether no process will take this place again."""
        self.failure = ""
        """What went wrong with the latest process that failed."""

    def start_if_due(self) -> None:
        """Start a process, unless one runs, or the place is over or waits after a failure."""
        if self.process is not None or self.over or time.monotonic() < self._again_at:
            return
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        self._started = time.monotonic()
        self.process = subprocess.Popen(
            self._command,
            env={**os.environ, LOCATION: self._location},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            process_group=0,  # Ctrl-C on the terminal is for the supervisor, which passes it on once.
        )

    def look(self) -> bool:
        """Whether the process has just ended and failed."""
        if self.process is None or (code := self.process.poll()) is None:
            return False
        self.process, sentence = None, self._last_words(code)
        if code >= 0 and not sentence:
            self.over = True
            return False
        lived = time.monotonic() - self._started
        self._failures = 1 if lived > STABLE else self._failures + 1
        self._again_at = time.monotonic() + PAUSE * 2 ** (self._failures - 1)
        self.failure = sentence or f"a worker was ended by {signal.Signals(-code).name}"
        self.over = self._failures >= TRIES
        _log.warning("%s; %s", self.failure, "given up" if self.over else "started again")
        return True

    def _last_words(self, code: int) -> str:
        """What a process said at its end; empty if it was not an error."""
        assert self._said is not None
        with self._said as said:
            said.seek(max(0, said.seek(0, os.SEEK_END) - _LONGEST))
            lines = said.read().decode("utf-8", "replace").splitlines()
        if code not in (1, LagottoError.exit_code):
            return ""
        return lines[-1].removeprefix(_SAID_BEFORE) if lines else f"a worker ended with code {code}"


class Processes:
    """Some workers of one crawl; a worker that fails costs no other worker anything."""

    def __init__(self, location: str, workers: int, *, command: Sequence[str] = WORKER) -> None:
        self._places = [_Place(command, location) for _ in range(workers)]
        self.failure = ""
        """What went wrong with the latest worker that failed."""

    @property
    def pids(self) -> list[int]:
        """Processes that run."""
        return [place.process.pid for place in self._places if place.process is not None]

    def run(self, tell: Callable[[int], None], stop: threading.Event, ended: Callable[[], str]) -> str:
        """Keep workers at it until the crawl ends; returns why it ended, as `ended` knows it.

        `tell` is given the number of processes now and then. When `stop` is set, none is started any more.
        Raises if no worker was left before the crawl had ended.
        """
        pause = threading.Event()
        while True:
            for place in self._places:
                if place.look():
                    self.failure = place.failure
                    if why := ended():
                        self._start_no_more(why)
            if stop.is_set():
                self._start_no_more("stopped")
            for place in self._places:
                place.start_if_due()
            if all(place.over and place.process is None for place in self._places):
                break
            tell(len(self.pids))
            pause.wait(BEAT)
        why = ended()
        if not why and not stop.is_set() and all(place.failure for place in self._places):
            raise LagottoError(self.failure)
        return why

    def _start_no_more(self, why: str) -> None:
        for place in self._places:
            if not place.over:
                _log.info("no worker is started again: %s", why)
            place.over = True

    def interrupt(self) -> None:
        """Have all workers finish what is under way and end."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        """End all workers at once; their leases run out, and nothing that was committed is lost."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        for place in self._places:
            if place.process is not None:
                place.process.send_signal(number)
