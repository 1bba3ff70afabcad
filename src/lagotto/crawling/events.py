"""What a crawl tells while it runs: one small record an event, in the order things happened."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from lagotto.records import DROPPED, LinkScores, Outcome, Page


class PageDone(Struct):
    """A URL was concluded and committed: a page, or the reason why there is none."""

    outcome: Outcome

    @property
    def url(self) -> str:
        """The URL that was leased."""
        return self.outcome.lease.url


class Deferred(Struct):
    """A URL failed for now and will be tried again at the wall-clock time `until`."""

    url: str
    reason: str
    until: float


class SeedFailed(Struct):
    """A seed could not be fetched; the crawl goes on with the others."""

    url: str
    why: str


class Throttled(Struct):
    """A host asked us to slow down; it is left alone for `seconds`."""

    host: str
    seconds: float


class Expanded(Struct):
    """A page left the shelf: its links were released."""

    url: str
    rank: float
    links: int


class ScoredLink(Struct):
    """A link as its strategy scored it; the score is None when it is not to be followed."""

    url: str
    anchor: str
    score: float | None
    parts: dict[str, float]


class LinksScored(Struct):
    """The links of a page were scored; told only to those who ask for it."""

    page: str
    links: list[ScoredLink]


class Finished(Struct):
    """The crawl is over; `why` is a sentence."""

    why: str


Event = PageDone | Deferred | SeedFailed | Throttled | Expanded | LinksScored | Finished


def links_scored(page: Page, scores: LinkScores, names: Sequence[str]) -> LinksScored:
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
            )
            for link, score, parts in rows
        ],
    )
