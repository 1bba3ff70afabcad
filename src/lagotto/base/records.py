"""What flows between the stages: links, leases, fetched bytes, pages, judgements, outcomes.

The life of a link: discovered -> queued -> leased -> fetched | failed -> committed.
A `Lease` goes to the fetcher, a `Fetched` (or a `Failure`) comes back, the parser makes a `Page`
of it, the strategy a `Judgement` and `LinkScores`, and all of that is one `Outcome`, which the
store commits in one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from msgspec import Struct

from lagotto.base.facts import OptOut, PageFacts
from lagotto.base.reasons import Reason as Reason

HIDDEN = "lagotto-hidden"
"""Added to the `rel` of a link that is marked nofollow and hidden from readers."""
DROPPED = float("-inf")
"""The score of a link that its strategy chose not to follow."""
SEED_SCORE = 1e6
"""The score of a seed that the user gave: higher than that of any link, so that seeds are fetched first."""


class Link(Struct, array_like=True):
    """One target that a page links to, with what the page says about it.

    A page has one `Link` for each distinct canonical URL; when it links there several times, the
    first place counts and the longest anchor text is kept.
    """

    url: str
    anchor: str = ""
    alt: str = ""
    context: str = ""
    """Up to ten words before and ten after the anchor, the anchor itself left out."""
    heading: str = ""
    path: str = ""
    """DOM path from body to the link, such as `div.content>ul>li>a`."""
    rel: str = ""
    """What the link says of its target; `HIDDEN` is added to a `nofollow` that readers do not see."""
    anchor_terms: list[str] = []
    """Terms of anchor and image alt text."""
    context_terms: list[str] = []
    url_terms: list[str] = []
    host: str = ""
    keys: bytes = b""
    hashes: bytes = b""
    """What `hashing.hash_link` makes of it; empty where nobody has hashed it."""


class Page(Struct, array_like=True):
    """What the parser makes of a fetched body."""

    url: str
    """The canonical URL the body was fetched from."""
    title: str = ""
    description: str = ""
    headings: list[str] = []
    text: str = ""
    language: str = ""
    encoding: str = ""
    terms: dict[str, int] = {}
    """Term -> occurrences, over title and text."""
    title_terms: list[str] = []
    fingerprint: int = 0
    """64-bit checksum of the content, signed as SQLite and PostgreSQL keep it."""
    simhash: int = 0
    links: list[Link] = []
    left_out: dict[str, int] = {}
    """Reason -> links that can never be fetched (`mailto`, `javascript`, invalid, ...)."""
    canonical: str = ""
    """Target of rel=canonical, if the page names one."""
    refresh: str = ""
    """Target of a meta refresh, if the page has one."""
    noindex: bool = False
    nofollow: bool = False
    hashes: bytes = b""
    """What `hashing.hash_page` makes of its terms; empty where nobody has hashed them."""
    keyword_terms: list[str] = []
    """Terms of its meta keywords; they are no part of `terms`."""
    facts: PageFacts | None = None
    """What it says of itself; None if that is nothing."""
    counting: int = 0
    """How its terms were counted, as `text.counting` says it; 0 if that is not known."""

    @property
    def length(self) -> int:
        """Number of term occurrences on the page."""
        return sum(self.terms.values())


class Lease(Struct):
    """A link taken from the frontier, not yet committed."""

    id: int
    """Signed 64-bit checksum of the canonical URL."""
    url: str
    host: str
    """Host and port as politeness and robots.txt see them, such as `example.org` or `a.org:8080`."""
    score: float = 0.0
    parts: list[float] = []
    """Parts of the link score, in the order of the strategy's `link_parts`."""
    depth: int = 0
    parent: str = ""
    seq: int = 0
    """Order of discovery; breaks ties between equal scores."""
    attempts: int = 0
    hops: int = 0
    """Redirects that led here."""
    anchor: str = ""


class Fetched(Struct, weakref=True):
    """An HTTP answer, whatever its status."""

    url: str
    status: int
    headers: list[tuple[str, str]] = []
    body: bytes = b""
    """Decompressed body."""
    wire: bytes = b""
    """Body as it was transferred, transfer coding removed: what the WARC keeps."""
    request_headers: list[tuple[str, str]] = []
    http_version: str = "1.1"
    status_text: str = ""
    content_type: str = ""
    """What the body is, after sniffing."""
    declared_type: str = ""
    sent_at: float = 0.0
    """Monotonic time at which the request reached the server, as far as we can tell; politeness counts
    from here."""
    fetched_at: float = 0.0
    """Wall-clock time at which the answer was complete."""
    address: str = ""
    location: str = ""
    """Absolute, canonical target of a redirect."""
    etag: str = ""
    last_modified: str = ""
    truncated: bool = False
    noindex: bool = False
    """X-Robots-Tag says noindex to us."""
    nofollow: bool = False
    opt_outs: list[OptOut] = []
    """Uses that the headers opt out of."""
    retry_after: float = 0.0

    def header(self, name: str) -> str:
        """First value of a header, or an empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


class Failure(Struct):
    """Why there is no answer, or no page."""

    reason: Reason
    detail: str = ""
    sent_at: float = 0.0
    """Monotonic time at which a request left, 0 when none did."""
    retry_after: float = 0.0
    """Seconds the server asked us to wait."""
    again: bool = False
    """Ask again in the host's turn: neither the host nor the URL is to blame."""


class Judgement(Struct):
    """What a strategy says of a fetched page."""

    relevance: float
    relevant: bool
    parts: dict[str, float] = {}
    """What made the relevance, shown by `explain`."""
    shelf: float | None = None
    """Rank on the shelf: the page's links are held until this rank comes up."""


class LinkScores:
    """Scores of a page's links, aligned with `page.links`; `DROPPED` where not to be followed."""

    __slots__ = ("parts", "values")

    def __init__(self, values: np.ndarray, parts: np.ndarray | None = None) -> None:
        self.values = values
        self.parts = np.zeros((len(values), 0), np.float32) if parts is None else parts


class NewLink(Struct, array_like=True):
    """A link on its way into the frontier."""

    id: int
    url: str
    host: str
    score: float
    parts: list[float]
    depth: int
    parent: str
    anchor: str = ""
    hops: int = 0
    held: bool = False


class WarcPlace(Struct, array_like=True, frozen=True):
    """Where the response record of a page lies."""

    file: str
    offset: int
    length: int


class Outcome(Struct):
    """All that one lease led to, committed as one.

    Exactly one of these holds: the URL is done (`retry_at` is None), or it goes back to the
    frontier until the wall-clock time `retry_at`.
    """

    lease: Lease
    fetched_at: float
    status: int = 0
    """HTTP status, 0 when no answer came."""
    reason: str = ""
    """Empty for an ordinary page, else a `Reason`."""
    detail: str = ""
    retry_at: float | None = None
    final_url: str = ""
    page: Page | None = None
    judgement: Judgement | None = None
    links: list[NewLink] = []
    left_out: dict[str, int] = {}
    """Reason -> links of the page that did not enter the frontier."""
    near_duplicate_of: str = ""
    sample: bytes | None = None
    """What `Strategy.learn` took from this page; replayed on resume."""
    warc: WarcPlace | None = None
    content_type: str = ""
    declared_type: str = ""
    size: int = 0
    truncated: bool = False
    etag: str = ""
    last_modified: str = ""
    address: str = ""


class Found(StrEnum):
    """What asking for a page again has found."""

    SAME = "same"
    """Nothing that a reader would notice."""
    CHANGED = "changed"
    GONE = "gone"
    """The server says that there is no such page: status 404 or 410."""
    MOVED = "moved"
    """A redirect; its target is a link like any other."""
    FAILED = "failed"
    """No answer, or none that says anything about the page."""


class Revisit(Struct):
    """What a visit to a concluded URL found, committed as one.

    The outcome names the URL by the checksum of its lease. Its page, judgement and place in the WARC take the
    place of the old ones if the page has changed, and its links are discovered; otherwise they stay.
    """

    outcome: Outcome
    found: Found
    restores: bool = False
    """Whether the stored answer was lost: the new one takes its place even if the page is the same."""


@dataclass(slots=True)
class FetchedRow:
    """One row of an export: a URL that was concluded, in fetch order.

    A dataclass, since pandas and polars make columns of its fields.
    """

    seq: int
    url: str
    final_url: str
    status: int
    fetched_at: str
    relevance: float | None
    relevant: bool | None
    title: str
    depth: int
    parent: str
    link_score: float | None
    host: str
    language: str
    fingerprint: str
    reason: str
    relevance_at_fetch: float | None = None
    """The first judgement; `relevance` is the newest."""
    description: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    canonical: str = ""
    license: str = ""
    opt_outs: str = ""
    """Author to opt-outs are what `PageFacts.columns` gives."""
    text: str | None = None
