"""The papers' own tables."""

from __future__ import annotations

import pytest

from lagotto.lab.experiments.papers import (
    REPORTED,
    gain,
    gain_pages,
    harvest_at_marks,
    marks_within,
    mean_segments,
    segment_length,
)
from lagotto.lab.experiments.results import Comparison


def test_all_marks_of_table_2() -> None:
    table = REPORTED["dynamic"]
    assert [list(figures) for figures in table.values()] == 3 * [list(range(500, 4001, 500))]
    assert [figures[3000] for figures in table.values()] == [0.19, 0.75, 0.91]
    assert marks_within(4000) == [100, *range(500, 4001, 500)]


def test_gains_are_shares_of_the_other_s_harvest(compared: Comparison) -> None:
    (own,) = harvest_at_marks(compared, "words", "oracle", [30])
    (simple,) = harvest_at_marks(compared, "words", "bfs", [30])
    (focused,) = harvest_at_marks(compared, "words", "best-first", [30])
    found = gain(compared, "words", "oracle")
    assert found.harvest == own
    assert found.over_simple == pytest.approx(own / simple - 1)
    assert found.over_focused == pytest.approx(own / focused - 1)
    assert gain(compared, "words", "bfs").over_simple == 0.0


def test_gains_are_taken_after_a_thousand_pages() -> None:
    assert (gain_pages(500), gain_pages(4000)) == (500, 1000)


def test_segments_add_up_to_the_harvest(compared: Comparison) -> None:
    found = mean_segments(compared, "words", "bfs")
    assert len(found.segment) == 30 // segment_length(30)
    assert found.mean_of_segments == pytest.approx(harvest_at_marks(compared, "words", "bfs", [30])[0])
