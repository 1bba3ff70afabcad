"""Runs Python's garbage collector less often during a crawl."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
