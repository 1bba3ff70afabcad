"""`linkrank`: link structure times content similarity.

    Rank(p) = (links_to_seed + links_from_seed)·(0.1 + content_similarity)

The candidate with the highest rank joins the seed pages, all pages that it links to are downloaded and become
candidates, and the counts of the others are adjusted. Content similarity is taken against the vocabularies of
the topic's sub-domains. The paper's candidates include images and Flash; here they are pages only.
Paper input: topic documents, to be clustered. Words and seeds only: similarity is the cosine with the words
until the first pages are there; the seeds and those most like the words are then clustered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct, msgpack

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.base.urls import checksum
from lagotto.focus.strategies.base import Strategy, check_range
from lagotto.focus.strategies.parts.first_pages import FirstPage, FirstPages
from lagotto.focus.strategies.parts.words import VERDICT, Edits, focus_table, words_of
from lagotto.focus.strategies.seed_links import MAX_LINKS, SeedLinks
from lagotto.focus.strategies.simple import in_page_order
from lagotto.focus.topic import Topic, Vocabularies, WeightTable, build_vocabularies

MAX_SEED = 2**32 - 1
"""The largest seed that the clustering takes."""
START_RANK = 1e12
"""Rank of the pages that the user gave: they become seed pages before any candidate."""


class LinkRank(Strategy):
    """Expands the page with the best rank, and downloads all its links before the next."""

    name: ClassVar[str] = "linkrank"
    summary: ClassVar[str] = (
        "expands the page with the most links from and to seed pages times its similarity"
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "k": "sub-domains that count in a similarity",
        "min_occurrence": "a term is in a vocabulary if it occurs more often than this",
        "clusters": "sub-domains; 0: about one for five documents, 2 to 10",
        "threshold": "similarity above which a page counts as relevant; it has no influence on the order",
        "first_pages": "pages that are clustered where there are no examples",
        "max_links": "links remembered of pages that wait to be expanded",
        "seed": "seed of the clustering",
    }
    topic_changes: ClassVar[bool] = True
    reads_link_words: ClassVar[bool] = False
    shelves: ClassVar[bool] = True

    def __init__(
        self,
        topic: Topic,
        *,
        k: int = 2,
        min_occurrence: int = 2,
        clusters: int = 0,
        threshold: float = 0.55,
        first_pages: int = 50,
        max_links: int = MAX_LINKS,
        seed: int = 0,
    ) -> None:
        check_range(self.name, 1, k=k)
        check_range(
            self.name,
            0,
            min_occurrence=min_occurrence,
            clusters=clusters,
            first_pages=first_pages,
        )
        check_range(self.name, 0, MAX_LINKS, max_links=max_links)
        check_range(self.name, 0, MAX_SEED, seed=seed)
        self.topic = topic
        self.k = k
        self.min_occurrence = min_occurrence
        self.clusters = clusters
        """Sub-domains to look for; 0: by the number of documents."""
        self.threshold = threshold
        self.first_pages = first_pages
        self.max_links = max_links
        self.seed = seed
        self._links = SeedLinks(max_links)
        self._revised: list[int] = []
        """Pages whose rank changed with the vocabularies; returned by the next `expanded`."""
        self._vocabularies = topic.vocabularies
        if self._vocabularies is None and topic.relevant:
            self._vocabularies = self._clustered([document.terms for document in topic.relevant])
        self._first = FirstPages(first_pages if self._vocabularies is None else 0)
        self._words = focus_table(topic) if self._vocabularies is None else WeightTable({})
        self._edits = Edits(topic.language)
        self.table = self._shown_table()

    def judge(self, page: Page) -> Judgement:
        """Content similarity as relevance, and the rank on the shelf."""
        similarity, relevant = self._similarity(page.terms)
        found = self._links.fetched(checksum(page.url), _targets(page), similarity)
        parts = {
            "similarity": similarity,
            "links_to_seed": float(found.to_seed),
            "links_from_seed": float(found.from_seed),
            "rank": found.rank,
        }
        return Judgement(similarity, relevant, parts, shelf=found.rank)

    def rank(self, page: Page, judgement: Judgement, lease: Lease) -> float | None:
        """The paper's rank; a page that the user gave goes before all candidates."""
        return START_RANK if lease.depth == 0 else judgement.shelf

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Equal scores, in the order of the page: all links are downloaded once it is a seed page."""
        return LinkScores(in_page_order(np.zeros(len(page.links))))

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        """The page's links and similarity; its terms as well while there are no vocabularies."""
        first = None if self._first.enough else FirstPage.of(page, lease, judgement.relevance)
        targets = np.array(_targets(page), np.int64).tobytes()
        return msgpack.encode(_Sample(lease.id, lease.depth == 0, judgement.relevance, targets, first))

    def edit(self, words: Mapping[str, float]) -> bytes | None:
        """Possible until the vocabularies are there, which are sets of words without weights."""
        return self._edits.sample(words, self._words) if self._vocabularies is None else None

    def learn(self, sample: bytes) -> None:
        """Make the page a candidate; or take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self._words = self._edits.apply(self._words)
            self.table = self._shown_table()
            return
        page = msgpack.decode(sample, type=_Sample)
        targets = np.frombuffer(page.targets, np.int64).tolist()
        self._links.add(page.id, targets, page.similarity, start=page.start)
        if page.first is not None:
            self._first.add(page.first)
            if self._first.enough:
                self._take_vocabularies()

    def expanded(self, page_id: int) -> Iterable[tuple[int, float]]:
        """The page joins the seed pages: ranks of the candidates whose link counts this changes."""
        changed = self._links.candidates(self._revised) | self._links.join(page_id)
        self._revised = []
        changed.pop(page_id, None)
        return [(changed_id, candidate.rank) for changed_id, candidate in changed.items()]

    def save(self) -> bytes:
        """Link counts, links of the pages on the shelf, and the vocabularies."""
        vocabularies = self._vocabularies.to_json() if self._vocabularies is not None else None
        return msgpack.encode(
            _State(self._links.save(), self._first.save(), vocabularies, self._revised, self._edits.save())
        )

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self._links.load(saved.links)
        self._first.load(saved.first)
        self._vocabularies = Vocabularies.from_json(saved.vocabularies) if saved.vocabularies else None
        self._revised = saved.revised
        self._edits.load(saved.edits)
        self._words = self._edits.apply(self._words)
        self.table = self._shown_table()

    def _similarity(self, terms: Mapping[str, int]) -> tuple[float, bool]:
        """Similarity and verdict, by the vocabularies or, before there are any, by the words."""
        if self._vocabularies is None:
            cosine = self._words.cosine(terms)
            return cosine, cosine > VERDICT
        similarity = self._vocabularies.similarity(set(terms))
        return similarity, similarity > self.threshold

    def _take_vocabularies(self) -> None:
        """Cluster the first pages, and compute their similarities again."""
        on_topic = [page.terms for page in self._first.on_topic()]
        if any(on_topic):
            self._vocabularies = self._clustered(on_topic)
            self._revised = [page.id for page in self._first.pages]
            for page in self._first.pages:
                self._links.revise(page.id, self._similarity(page.terms)[0])
            self.table = self._shown_table()
        self._first.close()

    def _shown_table(self) -> WeightTable:
        """The words; later the terms of the vocabularies, with the share of sub-domains that have them."""
        return self._words if self._vocabularies is None else self._vocabularies.table()

    def _clustered(self, documents: Sequence[Mapping[str, int]]) -> Vocabularies:
        return build_vocabularies(
            documents,
            clusters=self.clusters or None,
            k=self.k,
            min_occurrence=self.min_occurrence,
            language=self.topic.language,
            seed=self.seed,
        )


class _Sample(Struct, array_like=True):
    id: int
    start: bool
    similarity: float
    targets: bytes
    first: FirstPage | None


class _State(Struct, array_like=True):
    links: bytes
    first: bytes
    vocabularies: bytes | None
    revised: list[int]
    edits: bytes


def _targets(page: Page) -> list[int]:
    return [checksum(link.url) for link in page.links]
