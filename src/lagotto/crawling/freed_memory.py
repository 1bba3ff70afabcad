"""Gives memory that is free back to the system.

glibc keeps what a thread has freed: a round of judging again would hold its memory for the rest of the crawl.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Give freed memory back, where the C library has a call for it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
