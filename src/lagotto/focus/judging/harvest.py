"""What judging again takes: every fetched page as a row of arrays, in fetch order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, nan
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

HALF = 1.5
"""Occurrences of a word at which it counts a little over a third of what it can."""
SHORT = 20
"""Words that a page is taken to have at least, so that a single word is not a dense page."""


class Weights(Protocol):
    """Values of hashed terms: an array, or a table that is read like one."""

    def __getitem__(self, terms: Integers, /) -> Singles: ...


class FetchedPage(Struct, frozen=True, kw_only=True):
    """A fetched page as a store hands it to a strategy."""

    id: int
    """Checksum of its URL."""
    host: str
    counts: Mapping[str, int]
    """Term -> occurrences, over title and text."""
    titled: Sequence[str] = ()
    """Terms of the title."""
    links: Sequence[int] = ()
    """Checksums of the URLs that it links to."""
    link_score: float = nan
    """Score of the link that was followed to it; nan where there was none."""
    seed: bool = False
    mark: bool | None = None
    """Whether the user, or a teacher, said that it is on topic."""
    text: str = ""
    """What an encoder reads of it, see `encoder.opening`; not needed without one."""


class Harvest(Struct, frozen=True, kw_only=True):
    """All fetched pages; the terms of all pages lie end to end."""

    score: Floats
    """By the current model, on any scale, higher is more relevant."""
    chance: Floats
    """Relevance by the current model, 0 to 1."""
    terms: Integers
    """Hashed terms."""
    weights: Singles
    """tf-idf weights of the terms."""
    lengths: Integers
    """Terms of each page."""
    hosts: Integers
    """Number of each page's host."""
    children: Integers
    parents: Integers
    """Links among these pages, as rows of linked and linking pages."""
    out_links: Integers
    """Links on each page."""
    link_scores: Floats
    """Score of the link that led to each page, nan where there was none."""
    seeds: Flags
    coverage: Floats
    """How much of the user's words each page has, 0 to 1."""
    density: Floats
    """How often it names them."""
    titled: Floats
    """How much of the user's words its title has, 0 to 1."""
    about: Floats
    """Cosine with what the words mean; zeros where no word vectors are known."""
    marks: Floats
    """1 on topic, 0 off topic by the user's word, nan where nothing was said."""
    embeddings: Singles | None = None
    """Rows of length 1 from an encoder."""
    asked: Singles | None = None
    """By the same encoder: the words together in the first row, then each word."""

    def __len__(self) -> int:
        return len(self.score)


class Gathering:
    """Collects pages one by one, and the links among them."""

    def __init__(self, words: Mapping[str, float]) -> None:
        """`words` are the user's, with the share of each, which add up to 1."""
        self._words = dict(words)
        self._ids: list[int] = []
        self._hosts: list[str] = []
        self._terms: list[NDArray[np.int32]] = []
        self._weights: list[Singles] = []
        self._links: list[NDArray[np.int64]] = []
        self._figures: list[tuple[float, float, float, float, float, float, bool]] = []
        self._among: tuple[Integers, Integers] | None = None

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, page: FetchedPage, terms: NDArray[np.int32], weights: Singles, about: float) -> None:
        """One more page, with its heaviest terms and the cosine with what the words mean."""
        mark = nan if page.mark is None else float(page.mark)
        self._among = None
        self._ids.append(page.id)
        self._hosts.append(page.host)
        self._terms.append(terms)
        self._weights.append(weights)
        self._links.append(np.asarray(page.links, np.int64))
        in_title = sum(share for word, share in self._words.items() if word in page.titled)
        named = coverage(page.counts, self._words), density(page.counts, self._words), in_title
        self._figures.append((*named, about, page.link_score, mark, page.seed))

    @property
    def ids(self) -> Integers:
        """Checksums of the pages' URLs."""
        return np.array(self._ids, np.int64)

    def terms(self) -> tuple[Integers, Singles, Integers]:
        """Terms of all pages end to end, their weights as added, and how many each page has."""
        terms = np.concatenate([np.zeros(0, np.int32), *self._terms]).astype(np.int64)
        weights = np.concatenate([np.zeros(0, np.float32), *self._weights])
        return terms, weights, np.array([len(found) for found in self._terms], np.int64)

    def links(self) -> tuple[Integers, Integers]:
        """Rows of linked and of linking pages, as `links_among` finds them."""
        if self._among is None:
            self._among = links_among(self.ids, self._links)
        return self._among

    def harvest(
        self,
        score: Floats,
        chance: Floats,
        idf: Weights,
        embeddings: Singles | None = None,
        asked: Singles | None = None,
    ) -> Harvest:
        """The harvest, given the current model's scores and the idf of hashed terms."""
        figures = np.array(self._figures, np.float64).reshape(len(self), 7)
        terms, weights, lengths = self.terms()
        children, parents = self.links()
        return Harvest(
            score=score,
            chance=chance,
            terms=terms,
            weights=np.asarray(weights * idf[terms], np.float32),
            lengths=lengths,
            hosts=np.unique(np.array(self._hosts, np.str_), return_inverse=True)[1].astype(np.int64),
            children=children,
            parents=parents,
            out_links=np.array([len(links) for links in self._links], np.int64),
            link_scores=figures[:, 4],
            seeds=figures[:, 6] > 0,
            coverage=figures[:, 0],
            density=figures[:, 1],
            titled=figures[:, 2],
            about=figures[:, 3],
            marks=figures[:, 5],
            embeddings=embeddings,
            asked=asked,
        )


def links_among(ids: Integers, links: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Rows of linked and of linking pages, each pair once, without links of a page to itself.

    `links` are the checksums of the URLs that each page links to.
    """
    if not len(ids):
        return ids, ids
    order = np.argsort(ids, kind="stable")
    parents = np.repeat(np.arange(len(ids)), [len(of_page) for of_page in links])
    targets = np.concatenate(links)
    at = np.minimum(np.searchsorted(ids[order], targets), len(ids) - 1)
    children = order[at]
    there = (ids[children] == targets) & (children != parents)
    pairs = np.unique(children[there] * len(ids) + parents[there])
    return pairs // len(ids), pairs % len(ids)


def coverage(counts: Mapping[str, int], words: Mapping[str, float]) -> float:
    """How much of the words a page has: the sum of share · tf / (tf + 1.5)."""
    return sum(share * (tf := counts.get(word, 0)) / (tf + HALF) for word, share in words.items())


def density(counts: Mapping[str, int], words: Mapping[str, float]) -> float:
    """How often a page names the words: ln(1 + 1000 · Σ share · tf / tokens)."""
    named = sum(share * counts.get(word, 0) for word, share in words.items())
    return log(1.0 + 1000.0 * named / max(sum(counts.values()), SHORT)) if named else 0.0
