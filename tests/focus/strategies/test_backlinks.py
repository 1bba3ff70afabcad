"""Who links to what."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.seed_links import Backlinks

IDS = st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5) | st.sampled_from([-(2**63), 2**63 - 1])


@given(st.lists(st.lists(IDS, unique=True, max_size=12), max_size=40))
def test_sources_are_those_that_were_added(pages: list[list[int]]) -> None:
    links, expected = Backlinks(), defaultdict(list)
    for number, targets in enumerate(pages):
        links.add(number, np.array(targets, np.int64))
        for target in targets:
            expected[target].append(number)
    again = Backlinks()
    again.load(links.save())
    for target in [*expected, 0, 7, -(2**63), 2**63 - 1]:
        assert sorted(links.sources(target)) == expected[target]
        assert sorted(again.sources(target)) == expected[target]
    assert len(links) == sum(map(len, pages))


def test_a_link_takes_twelve_bytes() -> None:
    links = Backlinks()
    for number in range(1000):
        links.add(number, np.arange(number, number + 50, dtype=np.int64))
    assert len(links) == 50_000
    assert len(links.save()) < 50_000 * 12 + 1000


def test_runs_stay_few() -> None:
    links = Backlinks()
    for number in range(5000):
        links.add(number, np.arange(number % 7 + 1, dtype=np.int64))
    assert len(links._runs) <= 16
