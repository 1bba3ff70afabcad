from __future__ import annotations

import math

import numpy as np

from lagotto.strategies.scent.buckets import BUCKETS, buckets, heaviest

EVEN = np.ones(BUCKETS)


def test_a_term_has_the_same_bucket_wherever_it_stands() -> None:
    terms = ["heron", "grey heron", "鷺", "a", "réservoir" * 20]
    found = buckets(terms)
    assert found.tolist() == [int(buckets([term])[0]) for term in terms]
    assert buckets(terms * 5000).tolist() == found.tolist() * 5000
    assert not len(buckets([]))


def test_terms_spread_over_buckets_as_by_chance() -> None:
    for terms in ([f"term{number}" for number in range(20_000)], [str(year) for year in range(20_000)]):
        by_chance = BUCKETS * (1 - math.exp(-len(terms) / BUCKETS))
        found = buckets(terms)
        assert 0 <= found.min() <= found.max() < BUCKETS
        assert abs(len(np.unique(found)) - by_chance) < 100


def test_the_heaviest_terms_come_in_order_of_bucket() -> None:
    counts = {"heron": 3, "bird": 1, "water": 2}
    found, weights = heaviest(counts, ["bird"], EVEN, most=2)
    expected = sorted(zip(buckets(["heron", "bird"]).tolist(), (1 + math.log(3), 3.0), strict=True))
    assert found.tolist() == [bucket for bucket, _ in expected]
    np.testing.assert_allclose(weights, [weight for _, weight in expected], rtol=1e-6)


def test_terms_in_one_bucket_are_one() -> None:
    terms = [str(year) for year in range(20_000)]
    found = buckets(terms)
    (crowded,) = np.flatnonzero(np.bincount(found) > 1)[:1]
    both = {terms[at]: 1 for at in np.flatnonzero(found == crowded)}
    assert heaviest(both, [], EVEN, most=160)[0].tolist() == [crowded]
