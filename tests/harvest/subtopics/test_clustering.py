"""Groups of vectors, and how many there are."""

from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.judging.similarity import unit
from lagotto.harvest.subtopics.clustering import closest, communities, k_means, natural_number, smoothed


def clouds(count: int, size: int = 40, noise: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    """Vectors around so many centres, and the centre of each."""
    draw = np.random.default_rng(1)
    centres = unit(draw.standard_normal((count, 60)))
    truth = np.repeat(np.arange(count), size)
    return unit(centres[truth] + noise * draw.standard_normal((len(truth), 60))), truth


def same_groups(first: np.ndarray, second: np.ndarray) -> bool:
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


@pytest.mark.parametrize("count", [1, 3, 8, 15])
def test_clouds_are_counted_and_found(count: int) -> None:
    vectors, truth = clouds(count)
    assert natural_number(vectors) == count
    assert same_groups(communities(vectors), truth)
    assert same_groups(k_means(smoothed(vectors), count).labels, truth)


def test_groups_start_from_centres_that_are_given_and_more_are_added() -> None:
    vectors, truth = clouds(4)
    begin = unit(np.array([vectors[truth == group].mean(axis=0) for group in (2, 0)]))
    found = k_means(vectors, 4, begin)
    assert same_groups(found.labels, truth)
    assert set(found.labels[truth == 2]) == {0}
    assert set(found.labels[truth == 0]) == {1}


def test_vectors_that_are_all_alike_make_one_group() -> None:
    found = k_means(np.ones((20, 3), np.float32) / np.sqrt(3).astype(np.float32), 5)
    assert len(found.centres) == 1


def test_the_closest_centre_and_its_cosine() -> None:
    labels, cosines = closest(np.array([[0.6, 0.8]], np.float32), np.eye(2, dtype=np.float32))
    assert labels.tolist() == [1]
    assert cosines.tolist() == pytest.approx([0.8])
