"""Jobs that teach: training a network, judging all pages of a crawl again, asking engines for seeds."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lagotto.crawling.seeds.named import ask_engines
from lagotto.focus.topic import MAX_EPOCHS, Library, Settings, train
from lagotto.serve.jobs import Job, JobRow, Jobs
from lagotto.serve.permissions import Permissions
from lagotto.serve.uploads import Uploads, documents
from lagotto.serve.web.open_crawls import Watched

POINTS = 400
"""Points of an error curve that are told."""


class Training(Struct, forbid_unknown_fields=True):
    """A network to train."""

    name: str
    relevant: Uploads
    irrelevant: Uploads
    hidden: Annotated[int, Meta(ge=1, le=2000)] = 50
    rate: Annotated[float, Meta(gt=0, le=10)] = 0.1
    target_error: Annotated[float, Meta(gt=0, le=1)] = 0.001
    max_epochs: Annotated[int, Meta(ge=1, le=100_000)] = MAX_EPOCHS["pages"]
    language: Annotated[str, Meta(max_length=20)] = "en"


class SeedQuery(Struct, forbid_unknown_fields=True):
    """What to ask search engines for."""

    query: Annotated[str, Meta(min_length=1, max_length=500)]
    engines: Annotated[list[str], Meta(max_length=10)] = []
    limit: Annotated[int, Meta(ge=1, le=50)] = 10


@post("/networks", status_code=202)
async def train_network(data: JSONBody[Training], jobs: NamedDependency[Jobs]) -> JobRow:
    """Train a network and keep it; the job tells epoch, error and the error curve while it runs."""
    library = Library()
    await asyncio.to_thread(library.check_network_name, data.name)

    def work(job: Job) -> None:
        errors: list[float] = []

        def progress(epoch: int, error: float) -> None:
            job.check()
            errors.append(error)
            job.progress = {"epoch": epoch, "error": error}
            job.result = {"curve": _thinned(errors)}

        network = train(
            data.name,
            [document.terms for document in documents(data.relevant, "relevant pages")],
            [document.terms for document in documents(data.irrelevant, "irrelevant pages")],
            settings=Settings(
                hidden=data.hidden,
                rate=data.rate,
                target_mse=data.target_error,
                max_epochs=data.max_epochs,
            ),
            language=data.language,
            progress=progress,
        )
        library.save_network(network)
        held_out = network.held_out
        job.result = {
            "name": network.name,
            "curve": _thinned(errors),
            "epochs": len(errors),
            "reached_target": network.reached_target,
            "held_out": None
            if held_out is None
            else {
                "pages": held_out.total,
                "precision": held_out.precision,
                "recall": held_out.recall,
                "accuracy": held_out.accuracy,
            },
        }

    return jobs.start("train", "", work).row()


@post("/crawls/{name:str}/judge", status_code=202)
async def judge_again(crawl: NamedDependency[Watched], jobs: NamedDependency[Jobs]) -> JobRow:
    """Judge all pages of a crawl that does not run again, by what is known now."""

    def work(job: Job) -> None:
        said = job.run_lagotto(["judge", crawl.location]).decode("utf-8", "replace")
        job.result = {"said": said.strip()}
        crawl.remembered.forget()

    return jobs.start("judge", crawl.name, work).row()


@post("/seeds", status_code=202)
async def find_seeds(
    data: JSONBody[SeedQuery], jobs: NamedDependency[Jobs], permissions: NamedDependency[Permissions]
) -> JobRow:
    """Ask search engines; the job's result lists URLs with the engines that named them."""
    permissions.check_engines(data.engines)

    def work(job: Job) -> None:
        agreement = asyncio.run(
            ask_engines(
                data.query,
                engines=data.engines,
                limit=data.limit,
                proxy=permissions.proxy,
                allow_private=permissions.allow_private,
            )
        )
        job.result = msgspec.to_builtins(agreement)

    return jobs.start("seeds", "", work).row()


def _thinned(errors: list[float]) -> list[tuple[int, float]]:
    """Epoch and error at evenly spread epochs, the last among them."""
    step = max(1, -(-len(errors) // POINTS))
    places = sorted({*range(0, len(errors), step), len(errors) - 1})
    return [(place + 1, errors[place]) for place in places if place >= 0]
