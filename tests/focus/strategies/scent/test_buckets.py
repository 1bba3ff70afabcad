from __future__ import annotations

import math

import numpy as np
import pytest

from lagotto.base.hashing import hash_texts
from lagotto.focus.strategies.scent.buckets import BUCKETS, FIRST, buckets, heaviest

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


def test_the_heaviest_terms_are_those_that_are_frequent_rare_or_in_the_title() -> None:
    counts = {"heron": 3, "bird": 1, "water": 2}
    found, weights = heaviest(counts, ["bird", "bird"], EVEN, most=2)
    weight_of = dict(zip(found.tolist(), weights.tolist(), strict=True))
    heron, bird = buckets(["heron", "bird"]).tolist()
    assert weight_of == {heron: pytest.approx(1 + math.log(3)), bird: pytest.approx(3.0)}
    rare = EVEN.copy()
    rare[buckets(["water"])] = 9.0
    found, _ = heaviest(counts, [], rare, most=1)
    assert found.tolist() == buckets(["water"]).tolist()


def test_what_says_what_a_page_is_about_comes_last() -> None:
    rare = EVEN.copy()
    names = [f"term{number}" for number in range(3 * FIRST)]
    rare[buckets(names)] = np.random.default_rng(1).permutation(len(names)) + 1
    for most in (FIRST // 2, 2 * FIRST, 4 * FIRST):
        found, _ = heaviest(dict.fromkeys(names, 2), [], rare, most)
        in_order = sorted(buckets(names).tolist(), key=lambda bucket: rare[bucket])
        assert set(found.tolist()) == set(in_order[-most:])
        assert set(found[-FIRST:].tolist()) == set(in_order[-min(most, FIRST) :])


def test_hashes_of_a_page_that_was_changed_do_not_count() -> None:
    counts = {"heron": 3, "bird": 1}
    found, weights = heaviest(counts, [], EVEN, most=9, hashes=hash_texts({"water": 2}, []))
    assert found.tolist() == buckets(counts).tolist()
    assert len(weights) == 2


def test_long_pages_lose_what_they_say_once() -> None:
    counts = {"heron": 2, "bird": 1, "water": 1}
    assert heaviest(counts, ["bird"], EVEN, most=1)[0].tolist() == buckets(["heron"]).tolist()
