"""Points at which a test can have the process killed, as by `kill -9`.

`LAGOTTO_CRASH_AT=commit.inside:3` kills at the third passing of that point. Without the variable
nothing here does anything.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import BinaryIO

POINTS = (
    "commit.before",
    "commit.inside",
    "commit.after",
    "sweep.inside",
    "snapshot.inside",
    "warc.torn",
    "warc.written",
    "warc.rotated",
)
START_POINTS = ("create.locked", "create.before", "create.after", "config.between")
"""Points that a crawl passes once, when it starts."""
_point, _, _count = os.environ.get("LAGOTTO_CRASH_AT", "").partition(":")
_passed: Counter[str] = Counter()


def _due(name: str) -> bool:
    if name != _point:
        return False
    _passed[name] += 1
    return _passed[name] == int(_count or 1)


def point(name: str) -> None:
    """Kill the process if it was asked for at this point and this passing."""
    if _point and _due(name):
        os.kill(os.getpid(), signal.SIGKILL)


def torn_write(name: str, stream: BinaryIO, content: bytes) -> None:
    """Write half of the content and kill the process, if it was asked for here; otherwise write nothing."""
    if _point and _due(name):
        stream.write(content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
