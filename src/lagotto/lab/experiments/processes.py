"""Processes that the lab works in: as many as asked for, gone when the work is done or interrupted."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait

THREADS = "OPENBLAS_NUM_THREADS"
"""Environment variable that says how many threads numpy computes with."""


def usual_jobs() -> int:
    """One process for each core that this one may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(
    jobs: int, prepare: Callable[..., object], *arguments: object
) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes, in each of which `prepare` is called first; on any error they are ended at once."""
    before = set(multiprocessing.active_children())
    with _one_thread_each():
        pool = ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(prepare, arguments)
        )
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            raise
        pool.shutdown()


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that begin meanwhile compute with one thread: more would be in each other's way."""
    before = os.environ.get(THREADS)
    os.environ[THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[THREADS]
        else:
            os.environ[THREADS] = before


def _begin(prepare: Callable[..., object], arguments: tuple[object, ...]) -> None:
    # Ctrl-C reaches the whole process group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The parent's command line names the labels; what runs here has no business with it.
    del sys.argv[1:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare(*arguments)


def _end_with_parent() -> None:
    """A parent that was killed cannot end its processes."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
