"""What a crawl reports while it runs: small records, in the order in which things happened.

Those of `lagotto.events` are also kept by the store; the others only reach the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from lagotto.events import CommandTaken, Deferred, Expanded, JudgedAgain, Marked, PageDone
from lagotto.records import DROPPED, LinkScores, Outcome, Page


class SeedFailed(Struct, tag="seed-failed"):
    """A seed could not be fetched; the crawl goes on with the others."""

    url: str
    why: str


class Throttled(Struct, tag="throttled"):
    """A host asked us to slow down; it is left alone for `seconds`."""

    host: str
    seconds: float


class HostFailed(Struct, tag="host-failed"):
    """A host gave no answer; it is left alone for `seconds`. Told once for each outage."""

    host: str
    seconds: float
    why: str


class Paused(Struct, tag="paused"):
    """This machine has no more files, ports or memory; no request is sent for `seconds`.

    Told at most every ten seconds, however many pauses there are.
    """

    seconds: float
    why: str


class ScoredLink(Struct):
    """A link as its strategy scored it; the score is None when it is not to be followed."""

    url: str
    anchor: str
    score: float | None
    parts: dict[str, float]
    positive: bool = True
    """Whether the strategy expects a relevant page there."""


class LinksScored(Struct, tag="links-scored"):
    """The links of a page were scored; reported only on demand."""

    page: str
    links: list[ScoredLink]


class Finished(Struct, tag="finished"):
    """The crawl is over; `why` is a sentence."""

    why: str


Event = (
    PageDone
    | Deferred
    | Expanded
    | Marked
    | JudgedAgain
    | CommandTaken
    | SeedFailed
    | Throttled
    | HostFailed
    | Paused
    | LinksScored
    | Finished
)

__all__ = [
    "CommandTaken",
    "Deferred",
    "Event",
    "Expanded",
    "Finished",
    "HostFailed",
    "JudgedAgain",
    "LinksScored",
    "Marked",
    "PageDone",
    "Paused",
    "ScoredLink",
    "SeedFailed",
    "Throttled",
    "links_scored",
    "page_done",
]


def page_done(outcome: Outcome, page: int = 0) -> PageDone:
    """The event of a concluded outcome."""
    judgement = outcome.judgement
    return PageDone(
        url=outcome.lease.url,
        status=outcome.status,
        reason=outcome.reason,
        relevance=None if judgement is None else judgement.relevance,
        relevant=None if judgement is None else judgement.relevant,
        left_out=outcome.left_out,
        page=page,
        detail=outcome.detail,
        size=outcome.size,
    )


def links_scored(
    page: Page, scores: LinkScores, names: Sequence[str], positive_above: float = -inf
) -> LinksScored:
    """How each link of a page was scored, with its parts by name."""
    rows = zip(page.links, scores.values.tolist(), scores.parts.tolist(), strict=True)
    return LinksScored(
        page.url,
        [
            ScoredLink(
                link.url,
                link.anchor or link.alt,
                None if score == DROPPED else score,
                dict(zip(names, parts, strict=False)),
                DROPPED != score > positive_above,
            )
            for link, score, parts in rows
        ],
    )
