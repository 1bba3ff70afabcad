"""Jobs: work that takes longer than an answer may, with ids, at most a few at once.

A job is queued, runs, and is done, failed or stopped. What it wrote can be fetched until it is forgotten.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from lagotto.base.errors import InputError, LagottoError, UnknownName

AT_ONCE = 2
"""Jobs that run at once."""
MOST_WAITING = 50
"""Jobs that may wait to be run."""
KEPT = 100
"""Finished jobs that are remembered, the latest ones."""
_LOOK_EVERY = 0.1
_GRACE = 5.0
"""Seconds that a stopped process has to end by itself."""

JobState = Literal["queued", "running", "done", "failed", "stopped"]


class JobRow(Struct, kw_only=True):
    """A job as the API tells it."""

    id: str
    kind: str
    crawl: str
    state: JobState
    created_at: float
    ended_at: float | None = None
    progress: dict[str, float] = {}
    problem: str = ""
    """Why it failed, as a sentence."""
    result: dict[str, Any] = {}
    file: str = ""
    """Name of the file that it wrote; GET .../file gives it."""
    size: int = 0


class Stopped(Exception):
    """Raised inside a job that a user has stopped."""


class Job:
    """One piece of work; its methods may be called from the thread that does it."""

    def __init__(self, kind: str, crawl: str, folder: Path, input: dict[str, Any]) -> None:
        self.input = input
        """What it works on; may grow until it begins."""
        self.id = secrets.token_hex(8)
        self.kind = kind
        self.crawl = crawl
        self.state: JobState = "queued"
        self.created_at = time.time()
        self.ended_at: float | None = None
        self.progress: dict[str, float] = {}
        self.result: dict[str, Any] = {}
        self.problem = ""
        self.file: Path | None = None
        self.media_type = "application/octet-stream"
        """Type of that file."""
        self.folder = folder / self.id
        """Where it may write; made when it starts, removed when it is forgotten."""
        self._stopping = threading.Event()

    def row(self) -> JobRow:
        """What the API tells of it."""
        there = self.file is not None and self.file.is_file()
        return JobRow(
            id=self.id,
            kind=self.kind,
            crawl=self.crawl,
            state=self.state,
            created_at=self.created_at,
            ended_at=self.ended_at,
            progress=dict(self.progress),
            problem=self.problem,
            result=dict(self.result),
            file=self.file.name if self.file is not None and there else "",
            size=self.file.stat().st_size if self.file is not None and there else 0,
        )

    def stop(self) -> None:
        """Have it end soon."""
        self._stopping.set()

    def check(self) -> None:
        """Raise if it was stopped; long work calls this from time to time."""
        if self._stopping.is_set():
            raise Stopped

    def keep_export(self, path: Path, media_type: str) -> None:
        """Offer an export as the file of this job, a folder as one ZIP file."""
        if path.is_dir():
            self.file = Path(shutil.make_archive(str(path), "zip", path))
            shutil.rmtree(path)
        else:
            self.file = path
        self.media_type = media_type

    def run_lagotto(self, arguments: Sequence[str]) -> bytes:
        """Run a command of Lagotto in a process of its own; returns what it printed."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            command = [sys.executable, "-m", "lagotto", *arguments]
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
            try:
                while process.poll() is None:
                    self.check()
                    time.sleep(_LOOK_EVERY)
            finally:
                end_group(process)
            err.seek(0)
            said = err.read().decode("utf-8", "replace").strip()
            if process.returncode:
                last = said.splitlines()[-1] if said else f"it ended with code {process.returncode}"
                raise InputError(last.removeprefix("lagotto: "))
            out.seek(0)
            return out.read()


class Jobs:
    """All jobs of the server."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lagotto-jobs-"))
        self._jobs: dict[str, Job] = {}
        self._pool = ThreadPoolExecutor(AT_ONCE, "job")
        self._beginning = threading.Lock()

    def start(
        self, kind: str, crawl: str, work: Callable[[Job], None], input: dict[str, Any] | None = None
    ) -> Job:
        """Queue a job; `work` gets it, and leaves its result there."""
        if sum(job.state == "queued" for job in self._jobs.values()) >= MOST_WAITING:
            raise InputError(f"{MOST_WAITING} jobs are waiting already; try again when some of them are done")
        job = Job(kind, crawl, self.folder, input or {})
        self._jobs[job.id] = job
        self._forget_old()
        self._pool.submit(self._run, job, work)
        return job

    def _run(self, job: Job, work: Callable[[Job], None]) -> None:
        try:
            job.check()
            with self._beginning:
                job.state = "running"
            job.folder.mkdir()
            work(job)
            job.check()
            job.state = "done"
        except Stopped:
            job.state = "stopped"
        except LagottoError as error:
            job.problem, job.state = str(error), "failed"
        except Exception as error:  # A defect must not leave a job running for ever.
            job.problem, job.state = f"a defect of Lagotto: {error!r}", "failed"
        job.ended_at = time.time()

    def _forget_old(self) -> None:
        ended = [job for job in self._jobs.values() if job.ended_at is not None]
        for job in ended[:-KEPT]:
            self.forget(job)

    def forget(self, job: Job) -> None:
        """Remove a job and what it wrote."""
        self._jobs.pop(job.id, None)
        shutil.rmtree(job.folder, ignore_errors=True)

    def find(self, id: str) -> Job:
        """The job with an id."""
        if id not in self._jobs:
            raise UnknownName(f"there is no job '{id}'; GET /api/jobs lists them")
        return self._jobs[id]

    def join(self, kind: str, crawl: str, more: dict[str, Any]) -> Job | None:
        """Give a job of this kind that has not begun more to work on; None if there is none."""
        with self._beginning:
            for job in self._jobs.values():
                if (job.kind, job.crawl, job.state) == (kind, crawl, "queued"):
                    job.input.update(more)
                    return job
        return None

    def all(self) -> list[JobRow]:
        """All jobs, the newest first."""
        return [job.row() for job in reversed(list(self._jobs.values()))]

    def close(self) -> None:
        """Stop all jobs and remove what they wrote."""
        for job in self._jobs.values():
            job.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, if it still runs."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
