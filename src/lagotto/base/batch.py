"""What a store is asked to write, and what it answers.

A `Batch` is the one way to write: whatever is in it is committed together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from msgspec import Struct, field

from lagotto.base.patterns import within
from lagotto.base.records import Lease, Outcome, Revisit

Place = tuple[float, int]
"""Place of a link in its host's queue: minus its score, then its `seq`; the smallest comes first."""


class Score(Struct, array_like=True, frozen=True):
    """A new score of a queued link."""

    id: int
    score: float
    parts: list[float] = []


class Mark(Struct, frozen=True):
    """A user's verdict on a page; None takes an earlier verdict back."""

    url: str
    on: bool | None
    who: str = ""
    at: float = 0.0
    """Wall-clock time at which it was given."""


class Patterns(Struct, frozen=True):
    """Which URLs may be fetched: those that match one of `include`, if any, and none of `exclude`."""

    include: list[str] = []
    exclude: list[str] = []

    def test(self) -> Callable[[str], bool]:
        """A function that says whether a URL may be fetched; one that it takes too long for may not."""
        include = [re.compile(pattern).search for pattern in self.include]
        exclude = [re.compile(pattern).search for pattern in self.exclude]

        def admitted(url: str) -> bool:
            if include and not any(matches(url) for matches in include):
                return False
            return not any(matches(url) for matches in exclude)

        return partial(within, admitted, otherwise=False)


class NewJudgement(Struct, frozen=True):
    """A page that was judged again."""

    page: int
    """Number of the page."""
    relevance: float
    relevant: bool
    parts: dict[str, float] = {}


class Command(Struct, frozen=True):
    """What a user asks of a crawl, as the store keeps it; `content` is JSON that the store does not read."""

    content: bytes
    who: str = ""
    at: float = 0.0
    """Wall-clock time at which it was sent."""
    n: int = 0
    """Its number, counted from 1; given by the store when it is sent."""


class Taken(Struct, frozen=True):
    """A command that the crawl has taken up."""

    n: int
    outcome: str = ""
    """What came of it, as a sentence."""
    applied: bool = True


class Version(Struct, frozen=True):
    """One state of something that changes during a crawl, such as its topic."""

    kind: str
    content: bytes
    version: int = 0
    """Counted from 1 for each kind; given by the store."""
    created: float = 0.0


class Snapshot(Struct, frozen=True):
    """The strategy's state; samples that went into it are no longer replayed."""

    state: bytes
    at_once: bool = False
    """Write all of it now. Otherwise it may be written in pieces with the commits that follow."""
    samples: int | None = None
    """Number of the last sample that went into it; None: all that are committed."""


class Batch(Struct, kw_only=True):
    """Everything that one commit writes.

    It is applied in the order of the fields: links that outcomes brought can be rescored in the same
    batch, and a snapshot covers the samples of the same batch.
    """

    id: str = ""
    """Name of the batch. If its owner's last batch had the same name, the store only repeats the answer."""
    outcomes: list[Outcome] = []
    content_seen: bool = False
    """Store a page as a duplicate when another URL has its content."""
    revisits: list[Revisit] = []
    """Visits to URLs that are concluded. They use no budget."""
    seeds: list[Lease] = []
    expand: int | None = None
    """Page to take off the shelf, by the checksum of its URL; its held links are released."""
    patterns: Patterns | None = None
    """Queued links that these refuse are set aside; those set aside that they admit return. Seeds stay."""
    ranks: list[tuple[int, float]] = []
    """New ranks of pages on the shelf: (checksum of the URL, rank)."""
    scores: list[Score] = []
    samples: list[bytes] = []
    """Samples besides those of the outcomes."""
    model: int = 0
    """Version of the model that made the judgements."""
    judgements: list[NewJudgement] = []
    marks: list[Mark] = []
    taken: list[Taken] = []
    host_waits: dict[str, float] = {}
    """Host -> wall-clock time until which it asked to be left alone; 0 ends the wait."""
    versions: list[Version] = []
    snapshot: Snapshot | None = None
    seconds: float = 0.0
    """Time that the crawl used since the last batch."""


class Spent(Struct):
    """What all workers of a crawl have used together."""

    pages: int = 0
    """Answers with status 200 that are no sitemaps."""
    bytes: int = 0
    seconds: float = 0.0


class Census(Struct, kw_only=True):
    """Who works on a crawl, and how it stands."""

    workers: dict[str, int]
    """Worker that is known to live -> how many shards it holds."""
    free: int
    """Shards that nobody holds, or whose lease is over."""
    time: float = 0.0
    """Wall-clock time of the store."""
    over: bool = False
    """Whether no worker has anything left to do."""
    ended: str = ""
    """Why the crawl has ended for all workers; empty while it goes on."""
    taken: int = 0
    """Commands that were taken so far."""
    spent: Spent = field(default_factory=Spent)


class Committed(Struct):
    """What a commit changed."""

    added: list[Lease] = field(default_factory=list)
    """Links that were new, or whose score rose, and that may be leased now (not held ones)."""
    new: int = 0
    """Links that were not known before, held ones included."""
    pages: dict[int, int] = field(default_factory=dict)
    """Checksum of a concluded URL -> its page number."""
    duplicates: list[int] = field(default_factory=list)
    """Outcomes stored as duplicates because another URL had got their content first, by checksum."""
    spent: Spent = field(default_factory=Spent)


class HostHeads(Struct):
    """The best queued links of one host."""

    links: list[Lease] = []
    """As many as were asked for, best first; only those whose retry time has come."""
    place: Place | None = None
    """Where the best of them stands, also when no link was asked for."""
    next_retry: float | None = None
    """Earliest retry time among its queued links: 0 if one need not wait, None if it has no queued links."""


class Content(Struct, array_like=True, frozen=True):
    """A page's content, as far as the store compares it."""

    fingerprint: int
    simhash: int


class Seen(Struct, array_like=True, frozen=True):
    """Committed pages that a content was compared with."""

    same_as: str = ""
    """URL of the first page with the same content."""
    near: str = ""
    """URL of the page with the nearest simhash, if at most three bits differ; empty if `same_as` is not."""


class Arrivals(Struct):
    """Links that were queued for the held shards, after a number."""

    links: list[Lease]
    last: int
    """Number to ask with next time."""
    complete: bool = True
    """Whether no link was removed before it was asked for."""


class Samples(Struct):
    """Samples that were committed by anybody, after a number, in order."""

    samples: list[bytes]
    last: int
    """Number to ask with next time."""
    complete: bool = True
    """False if some of them may have been removed, as a snapshot covers them."""


class ShelfState(Struct):
    """What decides whether a page may leave the shelf."""

    best: tuple[int, str, float] | None = None
    """The page with the highest rank, the earliest of equals: checksum of its URL, URL, rank."""
    barrier: int = 0
    """Links released by the last expansion that are neither concluded nor deferred for long."""


class Restored(Struct):
    """What is needed to bring a strategy to where it was."""

    state: bytes | None = None
    """This owner's latest snapshot."""
    samples: list[bytes] = []
    """Samples committed since, in order."""
    last: int = 0
    """Number of the last of them."""
