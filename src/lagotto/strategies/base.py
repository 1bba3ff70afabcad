"""The strategy: what a crawl does with a page and its links.

A strategy is an object with few methods. `judge` and `score` read its state and never change it;
`learn` alone changes it, and only by what is in a sample. A sample is committed together with
its page, so a crawl that is killed and resumed has learned exactly what it had committed.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import ClassVar, NamedTuple

from lagotto.records import Judgement, Lease, LinkScores, Page


class Revision(NamedTuple):
    """A queued link that what was learned gives another score."""

    id: int
    host: str
    score: float
    parts: list[float]


class Strategy:
    """Base of all strategies; a useful one overrides `judge` and `score`."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `lagotto strategies`."""
    link_parts: ClassVar[tuple[str, ...]] = ()
    """Names of the parts of a link score, in the order `score` returns them; revisions may have more."""
    shelves: ClassVar[bool] = False
    """Whether pages wait on the shelf until their links are released."""
    clearly_better: ClassVar[float] = inf
    """Difference of scores from which a patient crawl waits for the host of the better link."""
    content_seen: bool = True
    """Whether a page whose content was seen before is dropped; the crawl's own setting may say no too."""

    def judge(self, page: Page) -> Judgement:
        """Relevance of a page, 0 to 1, and the verdict."""
        raise NotImplementedError

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Score of each of the page's links, higher first; `DROPPED` for those not to follow."""
        raise NotImplementedError

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """What `learn` needs to know of this page, or None when there is nothing to learn."""
        return None

    def lost(self, lease: Lease) -> bytes | None:
        """What `learn` needs to know of a link that brought no page, or None when that is nothing."""
        return None

    def moved(self, lease: Lease, target: str) -> bytes | None:
        """What `learn` needs to know of a link that is redirected to a URL, which takes its place."""
        return self.lost(lease)

    def learn(self, sample: bytes) -> None:
        """Take in one sample."""

    def revisions(self) -> list[Revision]:
        """Queued links, anywhere, that have new scores since this was last asked; asked after learning."""
        return []

    def expanded(self, page_id: int) -> Iterable[tuple[int, float]]:
        """The page left the shelf: new ranks of shelved pages that this changes."""
        return ()

    def feedback(self, terms: dict[str, int], on: bool, url: str = "") -> bytes | None:
        """A sample by which `learn` takes a user's verdict on a page; None if it learns from none."""
        return None

    def stop_reason(self) -> str:
        """Why going on is not worth it, as a sentence; empty while it is."""
        return ""

    def outlook(self) -> dict[str, float]:
        """How the crawl is doing by the strategy's own judgement, as named figures."""
        return {}

    def save(self) -> bytes:
        """All that was learned."""
        return b""

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
