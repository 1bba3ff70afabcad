"""Events of a crawl as server-sent events."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from lagotto.serve.web.watched import Watched

Known = Annotated[int | None, QueryParameter(ge=0, le=2**53, description="Number of the last event known.")]
LastEvent = Annotated[
    str | None,
    HeaderParameter(name="Last-Event-ID", max_length=20, description="What browsers send."),
]


@get("/crawls/{name:str}/events", media_type="text/event-stream")
async def follow_events(
    crawl: NamedDependency[Watched], after: Known = None, last_event: LastEvent = None
) -> Stream:
    """What happens in the crawl, as server-sent events; `Last-Event-ID` or `after` says where to go on."""
    known = int(last_event) if last_event and last_event.isascii() and last_event.isdigit() else after
    headers = {"x-accel-buffering": "no"}
    return Stream(crawl.follower.listen(known), media_type="text/event-stream", headers=headers)
