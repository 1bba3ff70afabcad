"""Regular expressions that users give, matched within bounds: some take longer than the universe on a URL.

The crawl matches them in its main thread, where a timer can interrupt them. A server, where many threads
share one interpreter, leaves them to a process of its own, which can be killed.
"""

from __future__ import annotations

import json
import logging
import re
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import FrameType

from lagotto.base.errors import InputError

SECONDS = 0.5
"""Seconds that all patterns of a crawl may take together for one URL."""
SECONDS_AT_ONCE = 1.0
"""Seconds that they may take for `AT_ONCE` URLs in a process of their own."""
AT_ONCE = 1000
_log = logging.getLogger(__name__)


class _TooSlow(Exception):
    """The time is over."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TooSlow


def within(test: Callable[[str], bool], url: str, *, otherwise: bool) -> bool:
    """What a test says of a URL, or `otherwise` if it takes too long."""
    if threading.current_thread() is not threading.main_thread():
        return test(url)
    before = signal.signal(signal.SIGALRM, _interrupt)
    left, every = signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return test(url)
    except _TooSlow:
        _log.warning("%s is left out: the patterns of the crawl take over %s s for it", url, SECONDS)
        return otherwise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, every)


_PROGRAM = """
import json, re, sys
include, exclude = ([re.compile(each).search for each in some] for some in json.loads(sys.stdin.readline()))
for line in sys.stdin:
    admitted = [
        (not include or any(matches(url) for matches in include))
        and not any(matches(url) for matches in exclude)
        for url in json.loads(line)
    ]
    print(json.dumps(admitted), flush=True)
"""


def admitted_apart(
    include: Sequence[str], exclude: Sequence[str], links: Iterable[tuple[int, str]]
) -> Iterator[tuple[tuple[int, str], bool]]:
    """Each link, a number and a URL, with whether the patterns admit it, as another process finds out.

    Patterns that take too long are refused with a sentence.
    """
    for pattern in (*include, *exclude):
        re.compile(pattern)
    rest = iter(links)
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([list(include), list(exclude)]).encode() + b"\n")
            while some := list(islice(rest, AT_ONCE)):
                process.stdin.write(json.dumps([url for _, url in some]).encode() + b"\n")
                process.stdin.flush()
                if not select.select([process.stdout], [], [], SECONDS_AT_ONCE)[0]:
                    raise InputError(
                        f"the patterns take over {SECONDS_AT_ONCE:g} s for {len(some)} URLs; a repetition "
                        "inside another one, as in (a+)+, does that: write them otherwise"
                    )
                yield from zip(some, json.loads(process.stdout.readline()), strict=True)
        finally:
            process.kill()
