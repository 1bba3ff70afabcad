"""The result of a crawl of the demo web, page by page, by labels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """A crawl: its name, for each page in fetch order whether it was relevant, and what it says itself."""

    name: str
    hits: Sequence[bool]
    claimed: int = 0
    """Pages that the crawl's own verdicts call relevant, as `lagotto status` counts them."""
    estimate: tuple[float, float, float] | None = None
    """The crawl's own estimate of its recall, with its 90 % interval; None if it has none."""

    @property
    def fetched(self) -> int:
        """Pages fetched."""
        return len(self.hits)

    @property
    def found(self) -> int:
        """Relevant pages fetched."""
        return sum(self.hits)

    @property
    def harvest_ratio(self) -> float:
        """Share of the fetched pages that were relevant."""
        return self.found / self.fetched if self.fetched else 0.0

    def curve(self) -> list[int]:
        """Relevant pages found after 0, 1, 2, ... fetches."""
        return list(accumulate(self.hits, initial=0))

    def segments(self, count: int) -> list[float]:
        """Harvest ratio in each of `count` equal parts of the crawl."""
        edges = [round(place * self.fetched / count) for place in range(count + 1)]
        stretches = [self.hits[start:end] for start, end in pairwise(edges)]
        return [sum(stretch) / len(stretch) for stretch in stretches if stretch]
