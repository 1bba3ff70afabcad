"""Exports as jobs, whose files can be downloaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, PathParameter
from litestar.response import Stream
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from lagotto.harvest.export.formats import FORMATS, format_for
from lagotto.harvest.export.options import made_options, spelled
from lagotto.serve.jobs import Job, JobRow, Jobs
from lagotto.serve.web.open_crawls import Watched

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


@get("/jobs/{id:str}/file", sync_to_thread=False)
def job_file(jobs: NamedDependency[Jobs], id: Id) -> Stream:
    """The file that a job wrote, as a download."""
    job = jobs.find(id)
    if job.state != "done" or job.file is None:
        raise NotFoundException("this job has no file, or not yet")
    headers = {
        "content-disposition": f'attachment; filename="{job.file.name}"',
        "content-length": str(job.file.stat().st_size),
    }
    return Stream(_pieces(job.file), media_type=job.media_type, headers=headers)


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


Whole = Annotated[int, Meta(ge=1, le=10**12)]


class ExportRequest(Struct, forbid_unknown_fields=True):
    """What to export; the options are those of `lagotto export`."""

    format: str = "jsonl"
    relevant_only: bool | UnsetType = UNSET
    min_relevance: Annotated[float, Meta(ge=0, le=1)] | UnsetType = UNSET
    top: Whole | UnsetType = UNSET
    subtopic: str | UnsetType = UNSET
    """Only the pages of this subtopic, by its name or number."""
    sort: str | UnsetType = UNSET
    near_duplicates: str | UnsetType = UNSET
    respect: str | UnsetType = UNSET
    with_text: bool | UnsetType = UNSET
    html: bool | UnsetType = UNSET
    markdown: bool | UnsetType = UNSET
    facts: bool | UnsetType = UNSET
    chunks: Whole | UnsetType = UNSET
    nodes: str | UnsetType = UNSET
    numbers: Annotated[list[int], Meta(min_length=1, max_length=5000)] | UnsetType = UNSET
    """Only the pages with these numbers."""


class FormatRow(Struct):
    """A format, and the options that it takes."""

    name: str
    label: str
    about: str
    ending: str
    """Of the file to download; folders come as one ZIP file."""
    training: bool
    """Whether models are trained on it, so that pages that reserve text and data mining are left out."""
    options: list[str]


@get("/formats", sync_to_thread=False)
def list_formats() -> list[FormatRow]:
    """Formats that a crawl can be exported in."""
    return [
        FormatRow(name, each.label, each.about, each.ending or "zip", each.training, sorted(each.takes))
        for name, each in FORMATS.items()
    ]


@post("/crawls/{name:str}/exports", status_code=202)
async def export(
    crawl: NamedDependency[Watched], data: JSONBody[ExportRequest], jobs: NamedDependency[Jobs]
) -> JobRow:
    """Export a crawl; the job's file can be downloaded."""
    given = {name: value for name, value in structs.asdict(data).items() if value is not UNSET}
    name, format = format_for(given.pop("format"))
    made_options(given)
    arguments = ["export", crawl.location, "--format", name]
    for option, value in given.items():
        if isinstance(value, bool):
            arguments += [spelled(option)] if value else []
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            arguments.append(f"{spelled(option)}={text}")

    def work(job: Job) -> None:
        path = job.folder / f"{_plain(crawl.name)}-{name}{format.suffix}"
        said = job.run_lagotto([*arguments, "-o", str(path)]).decode("utf-8", "replace")
        job.keep_export(path, format.media_type)
        job.result = {"rows": int(said.split()[0])}

    return jobs.start("export", crawl.name, work).row()


def _plain(name: str) -> str:
    """A name that can stand in a header."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)
