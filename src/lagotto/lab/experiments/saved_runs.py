"""Running tasks side by side, each finished run kept in a file, so that none is ever run twice."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.errors import InputError, LagottoError
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.processes import process_pool
from lagotto.lab.experiments.tasks import ORACLE, Task, open_analyses, run_task
from lagotto.lab.webs.web import input_errors

Tell = Callable[[Task, Replayed], None]
"""Told of each run as it is there."""


class _Kept(Struct):
    """A file in the folder of runs."""

    task: Task
    run: Replayed


class Runs:
    """The runs of a folder, by the key of their task."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with input_errors(f"cannot write to {folder}"):
            folder.mkdir(parents=True, exist_ok=True)

    def get(self, task: Task) -> Replayed | None:
        """The run of a task, if it is there and readable."""
        try:
            packed = self._path(task).read_bytes()
            return msgspec.json.decode(gzip.decompress(packed), type=_Kept).run
        except FileNotFoundError:
            return None
        except (EOFError, OSError, zlib.error, msgspec.DecodeError):
            return None  # Damaged: it is run again and its file replaced.

    def put(self, task: Task, run: Replayed) -> None:
        """Keep a run."""
        path = self._path(task)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        # The truth stays out of what is kept: the labels belong to whoever has them.
        kept = _Kept(msgspec.structs.replace(task, truth=()), run)
        with input_errors(f"cannot write to {self.folder}"):
            unfinished.write_bytes(gzip.compress(msgspec.json.encode(kept), 6, mtime=0))
            unfinished.replace(path)

    def complete(self, tasks: Sequence[Task], analyses: list[Path], jobs: int, tell: Tell) -> list[Replayed]:
        """All runs of the tasks, in their order; those missing are run now."""
        found = {task.key: self.get(task) for task in tasks}
        for task in tasks:
            if run := found[task.key]:
                tell(task, run)
        missing = {task.key: task for task in tasks if found[task.key] is None}
        # The oracle's tasks hold the truth, so no process sees both them and a strategy.
        for blind in (True, False):
            group = [task for task in missing.values() if (task.strategy != ORACLE) == blind]
            if group:
                self._run(group, analyses, min(jobs, len(group)), tell, found)
        return [run for task in tasks if (run := found[task.key])]

    def _run(
        self,
        tasks: list[Task],
        analyses: list[Path],
        jobs: int,
        tell: Tell,
        found: dict[str, Replayed | None],
    ) -> None:
        with process_pool(jobs, open_analyses, analyses) as pool:
            waiting = {pool.submit(run_task, task): task for task in tasks}
            for future in as_completed(waiting):
                task = waiting[future]
                run = found[task.key] = _result(future, task)
                self.put(task, run)
                tell(task, run)

    def _path(self, task: Task) -> Path:
        return self.folder / f"{task.key}.json.gz"


def _result(future: Future[Replayed], task: Task) -> Replayed:
    try:
        return future.result()
    except BrokenProcessPool:
        raise LagottoError(
            f"a process ended while '{task.strategy}' crawled for '{task.words}'; "
            "finished runs are kept: give the same command again, with fewer --jobs if memory was short"
        ) from None
    except LagottoError as error:
        raise InputError(f"'{task.strategy}' failed on '{task.words}': {error}") from error
