"""Running tasks side by side, each finished run kept in a file, so that none is ever run twice."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError, LagottoError
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.processes import process_pool
from lagotto.lab.experiments.tasks import ORACLE, Task, Tools, prepare, run_task
from lagotto.lab.experiments.teacher import Desk, SimulatedTeacher
from lagotto.lab.webs.web import input_errors

Tell = Callable[[Task, Replayed], None]
"""Told of each run as it is there."""


SHAPE = 2
"""Shape of the files; one of another shape is not read, and its run is made again."""


class _Kept(Struct):
    """A file in the folder of runs."""

    shape: int
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
            kept = msgspec.json.decode(gzip.decompress(packed), type=_Kept)
        except FileNotFoundError:
            return None
        except (EOFError, OSError, zlib.error, msgspec.DecodeError):
            return None  # Damaged: it is run again and its file replaced.
        return kept.run if kept.shape == SHAPE else None

    def put(self, task: Task, run: Replayed) -> None:
        """Keep a run."""
        path = self._path(task)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        # The truth stays out of what is kept: the labels belong to whoever has them.
        kept = _Kept(SHAPE, msgspec.structs.replace(task, truth=()), run)
        with input_errors(f"cannot write to {self.folder}"):
            unfinished.write_bytes(gzip.compress(msgspec.json.encode(kept), 6, mtime=0))
            unfinished.replace(path)

    def complete(
        self,
        tasks: Sequence[Task],
        tools: Tools,
        jobs: int,
        tell: Tell,
        teachers: Mapping[str, SimulatedTeacher] | None = None,
    ) -> list[Replayed]:
        """All runs of the tasks, in their order; those missing are run now.

        `teachers` answer the questions of tasks that ask, under the keys of these.
        """
        found = {task.key: self.get(task) for task in tasks}
        for task in tasks:
            if run := found[task.key]:
                tell(task, run)
        missing = {task.key: task for task in tasks if found[task.key] is None}
        # The oracle's tasks hold the truth, so no process sees both them and a strategy. Only processes whose
        # runs have a teacher know where the desk is.
        blind = [task for task in missing.values() if task.strategy != ORACLE and not task.marks]
        asking = [task for task in missing.values() if task.marks]
        oracle = [task for task in missing.values() if task.strategy == ORACLE]
        for group in (blind, oracle):
            self._run(group, tools, jobs, tell, found)
        if asking:
            with Desk(teachers or {}) as desk:
                at_desk = msgspec.structs.replace(tools, desk=desk.address)
                self._run(asking, at_desk, jobs, tell, found)
        return [run for task in tasks if (run := found[task.key])]

    def _run(
        self, tasks: list[Task], tools: Tools, jobs: int, tell: Tell, found: dict[str, Replayed | None]
    ) -> None:
        if not tasks:
            return
        if not any(task.encoder for task in tasks):
            tools = msgspec.structs.replace(tools, encoder=None)
        with process_pool(min(jobs, len(tasks)), prepare, tools) as pool:
            waiting = {pool.submit(run_task, task, task.key): task for task in tasks}
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
