"""Content seen before: the same, and nearly the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lagotto.lab.checks.store_calls import HOME, outcome, seed
from lagotto.store.sql import pages
from tests.store.blocking import Blocking


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def store_with(*simhashes: int, near: str = "") -> Blocking:
    """A store with a page for each simhash; all but the first are near duplicates if `near` is given."""
    store = Blocking.memory()
    store.hold_all()
    store.add_seeds([seed(f"{HOME}{number}", -number) for number in range(len(simhashes))])
    leases = store.top(n=len(simhashes))
    batch = [outcome(lease, content=simhash) for lease, simhash in zip(leases, simhashes, strict=True)]
    for later in batch[1:]:
        later.near_duplicate_of = near
    store.commit(batch)
    return store


bits = st.integers(0, 63)


@settings(max_examples=60, deadline=None)
@given(simhash=st.integers(1, 2**64 - 1), flips=st.sets(bits, max_size=8))
def test_near_means_three_bits(simhash: int, flips: set[int]) -> None:
    store = store_with(signed(simhash))
    other = simhash
    for bit in flips:
        other ^= 1 << bit
    found = store.near_duplicate(signed(other))
    assert found == (f"{HOME}0" if len(flips) <= 3 and other else None)
    store.close()


def test_the_nearest_wins_and_the_earliest_of_equals() -> None:
    store = store_with(0b1110, 0b0001, 0b1111, 0b0111)
    assert store.near_duplicate(0b0011) == f"{HOME}1"
    assert store.near_duplicate(0b1111) == f"{HOME}2"
    assert store.near_duplicate(0b0110) == f"{HOME}0"
    store.close()


def test_a_near_duplicate_does_not_stand_for_others() -> None:
    store = store_with(0b0000_0001, 0b0000_1111, near=f"{HOME}0")
    assert store.near_duplicate(0b0111_1111) is None
    assert store.near_duplicate(0b0000_0111) == f"{HOME}0"
    store.close()


def test_a_crowded_band_is_not_read_to_its_end() -> None:
    crowd = [1 << 32 | number << 4 for number in range(3 * pages._MOST_OF_A_BAND)]
    store = store_with(*crowd)
    assert store.near_duplicate(crowd[0]) == f"{HOME}0"
    rows = store.db.execute(pages._CANDIDATES, pages._bands(crowd[0])).fetchall()
    assert len(rows) <= 4 * pages._MOST_OF_A_BAND
    store.close()
