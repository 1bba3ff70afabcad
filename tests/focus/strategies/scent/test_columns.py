from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent.columns import Column, Columns, Ring, Rings


def test_a_column_grows() -> None:
    column = Column(np.int32, 2)
    for number in range(200):
        column.extend(np.full((1, 2), number))
    assert column.rows[:, 1].tolist() == list(range(200))


def test_a_column_takes_single_rows_and_many() -> None:
    column, pairs = Column(np.int32), Column(np.float64, 2)
    for number in range(0, 200, 4):
        column.append(number)
        column.append(number + 1)
        column.extend(np.array([number + 2, number + 3]))
        pairs.append(np.array([number, -number]))
        assert (len(column), len(pairs)) == (number + 4, number // 4 + 1)
    assert column.rows.tolist() == list(range(200))
    column.append(7)
    column.rows[200] += 1
    assert column.rows[-1] == 8
    column.append(9)
    column.set(np.array([1, 2]))
    assert column.rows.tolist() == [1, 2]
    assert pairs.rows[:, 1].tolist() == list(range(0, -200, -4))


def test_new_rows_are_empty_until_written_to() -> None:
    columns = Columns({"one": Column(np.int32, empty=-1), "other": Column(np.int32)})
    columns.grow(1)
    columns["one"].rows[0] = 5
    columns.grow(300)
    assert columns["one"].rows.tolist() == [5] + [-1] * 299
    assert columns["other"].rows.tolist() == [0] * 300


def test_there_is_nothing_behind_the_last_row() -> None:
    columns = Columns({"one": Column(np.int32, empty=-7)})
    for length in range(1, 300):
        columns.grow(length)
        columns["one"].rows[:] = length
        assert columns["one"].and_none[[0, -1]].tolist() == [length, -7]
        columns["one"].set(columns["one"].rows)
        assert columns["one"].and_none[[0, -1]].tolist() == [length, -7]


def test_a_ring_keeps_its_newest_rows() -> None:
    ring = Ring(np.int32, 100)
    for start in range(0, 350, 7):
        ring.extend(np.arange(start, start + 7))
    kept = np.arange(ring.oldest, ring.total)
    assert len(ring) == len(kept) == 100
    assert ring.rows[ring.at(kept)].tolist() == kept.tolist()
    assert ring.numbers(ring.at(kept)).tolist() == kept.tolist()


def test_a_ring_that_is_not_full_has_numbers_too() -> None:
    ring = Ring(np.int32, 100)
    ring.extend(np.arange(30))
    assert ring.oldest == 0
    assert ring.numbers(np.arange(30)).tolist() == list(range(30))


def test_rings_grow_at_once_as_each_would_by_itself() -> None:
    rings = Rings(
        {"one": Ring(np.int32, 100), "other": Ring(np.float32, 100, 2), "same": Ring(np.int32, 100)}
    )
    single = Ring(np.int32, 100)
    for start in range(0, 350, 7):
        numbers = np.arange(start, start + 7)
        rings.extend(7, (numbers, np.stack([numbers, numbers], axis=1), start // 7))
        single.extend(numbers)
        assert rings["one"].rows.tolist() == single.rows.tolist()
        assert rings["other"].rows[:, 1].tolist() == single.rows.tolist()
        assert rings["same"].rows.tolist() == (single.rows // 7).tolist()
        assert rings["one"].total == rings["other"].total == single.total
