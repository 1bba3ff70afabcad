"""The topic of `linkrank`: vocabularies of its sub-domains, found by clustering topic documents.

    similarity(s) = average of the k largest |v_i ∩ s| / |s|

s is the set of a page's terms and v_i the vocabulary of the i-th sub-domain: the terms that occur more than
`min_occurrence` times in pages drawn from that cluster. Trap: a page of few words, all of them in a
vocabulary, has similarity 1; the formula does not count length.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Mapping, Sequence, Set

import msgspec
import numpy as np
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.sparse import SparseRows, sums
from lagotto.focus.topic.table import WeightTable

STARTS = 4
"""Random starts, of which the best result is kept."""
TRIALS = 4
"""Random candidates for each further centre of a start, of which the best one is taken."""
STEPS = 100


def unit_vectors(documents: Sequence[Mapping[str, int]]) -> SparseRows:
    """TF·IDF vectors of length 1, with tf = 1 + ln(count) and idf = 1 + ln((1 + n) / (1 + df))."""
    numbers: dict[str, int] = {}
    terms = [numbers.setdefault(term, len(numbers)) for document in documents for term in document]
    columns = np.array(terms, np.intp)
    counts = np.array([count for document in documents for count in document.values()], np.float64)
    lengths = np.array([len(document) for document in documents])
    frequencies = np.bincount(columns, minlength=len(numbers))
    idf = 1.0 + np.log((1.0 + len(documents)) / (1.0 + frequencies))
    values = (1.0 + np.log(counts)) * idf[columns]
    norms = np.sqrt(sums(values * values, lengths))
    return SparseRows(columns, values / norms.repeat(lengths), lengths, len(numbers))


def k_means(vectors: SparseRows, clusters: int, seed: int = 0) -> np.ndarray:
    """The cluster of each vector, all of length 1 or 0; the best of several random starts."""
    draw = np.random.default_rng(seed)
    results = [_settle(vectors, _spread(vectors, clusters, draw)) for _ in range(STARTS)]
    return min(results, key=lambda result: result[1])[0]


def _spread(vectors: SparseRows, clusters: int, draw: np.random.Generator) -> np.ndarray:
    """Choose vectors that lie apart as the first centres (greedy k-means++)."""
    n = len(vectors)
    centres = [_vector(vectors, int(draw.integers(n)))]
    nearest = _distances(vectors, centres[0])
    while len(centres) < clusters and nearest.sum() > 0:
        chosen = draw.choice(n, TRIALS, p=nearest / nearest.sum())
        candidates = [_vector(vectors, number) for number in chosen.tolist()]
        distances = [np.minimum(nearest, _distances(vectors, candidate)) for candidate in candidates]
        best = int(np.argmin([each.sum() for each in distances]))
        centres.append(candidates[best])
        nearest = distances[best]
    return np.array(centres)


def _settle(vectors: SparseRows, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """Move centres until no vector changes its cluster; returns the clusters and the sum of distances."""
    labels = np.full(len(vectors), -1)
    for _ in range(STEPS):
        distances = np.array([_distances(vectors, centre) for centre in centres])
        nearest = distances.argmin(axis=0)
        if (nearest == labels).all():
            break
        labels = nearest
        for number in np.unique(labels):
            centres[number] = _centre(vectors, labels == number)
    return labels, float(distances.min(axis=0).sum())


def _vector(vectors: SparseRows, number: int) -> np.ndarray:
    return _centre(vectors, np.arange(len(vectors)) == number)


def _centre(vectors: SparseRows, members: np.ndarray) -> np.ndarray:
    return vectors.transposed_times(members / members.sum())


def _distances(vectors: SparseRows, centre: np.ndarray) -> np.ndarray:
    """Squared distances of unit vectors to a centre."""
    return np.asarray(np.maximum(1.0 - 2.0 * vectors.times(centre) + centre @ centre, 0.0))


K = 2
MIN_OCCURRENCE = 2
PAGES_A_CLUSTER = 20
"""Pages of a cluster that its vocabulary is taken from."""


class Vocabularies(Struct, frozen=True, tag="vocabularies", tag_field="kind"):
    """The vocabularies of a topic's sub-domains."""

    sub_domains: tuple[frozenset[str], ...]
    k: int = K
    min_occurrence: int = MIN_OCCURRENCE
    documents: int = 0
    language: str = "en"

    def similarity(self, terms: Set[str]) -> float:
        """Content similarity of a page given by its set of terms, 0 to 1.

        >>> Vocabularies((frozenset("abc"), frozenset("cd"), frozenset("x"))).similarity(set("abcd"))
        0.625
        """
        if not terms or not self.sub_domains:
            return 0.0
        shared = heapq.nlargest(self.k, (len(vocabulary & terms) for vocabulary in self.sub_domains))
        return sum(shared) / (len(shared) * len(terms))

    def table(self) -> WeightTable:
        """Terms with the share of sub-domains that have them, as a table for people to see."""
        having = Counter(term for vocabulary in self.sub_domains for term in vocabulary)
        weights = {term: count / len(self.sub_domains) for term, count in having.items()}
        provenance = {"sub_domains": len(self.sub_domains), "documents": self.documents}
        return WeightTable(weights, {}, self.language, "vocabularies", provenance)

    def to_json(self) -> bytes:
        """The vocabularies as JSON, terms in alphabetical order."""
        return msgspec.json.encode(self, order="deterministic")

    @classmethod
    def from_json(cls, stored: bytes | str) -> Vocabularies:
        """Take back what `to_json` gave."""
        try:
            return msgspec.json.decode(stored, type=cls)
        except msgspec.DecodeError as error:
            raise InputError(f"these are no vocabularies: {error}") from error


def build_vocabularies(
    documents: Sequence[Mapping[str, int]],
    *,
    clusters: int | None = None,
    k: int = K,
    min_occurrence: int = MIN_OCCURRENCE,
    pages: int = PAGES_A_CLUSTER,
    language: str = "en",
    seed: int = 0,
) -> Vocabularies:
    """Cluster topic documents, given by their term counts, and take each cluster's vocabulary."""
    if not documents or not any(documents):
        raise InputError("there are no topic documents to take vocabularies from; give example pages")
    if k < 1 or min_occurrence < 0 or pages < 1 or (clusters is not None and clusters < 1):
        raise InputError("k, pages and clusters are whole numbers from 1 up, occurrences from 0 up")
    grouped = cluster(documents, clusters or default_clusters(len(documents)), seed)
    draw = random.Random(seed)
    vocabularies = [
        _vocabulary([documents[i] for i in draw.sample(group, min(pages, len(group)))], min_occurrence)
        for group in grouped
    ]
    return Vocabularies(
        tuple(vocabulary for vocabulary in vocabularies if vocabulary),
        k,
        min_occurrence,
        len(documents),
        language,
    )


def default_clusters(documents: int) -> int:
    """Sub-domains to look for when the user names no number: about one for five documents, 2 to 10."""
    return min(documents, max(2, min(10, documents // 5)))


def cluster(documents: Sequence[Mapping[str, int]], clusters: int, seed: int = 0) -> list[list[int]]:
    """Indices of documents in groups of similar ones: k-means on unit TF·IDF vectors."""
    if min(clusters, len(documents)) <= 1:
        return [list(range(len(documents)))]
    distinct = len({tuple(sorted(document.items())) for document in documents})
    labels = k_means(unit_vectors(documents), min(clusters, distinct), seed)
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(index)
    return list(groups.values())


def _vocabulary(documents: Sequence[Mapping[str, int]], min_occurrence: int) -> frozenset[str]:
    occurrences: Counter[str] = Counter()
    for document in documents:
        occurrences.update(document)
    return frozenset(term for term, count in occurrences.items() if count > min_occurrence)
