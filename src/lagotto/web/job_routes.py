"""Jobs over HTTP: what runs, what came of it, the file that it wrote, stopping it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from litestar import delete, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter
from litestar.response import Stream

from lagotto.hosting.jobs import JobRow, Jobs

_PIECE = 1 << 18
Id = Annotated[str, PathParameter(max_length=40)]


@get("/jobs", sync_to_thread=False)
def list_jobs(jobs: NamedDependency[Jobs]) -> list[JobRow]:
    """All jobs, the newest first."""
    return jobs.all()


@get("/jobs/{id:str}", sync_to_thread=False)
def show_job(jobs: NamedDependency[Jobs], id: Id) -> JobRow:
    """How a job stands, and what came of it."""
    return jobs.find(id).row()


@get("/jobs/{id:str}/file", sync_to_thread=False, media_type="application/octet-stream")
def job_file(jobs: NamedDependency[Jobs], id: Id) -> Stream:
    """The file that a job wrote, as a download."""
    job = jobs.find(id)
    if job.state != "done" or job.file is None:
        raise NotFoundException("this job has no file, or not yet")
    headers = {
        "content-disposition": f'attachment; filename="{job.file.name}"',
        "content-length": str(job.file.stat().st_size),
    }
    return Stream(_pieces(job.file), media_type="application/octet-stream", headers=headers)


@delete("/jobs/{id:str}", sync_to_thread=True)
def stop_job(jobs: NamedDependency[Jobs], id: Id) -> None:
    """Stop a job; one that has ended is forgotten, with its file."""
    job = jobs.find(id)
    job.stop()
    if job.ended_at is not None:
        jobs.forget(job)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
