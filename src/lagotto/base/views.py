"""What a reader tells about a crawl."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from lagotto.base.facts import PageFacts
from lagotto.base.reasons import was_asked
from lagotto.base.records import FetchedRow, Found, WarcPlace
from lagotto.base.text import CountedTerms


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
    aside: int
    """Links that a user's patterns have set aside."""
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
    """Reason, with the status for `http-status` -> URLs concluded for it, most first."""
    traps: dict[str, int]
    """Trap, as a sentence -> queued links refused because of it, most first."""
    first_at: float | None
    last_at: float | None
    """Wall-clock time of the first and of the last conclusion."""
    revisits: int = 0
    """Later visits to concluded URLs."""
    changed: int = 0
    """Those that found a page changed."""
    gone: int = 0
    """Pages that were gone at the last visit that was answered."""

    @property
    def harvest_ratio(self) -> float:
        """Share of the pages that is relevant."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def asked(self) -> int:
        """URLs that hosts were asked for; repeats and robots.txt are not among them."""
        unasked = sum(n for reason, n in self.reasons.items() if not was_asked(reason))
        return self.concluded - unasked


class HostCount(Struct, frozen=True):
    """What a host has given."""

    host: str
    concluded: int
    pages: int
    relevant: int
    bytes: int


class KnownHost(Struct, frozen=True):
    """A host that has given pages, or that links lead to."""

    host: str
    concluded: int
    pages: int
    relevant: int
    queued: int
    """Links that wait, also for a retry; those held or set aside are left out."""
    best: float | None
    """Highest score of these."""
    citations: int
    """Its URLs that were found on a page of another host."""


class Moment(Struct, frozen=True):
    """How far a crawl was when a URL was concluded."""

    at: float
    concluded: int
    pages: int
    relevant: int
    """By the verdicts of today."""
    known: int
    """URLs that were known, about: those found on pages up to this one, and those found before them."""


class PageChoice(Struct, frozen=True, kw_only=True):
    """Which concluded URLs are wanted."""

    relevant: bool | None = None
    host: str = ""
    reason: str | None = None
    """Why there is no page; empty for ordinary pages, None for all."""
    marked: bool | None = None
    """Whether a user has marked it."""
    least_parts: int = 0
    """Parts that the link score has at least; `scent` gives links that it picks at random one more."""


PageOrder = Literal["newest", "oldest", "relevance", "uncertain"]
"""`uncertain` has those first whose relevance is nearest to 0.5."""


class ChosenPages(Struct, frozen=True):
    """Some of the URLs that were wanted."""

    numbers: list[int]
    total: int
    """How many there are in all."""


class QueuedLink(Struct, frozen=True):
    """A link that waits to be leased."""

    url: str
    score: float
    parts: list[float]
    parent: str
    anchor: str
    depth: int


class WaitingLink(Struct, frozen=True):
    """A link that is known and not concluded, whatever it waits for."""

    state: str
    """`held`, `queued`, `set aside` or `deferred`."""
    link: QueuedLink
    retry_at: float | None = None
    """Wall-clock time of the next attempt."""
    waiting_for: str = ""
    """Why the last attempt failed."""


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


class JudgedPage(Struct, frozen=True, kw_only=True):
    """A fetched page with all that judging it again needs."""

    number: int
    url: str
    title: str
    description: str
    language: str
    terms: CountedTerms | None = None
    """None if they were not kept, or were counted in another way."""
    text: str | None
    """None if it was not kept, or is not needed."""
    targets: bytes
    """Checksums of the URLs that it links to, as 64-bit integers."""
    link_score: float
    """Score of the link that led to it."""
    link_parts: list[float]
    depth: int
    mark: bool | None
    relevance_at_fetch: float | None = None


NEAR_CUT = 0.1
"""Distance from the cut within which a verdict is a close one."""
SURELY = 0.1
"""Chance that a topic is there, below which a crawl that stops by itself stops."""


class Judging(Struct, kw_only=True):
    """What judging all pages again found."""

    strategy: str
    pages: int
    """Pages judged."""
    last_page: int
    """Number of the last of them; pages that came later have only their judgement at fetch."""
    relevant: int
    """Pages that the verdicts call on topic, marks included."""
    marks: int
    """Pages that users or teachers had marked."""
    recall: float
    """Share of the web's pages on topic that was fetched, estimated."""
    recall_low: float
    recall_high: float
    """Its 90 % interval."""
    changed: int = 0
    """Other pages that have another verdict because of the marks."""
    encoder: str = ""
    """Sentence encoder that was used, if any."""
    expected: float | None = None
    """Sum of all relevances: pages expected on topic."""
    precision: float | None = None
    """Share of the pages called on topic that is expected to be so; None if the strategy knows no chances."""
    precision_low: float | None = None
    precision_high: float | None = None
    """Its 90 % interval."""
    cut: float | None = None
    """Relevance from which on a page is called on topic; it is chosen anew with each judging."""
    near: int = 0
    """Pages whose relevance lies within `NEAR_CUT` of the cut: their verdict could as well be the other."""
    here: bool = True
    """Whether the web seems to have the topic at all."""
    presence: float = 1.0
    """Probability of that."""
    clear: bool = True
    """Whether there is a clear sign of the topic; without one no page is called on topic."""
    narrow: bool = False
    """Whether the topic is a few pages here, which show it by themselves."""
    naming: int | None = None
    """Pages that name any of the topic's words."""
    best: str = ""
    """URL of the page that has most of the words."""

    @property
    def surely_absent(self) -> bool:
        """Whether it would be a waste to look further for the topic on this web."""
        return not self.here and self.presence < SURELY

    @property
    def early(self) -> bool:
        """Whether it is too early to say if the topic is here."""
        return self.here and not self.clear

    def sentence(self) -> str:
        """What a person should know of it."""
        if not self.here:
            return self.absence()
        if self.early:
            return self.too_early()
        found = f"{self.relevant} of {self.pages} pages on topic"
        if self.narrow:
            pages = f"{self.relevant} page{'' if self.relevant == 1 else 's'}"
            found = f"a small topic here: {pages} of {self.pages}"
        parts = [f"judged again: {found}", self.sure_of_precision(), self.sure_of_recall()]
        if self.cut is not None and self.relevant:
            near = f"{self.near} page{'' if self.near == 1 else 's'}"
            parts.append(f"cut at relevance {self.cut:.2f}, {near} within {NEAR_CUT:g} of it")
        if self.marks:
            parts.append(f"verdicts on other pages that marks changed: {self.changed}")
        return "; ".join(filter(None, parts))

    def sure_of_precision(self) -> str:
        """Expected precision and its interval; empty if no page was called on topic by chances."""
        if self.precision is None or self.precision_low is None or self.precision_high is None:
            return ""
        interval = f"90 % interval {self.precision_low:.2f} to {self.precision_high:.2f}"
        return f"precision about {self.precision:.2f} ({interval})"

    def sure_of_recall(self) -> str:
        """Estimated recall and its interval, or that it cannot be told."""
        if self.recall_low <= 0.0 and self.recall_high >= 1.0:
            return "too few pages to estimate recall"
        interval = f"90 % interval {self.recall_low:.2f} to {self.recall_high:.2f}"
        return f"recall about {self.recall:.2f} ({interval})"

    def too_early(self) -> str:
        """That nothing shows the topic yet, and what to do."""
        named = f"{self.naming or 0} of {self.pages} pages name any of its words"
        return f"too early to say whether the topic is here: {named}; crawl more pages, or try other seeds"

    def absence(self) -> str:
        """That the topic does not seem to be on this web, and what to do."""
        named = f"{self.naming} of {self.pages} pages name any of its words"
        best = f", best {self.best}" if self.best and self.naming else ""
        return f"the topic does not seem to be here: {named}{best}; try other seeds or other words"


class PageDetails(Struct):
    """What came of a concluded URL."""

    number: int
    fetched_at: float
    status: int
    reason: str
    detail: str
    final_url: str
    attempts: int
    relevance: float | None
    relevant: bool | None
    relevance_at_fetch: float | None
    relevant_at_fetch: bool | None
    model: int
    """Version of the judgement that counts; 0: the one made at the fetch."""
    mark: bool | None
    """A user's mark, which counts more than any judgement."""
    judged: dict[str, float]
    """Parts of the judgement."""
    title: str
    description: str
    language: str
    encoding: str
    links: int
    left_out: dict[str, int]
    """Reason -> links of the page that did not enter the frontier."""
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
    facts: PageFacts | None = None
    """What the page says of itself; None if that is nothing."""


class UrlHistory(Struct):
    """Everything known about a URL."""

    url: str
    state: str
    """`held`, `queued`, `set aside`, `deferred` or `concluded`."""
    seq: int
    """Order of discovery."""
    host: str
    path: list[Step]
    """From the seed to the URL itself, with what led to each."""
    page: PageDetails | None = None
    retry_at: float | None = None
    attempts: int = 0
    waiting_for: str = ""
    """Why a deferred link waits."""


class StoredPage(Struct):
    """A row of an export, and where its body lies."""

    row: FetchedRow
    content_type: str
    place: WarcPlace | None
    detail: str = ""
    """What is known beyond the row's reason."""
    attempts: int = 0
    near_duplicate_of: str = ""
    """URL of the earlier page that has nearly the same text."""
    gone: bool = False
    """Whether the server has said since that there is no such page."""
    facts: PageFacts | None = None
    """What the page says of itself; None if that is nothing."""

    @property
    def is_page(self) -> bool:
        """Whether it is an ordinary page, neither a failure nor a redirect."""
        return self.row.status == 200 and not self.row.reason


class PageVisit(Struct, frozen=True):
    """A later visit to a concluded URL."""

    n: int
    """Counted from 1 over all URLs, in the order of the commits."""
    page: int
    at: float
    found: Found
    status: int
    reason: str
    detail: str
    place: WarcPlace | None
    """Its record in the WARC: an answer if the page had changed, else a revisit record."""


class PageVersion(Struct, frozen=True):
    """What a page was like from one visit on."""

    fetched_at: float
    title: str
    text: str | None
    """None if it was not kept."""
    fingerprint: str
    relevance: float | None
    relevant: bool | None
    place: WarcPlace | None


class Matching(Struct):
    """Links held or queued that match a pattern."""

    count: int
    examples: list[QueuedLink]


class TakenCommand(Struct, frozen=True):
    """A command that was sent, and what came of it."""

    n: int
    content: bytes
    """The command as JSON."""
    who: str
    at: float
    taken_at: float | None = None
    """Wall-clock time at which the crawl took it up; None while it waits."""
    outcome: str = ""
    applied: bool = False


class MarkedPage(Struct, frozen=True):
    """A user's mark that counts now."""

    url: str
    page: int
    on: bool
    who: str
    at: float


class ShardHolder(Struct, frozen=True):
    """Who holds a shard."""

    shard: int
    owner: str
    """Empty if it was released."""
    epoch: int
    until: float
    """Wall-clock time at which the lease ends."""


class WarcFile(Struct, frozen=True):
    """A WARC file of a crawl that workers share."""

    name: str
    owner: str
    """Worker that writes it."""
    end: int
    """Where its last committed record ends."""
    sealed: bool
    """Whether it is finished, and where all can read it."""
