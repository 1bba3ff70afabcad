"""The application, handlers by subject under one roof, and `lagotto serve` from Python."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import Litestar, Request, Router, get
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from lagotto import __version__
from lagotto.base.errors import LagottoError, NotACrawl, UnknownName
from lagotto.serve.access import Access, AsgiApp, Gate
from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.jobs import Jobs
from lagotto.serve.permissions import Permissions
from lagotto.serve.running import Ready, run
from lagotto.serve.starting import Starter
from lagotto.serve.web import (
    crawl_topic,
    crawls,
    examples,
    exports,
    hosts,
    learning,
    map,
    marks,
    pages,
    search,
    start,
    steering,
    subtopics,
)
from lagotto.serve.web import examples as topics
from lagotto.serve.web import exports as job_routes
from lagotto.serve.web import sessions as session
from lagotto.serve.web.open_crawls import OpenCrawls, Watched
from lagotto.serve.web.openapi import Options, document_of
from lagotto.serve.web.sessions import StaticFiles

LARGEST_BODY = 16 * 1024 * 1024
"""Bytes of a request at most; example pages are uploaded in one."""
_log = logging.getLogger(__name__)


@get("/openapi.json", include_in_schema=False, sync_to_thread=False)
def show_openapi(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """This API as an OpenAPI document, made from the handlers."""
    return document_of(request.app)


ROUTES = [
    show_openapi,
    session.log_in,
    session.log_out,
    crawls.list_crawls,
    crawls.show_crawl,
    crawls.show_progress,
    crawls.show_failures,
    crawls.follow_events,
    pages.list_pages,
    pages.show_page,
    pages.explain,
    marks.list_marks,
    marks.list_questions,
    marks.mark_pages,
    steering.list_commands,
    steering.send_command,
    steering.preview,
    hosts.list_hosts,
    hosts.decide_hosts,
    hosts.list_links,
    hosts.list_patterns,
    crawl_topic.show_topic,
    crawl_topic.edit_topic,
    crawl_topic.roll_back,
    search.search_pages,
    search.similar_pages,
    map.show_map,
    subtopics.list_subtopics,
    subtopics.download_report,
    exports.list_formats,
    exports.export,
    start.start_crawl,
    start.list_strategies,
    start.list_options,
    start.estimate,
    topics.preview_topic,
    topics.list_topics,
    examples.fetch_examples,
    learning.train_network,
    learning.judge_again,
    learning.find_seeds,
    job_routes.list_jobs,
    job_routes.show_job,
    job_routes.job_file,
    job_routes.stop_job,
]
MEANINGS = {
    400: "The request is malformed.",
    401: "The token is missing or wrong.",
    403: "The request comes from elsewhere.",
    404: "There is no such thing.",
    409: "The request cannot be fulfilled as things are; the sentence says why.",
    413: "The request is too large.",
}
"""Status of answers that say what is wrong."""


class Problem(Struct):
    """What went wrong, and what to do, in one sentence."""

    detail: str


def make_app(
    folder: CrawlFolder,
    access: Access,
    permissions: Permissions | None = None,
    files: StaticFiles | None = None,
) -> AsgiApp:
    """The whole server as one ASGI application."""
    jobs, starter, open_crawls = Jobs(), Starter(folder), OpenCrawls(folder)
    for route in ROUTES:
        route.responses = {
            status: ResponseSpec(Problem, description=meaning) for status, meaning in MEANINGS.items()
        }

    @asynccontextmanager
    async def closing(_: Litestar) -> AsyncIterator[None]:
        try:
            yield
        finally:
            jobs.close()
            open_crawls.close()

    def crawl(name: FromPath[str]) -> Watched:
        return open_crawls.find(name)

    given: dict[str, object] = {"folder": folder, "access": access, "jobs": jobs, "starter": starter}
    given |= {"permissions": permissions or Permissions(), "crawls": open_crawls}
    api = Router(
        "/api",
        route_handlers=ROUTES,
        dependencies={
            **{name: _always(value) for name, value in given.items()},
            "crawl": Provide(crawl, sync_to_thread=False),
        },
        response_headers=[ResponseHeader(name="Cache-Control", value="no-store")],
    )
    app = Litestar(
        [api],
        openapi_config=OpenAPIConfig(
            title="Lagotto",
            version=__version__,
            description="Watch, steer and use focused crawls.",
            path="/api/openapi",
            render_plugins=[JsonRenderPlugin()],
            components=Components(
                security_schemes={"token": SecurityScheme(type="http", scheme="bearer")},
            ),
            security=[{"token": []}],
            use_handler_docstrings=True,
        ),
        exception_handlers={
            LagottoError: _lagotto_error,
            HTTPException: _http_error,
            RecursionError: _too_nested,
            Exception: _defect,
        },
        request_max_body_size=LARGEST_BODY,
        lifespan=[closing],
        logging_config=None,
    )
    return Gate(
        Options(cast(AsgiApp, app), document_of(app)),
        access,
        files=(files or StaticFiles()).answer,
        login="/api/session",
    )


def _always(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)


def _lagotto_error(_: Request[Any, Any, Any], error: LagottoError) -> Response[Problem]:
    if isinstance(error, NotACrawl | UnknownName):
        return _problem(404, str(error))
    return _problem(409, str(error))


def _http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    extra = error.extra if isinstance(error.extra, list) else []
    said = "; ".join(f"{each.get('key', '')}: {each.get('message', '')}" for each in extra)
    return _problem(
        error.status_code, f"{error.detail}: {said}" if said else str(error.detail), error.headers
    )


def _too_nested(_: Request[Any, Any, Any], error: RecursionError) -> Response[Problem]:
    return _problem(400, "the request is nested too deeply; send lists and objects inside fewer others")


def _defect(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    _log.exception("a request failed", exc_info=error)
    return _problem(500, "a defect of Lagotto; the server's log has the details")


def _problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(Problem(sentence), status_code=status, media_type="application/json", headers=headers)


def serve(
    locations: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    names: Sequence[str] = (),
    permissions: Permissions | None = None,
    ready: Ready = lambda address, token: None,
) -> None:
    """Serve crawls until the process is interrupted; `ready` is given the address and the token.

    `locations` are crawls, or a folder of crawls. `port` 0 takes a free one. Without a token one is made up;
    beyond loopback it must be given.
    """
    folder = CrawlFolder(locations)
    run(
        lambda access: make_app(folder, access, permissions),
        host=host,
        port=port,
        token=token,
        names=names,
        ready=ready,
    )
