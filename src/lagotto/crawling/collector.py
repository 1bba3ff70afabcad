"""Python's search for cycles of objects, made rare while a crawl runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000
"""Objects that must have come to stay before the youngest are searched; Python's own number is 700."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Search for cycles less often: a page makes thousands of objects, and hardly one is in a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
