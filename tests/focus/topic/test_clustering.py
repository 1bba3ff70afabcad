from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer

from lagotto.focus.topic.vocabulary import k_means, unit_vectors


def documents(seed: int) -> list[dict[str, int]]:
    """Eighty documents about five subjects, with terms that the subjects share."""
    draw = np.random.default_rng(seed)
    found = []
    for number in range(80):
        own, shared = draw.integers(0, 30, 12), draw.integers(0, 40, 20)
        terms = [f"{number % 5} {term}" for term in own] + [f"shared {term}" for term in shared]
        found.append({term: int(draw.integers(1, 6)) for term in terms})
    return found


def reference(texts: list[dict[str, int]]) -> np.ndarray:
    counts = DictVectorizer(sort=False).fit_transform(texts)
    return np.asarray(TfidfTransformer(sublinear_tf=True).fit_transform(counts).toarray())


def spread(vectors: np.ndarray, labels: np.ndarray) -> float:
    """Sum of squared distances to the clusters' centres."""
    members = [vectors[labels == label] for label in np.unique(labels)]
    return float(sum(((group - group.mean(axis=0)) ** 2).sum() for group in members))


def test_unit_vectors_are_those_of_scikit_learn() -> None:
    texts = documents(1)
    expected = reference(texts)
    rows = unit_vectors(texts)
    found = np.column_stack([rows.times(column) for column in np.eye(expected.shape[1])])
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("clusters", [2, 5, 8])
def test_clusters_are_as_tight_as_those_of_scikit_learn(seed: int, clusters: int) -> None:
    texts = documents(seed)
    vectors = reference(texts)
    expected = KMeans(clusters, n_init=4, random_state=seed).fit_predict(vectors)
    found = k_means(unit_vectors(texts), clusters, seed)
    assert spread(vectors, found) <= 1.02 * spread(vectors, expected)


def test_subjects_are_found() -> None:
    labels = k_means(unit_vectors(documents(3)), 5)
    assert len({tuple(labels[subject::5]) for subject in range(5)}) == 5
    assert all(len(set(labels[subject::5])) == 1 for subject in range(5))


def test_empty_and_equal_documents_have_a_cluster() -> None:
    labels = k_means(unit_vectors([{"a": 1}, {"a": 1}, {}, {"b": 2}]), 3)
    assert labels[0] == labels[1] != labels[3]
    assert len(labels) == 4
