"""Bounds for comparisons: what chance, link counts alone and full knowledge would do.

`Oracle` sees the labels. It is made by the lab, for the lab; it is in no registry, and no crawl
can name it.
"""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import xxhash

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.base.urls import checksum
from lagotto.focus.strategies.base import Strategy

_ids = msgspec.msgpack.Decoder(list[int])
_counts = msgspec.msgpack.Decoder(dict[int, int])


class Bound(Strategy):
    """Judges nothing: a bound is measured by the truth alone."""

    def judge(self, page: Page) -> Judgement:
        return Judgement(relevance=0.0, relevant=False)


class Random(Bound):
    """Links in random order."""

    name = "random"
    summary = "Bound: links in random order."

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        scores = [xxhash.xxh3_64_intdigest(link.url.encode(), self.seed) / 2**64 for link in page.links]
        return LinkScores(np.array(scores, float))


class Indegree(Bound):
    """The link that most fetched pages point to."""

    name = "indegree"
    summary = "Bound: the link that most fetched pages point to."

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        return LinkScores(np.array([self.counts[checksum(link.url)] + 1.0 for link in page.links], float))

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        return msgspec.msgpack.encode([checksum(link.url) for link in page.links])

    def learn(self, sample: bytes) -> None:
        self.counts.update(_ids.decode(sample))

    def save(self) -> bytes:
        return msgspec.msgpack.encode(dict(self.counts))

    def load(self, state: bytes) -> None:
        self.counts = Counter(_counts.decode(state))


class Oracle(Bound):
    """Greedy with the truth: relevant links first, in order of discovery."""

    name = "oracle"
    summary = "Bound: knows the label of every page before it is fetched."

    def __init__(self, relevant: frozenset[str]) -> None:
        self.relevant = relevant

    def judge(self, page: Page) -> Judgement:
        hit = page.url in self.relevant
        return Judgement(relevance=float(hit), relevant=hit)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        # A relevant page is fetched before anything else; off-topic ones near a relevant page next.
        hits = np.array([link.url in self.relevant for link in page.links], float)
        return LinkScores(2.0 * hits + judgement.relevance)
