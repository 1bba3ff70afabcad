"""Lets numpy compute in one thread while a crawl is open.

Its library for linear algebra starts a thread for each core. They wait for each other in busy loops, so
beside anything else, such as parsing pages, they take several times as much CPU as one thread.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


def give_back() -> None:
    """Give freed memory back, where the C library has a call for it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


SELDOM = 50_000
"""Generation-0 threshold of the garbage collector; Python's default is 700."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Raise the threshold: a page makes thousands of objects, and hardly any are in cycles."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


_open: list[threadpool_limits] = []
"""An entry for each crawl that is open, all the same: the limit that the first one has set."""


@contextmanager
def one_numpy_thread() -> Iterator[None]:
    """Limit numpy to one thread; the last one to leave takes the limit back.

    The library lets only the main thread raise its number of threads.
    """
    _open.append(_open[0] if _open else threadpool_limits(1, user_api="blas"))
    try:
        yield
    finally:
        limit = _open.pop()
        if not _open:
            limit.restore_original_limits()
