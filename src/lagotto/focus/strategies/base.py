"""The strategy: what a crawl does with a page and its links.

A strategy is an object with few methods. `judge` and `score` read its state and never change it;
`learn` alone changes it, and only by what is in a sample. A sample is committed together with
its page, so a crawl that is killed and resumed has learned exactly what it had committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from lagotto.base.errors import InputError
from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.focus.topic import WeightTable

if TYPE_CHECKING:
    from lagotto.focus.judging import FetchedPage, Rejudged
    from lagotto.focus.judging.encoder import Encoder


class Revision(NamedTuple):
    """New score of a queued link."""

    id: int
    host: str
    score: float
    parts: list[float]


class Strategy:
    """Base of all strategies; a useful one overrides `judge` and `score`."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `lagotto strategies`."""
    meanings: ClassVar[Mapping[str, str]] = {}
    """Option -> what it does, in a few words."""
    follows: ClassVar[str] = ""
    """Which links it follows, if not all; the words complete the sentence "NAME follows ..."."""
    thresholds: ClassVar[tuple[str, ...]] = ()
    """Names of its options that let it follow more links if they are lower."""
    link_parts: ClassVar[tuple[str, ...]] = ()
    """Names of the parts of a link score, in the order `score` returns them; revisions may have more."""
    shelves: ClassVar[bool] = False
    """Whether pages wait on the shelf until their links are released."""
    clearly_better: ClassVar[float] = inf
    """Difference of scores from which a crawl with patience waits for the host of the better link."""
    positive_above: ClassVar[float] = -inf
    """Score above which a link is expected to lead to a relevant page; by default every followed link is."""
    reads_link_words: ClassVar[bool] = True
    """Whether it reads the terms, context, heading and DOM path of links, or only what is hashed of them.

    A class that derives from another must say it again, since it may read more; see `reads_link_words`.
    """
    topic_changes: ClassVar[bool] = False
    """Whether what was learned changes how a page is judged."""
    content_seen: bool = True
    """Whether a page whose content was seen before is dropped; the crawl's own setting may say no too."""
    table: WeightTable | None = None
    """Weight table in force, for people to see; a new object whenever it changes."""

    def judge(self, page: Page) -> Judgement:
        """Relevance of a page, 0 to 1, and the verdict."""
        raise NotImplementedError

    def rank(self, page: Page, judgement: Judgement, lease: Lease) -> float | None:
        """Rank of the page on the shelf; None if it does not wait there."""
        return judgement.shelf

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Score of each of the page's links, higher first; `DROPPED` for those not to follow."""
        raise NotImplementedError

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """What `learn` needs of this page, or None when there is nothing to learn."""
        return None

    def lost(self, lease: Lease) -> bytes | None:
        """What `learn` needs of a link that brought no page, or None when there is nothing to learn."""
        return None

    def moved(self, lease: Lease, target: str) -> bytes | None:
        """What `learn` needs of a link that is redirected; its target takes its place."""
        return self.lost(lease)

    def learn(self, sample: bytes) -> None:
        """Take in one sample."""

    def revisions(self) -> list[Revision]:
        """Queued links whose scores changed since the last call; called after learning."""
        return []

    def expanded(self, page_id: int) -> Iterable[tuple[int, float]]:
        """Take note that the page left the shelf; returns the ranks of other shelved pages that change."""
        return ()

    def feedback(self, terms: dict[str, int], on: bool | None, url: str = "") -> bytes | None:
        """A sample by which `learn` takes a user's verdict on a page; None if it learns from none.

        `on` is None when the user takes an earlier verdict back.
        """
        return None

    def edit(self, words: Mapping[str, float]) -> bytes | None:
        """A sample by which `learn` gives words of the topic other weights; None if it has no words now.

        A weight of 0 removes a word. Raises `InputError` if nothing would be left of the topic.
        """
        return None

    def use_encoder(self, encoder: Encoder) -> bool:
        """Read pages and links with a sentence encoder from now on; returns whether it does."""
        return False

    def rejudge(self, pages: Iterable[FetchedPage], encoder: Encoder | None = None) -> Rejudged | None:
        """Judge all fetched pages again by what is known now, learning nothing; None if it cannot."""
        return None

    def stop_reason(self) -> str:
        """Why the crawl should stop, as a sentence; empty while it should go on."""
        return ""

    def outlook(self) -> dict[str, float]:
        """The strategy's own estimates of how the crawl is doing, by name."""
        return {}

    def save(self) -> bytes:
        """All that was learned."""
        return b""

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""


def reads_link_words(strategy: Strategy) -> bool:
    """Whether a strategy reads the words of links, by what its own class says."""
    return bool(vars(type(strategy)).get("reads_link_words", True))


def check_range(strategy: str, lowest: float, highest: float = inf, /, **options: float) -> None:
    """Refuse options outside a closed range.

    >>> check_range("static", 1, size=100, first_pages=50)
    """
    wanted = f"from {lowest} up" if highest == inf else f"from {lowest} to {highest}"
    for option, value in options.items():
        if not lowest <= value <= highest:
            raise InputError(f"option '{option}' of '{strategy}' is a number {wanted}, not {value}")


def check_positive(strategy: str, /, **options: float) -> None:
    """Refuse options that are not above 0."""
    for option, value in options.items():
        if not value > 0:
            raise InputError(f"option '{option}' of '{strategy}' is a number above 0, not {value}")
