"""What the strategy learns from a page, as bytes that are committed with it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, msgpack

from lagotto.records import Judgement, Lease, Link, Page
from lagotto.strategies.scent.buckets import BUCKETS, bucket, key
from lagotto.strategies.scent.judge import Judge, Reading
from lagotto.strategies.scent.linktable import ANCHOR_TERMS, NewLinks
from lagotto.urls import checksum, host_of


class PageSample(Struct, array_like=True, tag="p"):
    """A page and its links; arrays as little-endian bytes."""

    lease: int
    id: int
    host: str
    relevance: float
    score: float
    """Link score under which it was fetched."""
    text: float
    mark: float
    reading: tuple[bytes, bytes, bytes]
    hosts: list[str]
    links: tuple[bytes, bytes, bytes, bytes, bytes, bytes]
    scores: bytes


class Lost(Struct, array_like=True, tag="l"):
    """A link that brought no page."""

    id: int


class Feedback(Struct, array_like=True, tag="f"):
    """A page that the user marked as on (1) or off (-1) topic."""

    id: int
    terms: dict[str, int]
    mark: float


def new_links(page: Page, judge: Judge) -> NewLinks:
    """The page's links as the link model sees them."""
    links = page.links
    hosts = [host_of(link.url) for link in links]
    names = list(dict.fromkeys(hosts))
    numbers = {name: number for number, name in enumerate(names)}
    return NewLinks(
        np.fromiter((checksum(link.url) for link in links), np.int64, len(links)),
        names,
        np.fromiter((numbers[host] for host in hosts), np.int32, len(links)),
        np.fromiter((key(link.url.rpartition("/")[0]) for link in links), np.int64, len(links)),
        np.fromiter((key(_place(link.path)) for link in links), np.int64, len(links)),
        judge.similarity(_texts(links)).reshape(-1, 3).astype(np.float32),
        _anchors(links),
    )


def _place(path: str) -> str:
    """The last four steps of a DOM path."""
    return ">".join(path.rsplit(">", 4)[-4:])


def _texts(links: list[Link]) -> list[list[str]]:
    """Anchor, context and URL terms of each link in turn."""
    return [terms for link in links for terms in (link.anchor_terms, link.context_terms, link.url_terms)]


def _anchors(links: list[Link]) -> np.ndarray:
    """Buckets of the first anchor terms of each link."""
    padding = [BUCKETS] * ANCHOR_TERMS
    found: list[int] = []
    for link in links:
        terms = link.anchor_terms[:ANCHOR_TERMS]
        found += map(bucket, terms)
        found += padding[len(terms) :]
    return np.array(found, np.int32).reshape(-1, ANCHOR_TERMS)


def pack(
    page: Page, lease: Lease, judgement: Judgement, reading: Reading, new: NewLinks, scores: np.ndarray
) -> bytes:
    """The sample of a page."""
    return msgpack.encode(
        PageSample(
            lease=lease.id,
            id=checksum(page.url),
            host=lease.host,
            relevance=judgement.relevance,
            score=lease.score,
            text=judgement.parts["text"],
            mark=1.0 if lease.depth == 0 else 0.0,
            reading=(reading.buckets.tobytes(), reading.weights.tobytes(), reading.words.tobytes()),
            hosts=new.host_names,
            links=(
                new.ids.tobytes(),
                new.hosts.tobytes(),
                new.directories.tobytes(),
                new.paths.tobytes(),
                new.similarity.tobytes(),
                new.anchors.tobytes(),
            ),
            scores=scores.tobytes(),
        )
    )


def unpack(sample: PageSample) -> tuple[Reading, NewLinks, np.ndarray]:
    """Reading, links and link scores of a sample."""
    found, weights, words = sample.reading
    reading = Reading(
        np.frombuffer(found, np.int32), np.frombuffer(weights, np.float32), np.frombuffer(words, np.float64)
    )
    ids, hosts, directories, paths, similarity, anchors = sample.links
    new = NewLinks(
        np.frombuffer(ids, np.int64),
        sample.hosts,
        np.frombuffer(hosts, np.int32),
        np.frombuffer(directories, np.int64),
        np.frombuffer(paths, np.int64),
        np.frombuffer(similarity, np.float32).reshape(-1, 3),
        np.frombuffer(anchors, np.int32).reshape(-1, ANCHOR_TERMS),
    )
    return reading, new, np.frombuffer(sample.scores, np.float64)
