"""Figures of crawls in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, get_args, get_type_hints

from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.views import Status

if TYPE_CHECKING:
    from aiohttp import web


CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
COUNTER, GAUGE = "counter", "gauge"


class _Metric(Struct, frozen=True):
    """How a figure is named, what kind it is, and what it means."""

    name: str
    kind: str
    help: str
    label: str = ""
    """What tells the values of a figure that has several."""


class Figures(Struct, kw_only=True):
    """What is measured of a crawl; None is not shown."""

    running: Annotated[bool, _Metric("running", GAUGE, "Whether a process crawls now.")]
    pages: Annotated[int, _Metric("pages_total", COUNTER, "Pages downloaded with status 200.")]
    relevant: Annotated[int, _Metric("relevant_pages", GAUGE, "Pages judged to be on topic, as of now.")]
    bytes: Annotated[int, _Metric("bytes_total", COUNTER, "Bytes of all bodies.")]
    known: Annotated[int, _Metric("urls_known_total", COUNTER, "URLs held, queued or concluded.")]
    concluded: Annotated[int, _Metric("urls_concluded_total", COUNTER, "URLs that need no further request.")]
    reasons: Annotated[
        Mapping[str, int],
        _Metric("urls_without_page_total", COUNTER, "URLs that brought no page, by reason.", "reason"),
    ]
    queued: Annotated[int, _Metric("urls_queued", GAUGE, "URLs that wait to be fetched.")]
    deferred: Annotated[int | None, _Metric("urls_deferred", GAUGE, "Of these, URLs to be tried again.")] = (
        None
    )
    hosts: Annotated[int | None, _Metric("hosts", GAUGE, "Hosts that URLs were concluded on.")] = None
    paused: Annotated[bool | None, _Metric("paused", GAUGE, "Whether a user has paused it.")] = None
    in_flight: Annotated[int | None, _Metric("requests_in_flight", GAUGE, "Requests under way.")] = None
    hosts_waiting: Annotated[
        int | None, _Metric("hosts_waiting", GAUGE, "Hosts left alone because they failed or asked for it.")
    ] = None
    recent_harvest: Annotated[
        float | None, _Metric("recent_harvest_ratio", GAUGE, "Share of the last 100 pages that is relevant.")
    ] = None
    revisits: Annotated[int | None, _Metric("revisits_total", COUNTER, "Later visits to known pages.")] = None
    changed: Annotated[
        int | None, _Metric("revisits_changed_total", COUNTER, "Later visits that found a page changed.")
    ] = None
    gone: Annotated[int | None, _Metric("pages_gone", GAUGE, "Pages that the server says are gone.")] = None
    last_at: Annotated[
        float | None, _Metric("last_conclusion_timestamp_seconds", GAUGE, "When the last URL was concluded.")
    ] = None


def figures_of(status: Status, *, running: bool) -> Figures:
    """The figures of any crawl, by what its reader tells."""
    return Figures(
        running=running,
        pages=status.pages,
        relevant=status.relevant,
        bytes=status.bytes,
        known=status.known,
        concluded=status.concluded,
        reasons=status.reasons,
        queued=status.queued,
        deferred=status.deferred,
        hosts=status.hosts,
        revisits=status.revisits,
        changed=status.changed,
        gone=status.gone,
        last_at=status.last_at,
    )


def render(crawls: Mapping[str, Figures]) -> str:
    """Figures of crawls, by their names, as Prometheus reads them."""
    return "".join(line for field, metric in METRICS.items() for line in _lines(field, metric, crawls))


def _lines(field: str, metric: _Metric, crawls: Mapping[str, Figures]) -> Iterator[str]:
    samples = [line for name, figures in crawls.items() for line in _samples(field, metric, name, figures)]
    if samples:
        yield f"# HELP lagotto_{metric.name} {metric.help}\n# TYPE lagotto_{metric.name} {metric.kind}\n"
        yield from samples


def _samples(field: str, metric: _Metric, crawl: str, figures: Figures) -> Iterator[str]:
    value = getattr(figures, field)
    several = value if isinstance(value, Mapping) else {"": value}
    for name, each in several.items():
        if each is not None:
            label = f',{metric.label}="{_quoted(name)}"' if name else ""
            yield f'lagotto_{metric.name}{{crawl="{_quoted(crawl)}"{label}}} {float(each):.17g}\n'


def _quoted(text: str) -> str:
    """A label's value as the format wants it.

    >>> _quoted('a "b"')
    'a \\\\"b\\\\"'
    """
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")


METRICS = {name: get_args(hint)[1] for name, hint in get_type_hints(Figures, include_extras=True).items()}


ADDRESS = "127.0.0.1"
PATH = "/metrics"
_NAMES = frozenset({"127.0.0.1", "localhost"})
"""Hosts that a request may name: a page on the web must not read the figures through a name of its own."""


class MetricsServer:
    """Answers `GET /metrics`."""

    def __init__(self, port: int, text: Callable[[], str]) -> None:
        self.port = port
        self._text = text
        self._runner: web.ServerRunner | None = None

    async def start(self) -> None:
        """Begin to listen; 0 takes any free port, which is `port` afterwards."""
        from aiohttp import web  # Costs as much as a small crawl's start.

        self._runner = web.ServerRunner(web.Server(self._answer))
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, ADDRESS, self.port).start()
        except OSError as error:
            await self.close()
            raise InputError(
                f"metrics cannot be served on port {self.port} ({error.strerror}); choose another --metrics"
            ) from error
        self.port = self._runner.addresses[0][1]

    @property
    def url(self) -> str:
        """Where the metrics are."""
        return f"http://{ADDRESS}:{self.port}{PATH}"

    async def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        from aiohttp import web

        if request.url.host not in _NAMES:
            return web.Response(status=403, text="ask for this page by the name localhost\n")
        if request.path != PATH or request.method not in ("GET", "HEAD"):
            return web.Response(status=404, text=f"metrics are at {PATH}\n")
        return web.Response(body=self._text().encode(), headers={"Content-Type": CONTENT_TYPE})
