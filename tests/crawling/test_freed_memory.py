"""Giving freed memory back."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

import pytest

from lagotto.crawling.worker.process import give_back

MEGABYTES = 100


def resident() -> int:
    """Resident memory of this process in 4 kB pages."""
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="this C library has no such call")
def test_memory_that_a_thread_has_freed_is_given_back() -> None:
    kept: list[bytes] = []

    def work() -> None:
        pieces = [b"x" * 60_000 for _ in range(MEGABYTES * 1_000_000 // 60_000)]
        kept.append(pieces[-1])  # Without it the thread's memory would be at the end of its arena.

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    before = resident()
    give_back()
    assert before - resident() > MEGABYTES * 1_000_000 // 4096 * 0.8


def test_a_library_without_such_a_call_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    give_back()
