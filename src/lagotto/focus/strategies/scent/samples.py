"""Samples: what the strategy learns from a page, as bytes that are committed with it."""

from __future__ import annotations

import math
from itertools import count
from math import isnan, nan

import numpy as np
from msgspec import Struct, msgpack

from lagotto.base.hashing import KEYS, hash_link
from lagotto.base.records import Judgement, Lease, Page
from lagotto.base.urls import checksum
from lagotto.focus.strategies.scent.buckets import BUCKETS, Texts, texts_of
from lagotto.focus.strategies.scent.corpus import Reading
from lagotto.focus.strategies.scent.evidence import SLOTS
from lagotto.focus.strategies.scent.features import NAMES, SIMILARITIES
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_table import ANCHOR_TERMS, NewLinks
from lagotto.focus.strategies.scent.words import names_a_word


class PageSample(Struct, array_like=True, tag="p"):
    """A page and its links; arrays as little-endian bytes."""

    lease: int
    id: int
    host: str
    relevance: float
    """What the models learn of it."""
    promise: float
    """Probability of relevance that the link model had predicted."""
    text: float
    mark: float
    seed: bool
    reading: tuple[bytes, bytes, bytes]
    hosts: list[str]
    links: tuple[bytes, bytes, bytes, bytes, bytes, bytes]
    scores: bytes
    shown: float = nan
    """Relevance as shown; of a sample written before there was a difference, what the models learn."""
    signs: float = 0.0
    """Log odds by its own signs of the words."""
    coverage: float = 0.0
    """How much of the words it has."""

    def __post_init__(self) -> None:
        if isnan(self.shown):
            self.shown = self.relevance


class Lost(Struct, array_like=True, tag="l"):
    """A link that brought no page."""

    id: int


class Moved(Struct, array_like=True, tag="m"):
    """A link that is redirected to a target, perhaps on another host."""

    id: int
    target: int
    host: str


class Feedback(Struct, array_like=True, tag="f"):
    """A page that the user marked as on (1) or off (-1) topic."""

    id: int
    terms: dict[str, int]
    mark: float
    host: str = ""


Sample = PageSample | Feedback | Lost | Moved
Parts = tuple[Reading, NewLinks, np.ndarray]
"""Reading, links and link scores of a page."""

_decoder: msgpack.Decoder[Sample] = msgpack.Decoder(Sample)

MOST_KEPT = 64
"""Number of samples that are kept unpacked until they are learned."""
_SEED = 1.0
"""Log odds that a seed is taken to have at most."""
_TERM_PLACES = np.arange(ANCHOR_TERMS)
_PADDING = np.int32(BUCKETS)
_SLOTS = np.uint32(SLOTS)


def new_links(page: Page, judge: Judge) -> NewLinks:
    """The page's links as the link model sees them."""
    hashed = [link.keys for link in page.links]
    if b"" in hashed:
        for link in page.links:
            hash_link(link)
        hashed = [link.keys for link in page.links]
    keys = np.frombuffer(b"".join(hashed), KEYS)
    texts = texts_of(b"".join([link.hashes for link in page.links]))
    places = keys["place"] % _SLOTS
    return NewLinks(
        keys["id"].astype(np.int64),
        [link.host for link in page.links],
        (keys["directory"] % _SLOTS).view(np.int32),
        _numbered(places.tolist()),
        (keys["host"] % _SLOTS ^ places).view(np.int32),
        judge.similarity(texts).reshape(-1, len(SIMILARITIES)),
        _anchors(texts),
    )


def _numbered(places: list[int]) -> np.ndarray:
    """Index of each place among the distinct ones, in order of first occurrence."""
    distinct = dict(zip(dict.fromkeys(places), count()))
    return np.fromiter(map(distinct.__getitem__, places), np.int32, len(places))


def _anchors(texts: Texts) -> np.ndarray:
    """The first anchor terms of each link; the anchor is the first of a link's texts."""
    at = texts.starts[:: len(SIMILARITIES), np.newaxis] + _TERM_PLACES
    there = at < texts.ends[:: len(SIMILARITIES), np.newaxis]
    return np.where(there, texts.terms.take(at, mode="clip"), _PADDING)


def pack(
    page: Page,
    lease: Lease,
    judgement: Judgement,
    learned: float,
    reading: Reading,
    new: NewLinks,
    scores: np.ndarray,
) -> PageSample:
    """The sample of a page; `learned` is the relevance that the models learn from."""
    seed = lease.depth == 0
    return PageSample(
        lease=lease.id,
        id=checksum(page.url),
        host=lease.host,
        relevance=learned,
        promise=_promise(lease),
        text=judgement.parts["text"],
        # A seed that names none of the words is a place to start from, no example.
        mark=1.0 if seed and names_a_word(reading.words) else 0.0,
        seed=seed,
        reading=(reading.buckets.tobytes(), reading.weights.tobytes(), reading.words.tobytes()),
        hosts=new.hosts,
        links=(
            new.ids.tobytes(),
            new.directories.tobytes(),
            new.places.tobytes(),
            new.host_places.tobytes(),
            new.similarity.tobytes(),
            new.anchors.tobytes(),
        ),
        scores=scores.tobytes(),
        shown=judgement.relevance,
        signs=judgement.parts["signs"],
        coverage=judgement.parts["coverage"],
    )


class Pending:
    """Contents of samples that are not learned yet, so that they need not be unpacked.

    Samples that are not found here, as in a resumed crawl, are unpacked with the same result.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[bytes, PageSample, Parts]] = {}

    def put(self, taken: PageSample, parts: Parts) -> bytes:
        """Encode a sample and remember its contents."""
        sample = msgpack.encode(taken)
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        # As long as the bytes are kept here, no other object can have their id.
        self._kept[id(sample)] = sample, taken, parts
        return sample

    def take(self, sample: bytes) -> tuple[PageSample, Parts] | None:
        """Contents of this very bytes object, if still known."""
        found = self._kept.pop(id(sample), None)
        return found[1:] if found is not None else None


def _promise(lease: Lease) -> float:
    """Probability that the link model predicted, without the bonus of a random pick or of a host."""
    lifted = sum(lease.parts[len(NAMES) :])
    # A seed has its place in the queue because the user gave it; that is no prediction.
    score = min(lease.score, _SEED) if lease.depth == 0 else max(lease.score, -30.0)
    return 1.0 / (1.0 + math.exp(lifted - score))


def decode(sample: bytes) -> Sample:
    """Decode a sample of any kind."""
    return _decoder.decode(sample)


def unpack(sample: PageSample) -> Parts:
    """Reading, links and link scores of a sample."""
    found, weights, words = sample.reading
    reading = Reading(
        np.frombuffer(found, np.int32), np.frombuffer(weights, np.float32), np.frombuffer(words, np.float64)
    )
    ids, directories, places, host_places, similarity, anchors = sample.links
    new = NewLinks(
        np.frombuffer(ids, np.int64),
        sample.hosts,
        np.frombuffer(directories, np.int32),
        np.frombuffer(places, np.int32),
        np.frombuffer(host_places, np.int32),
        np.frombuffer(similarity, np.float32).reshape(-1, len(SIMILARITIES)),
        np.frombuffer(anchors, np.int32).reshape(-1, ANCHOR_TERMS),
    )
    return reading, new, np.frombuffer(sample.scores, np.float64)
