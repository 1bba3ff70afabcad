"""What a reader tells of a crawl."""

from __future__ import annotations

from msgspec import Struct

from lagotto.records import FetchedRow, WarcPlace


class Status(Struct):
    """The figures of a crawl."""

    created: str
    known: int
    """URLs held, queued or concluded."""
    queued: int
    deferred: int
    """Queued links that wait for their retry time."""
    held: int
    """Links that wait for a page on the shelf."""
    shelved: int
    """Pages on the shelf."""
    concluded: int
    pages: int
    """Pages downloaded with status 200."""
    relevant: int
    bytes: int
    hosts: int
    """Hosts that URLs were concluded on."""
    reasons: dict[str, int]
    """Reason -> URLs concluded for it."""
    first_at: float | None
    last_at: float | None
    """Wall-clock time of the first and of the last conclusion."""

    @property
    def harvest_ratio(self) -> float:
        """Relevant pages a page."""
        return self.relevant / self.pages if self.pages else 0.0


class HostCount(Struct, frozen=True):
    """What a host has given."""

    host: str
    concluded: int
    pages: int
    relevant: int
    bytes: int


class QueuedLink(Struct, frozen=True):
    """A link that waits to be leased."""

    url: str
    score: float
    parts: list[float]
    parent: str
    anchor: str
    depth: int


class Step(Struct, frozen=True):
    """One URL on the way from a seed, and the link that led to it."""

    url: str
    anchor: str
    score: float
    parts: list[float]
    depth: int
    title: str
    relevance: float | None
    relevant: bool | None
    reason: str
    """Why it brought no page, if so."""


class PageStory(Struct):
    """What became of a concluded URL."""

    number: int
    fetched_at: float
    status: int
    reason: str
    detail: str
    final_url: str
    attempts: int
    relevance: float | None
    relevant: bool | None
    judged: dict[str, float]
    """Parts of the judgement."""
    title: str
    description: str
    language: str
    encoding: str
    links: int
    fingerprint: str
    near_duplicate_of: str
    content_type: str
    declared_type: str
    size: int
    truncated: bool
    etag: str
    last_modified: str
    address: str
    place: WarcPlace | None
    rank: float | None
    """Rank on the shelf, if it waits there."""


class Story(Struct):
    """All that is known about a URL."""

    url: str
    state: str
    """`held`, `queued`, `deferred` or `concluded`."""
    seq: int
    """Order of discovery."""
    host: str
    path: list[Step]
    """From the seed to the URL itself, with what led to each."""
    page: PageStory | None = None
    retry_at: float | None = None
    attempts: int = 0
    waiting_for: str = ""
    """Why a deferred link waits."""


class StoredPage(Struct):
    """A row of an export, and where its body lies."""

    row: FetchedRow
    content_type: str
    place: WarcPlace | None
