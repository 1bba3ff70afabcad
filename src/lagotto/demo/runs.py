"""What a crawl of the demo web brought, page by page, as the judge saw it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """A crawl: its name, and for each page in fetch order whether it was relevant."""

    name: str
    hits: Sequence[bool]

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
        """Harvest ratio in each of `count` equal stretches of the crawl."""
        edges = [round(place * self.fetched / count) for place in range(count + 1)]
        stretches = [self.hits[start:end] for start, end in pairwise(edges)]
        return [sum(stretch) / len(stretch) for stretch in stretches if stretch]
