from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.svg import Frame, document, drawing, grid, line, shape, spread_apart, text, ticks


@pytest.mark.parametrize("highest", [0.03, 0.9, 1, 7, 31, 130, 500, 2000, 47_634])
def test_ticks_are_few_and_round(highest: float) -> None:
    found = ticks(highest)
    assert found[0] == 0
    assert highest * 0.7 <= found[-1] <= highest
    assert 3 <= len(found) <= 7


def test_values_have_their_places_between_the_margins() -> None:
    frame = Frame(200, 100, 10, 5, left=20, right=30, top=10, bottom=40)
    assert (frame.x(0), frame.x(10), frame.plot_right) == (20, 170, 170)
    assert (frame.y(0), frame.y(5), frame.plot_bottom) == (60, 10, 60)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_places_are_moved_apart(places: list[float]) -> None:
    placed = spread_apart(sorted(places), 10, 100)
    assert all(lower - upper > 9.99 for upper, lower in pairwise(placed))
    assert placed[-1] <= 100


def test_drawings_are_well_formed_whatever_their_texts() -> None:
    parts = [
        *grid(Frame(90, 60, 3, 3)),
        shape("a b", line([(0, 0), (1.5, 2)]), '<&"'),
        text("", "end", 1, 2, "<&"),
    ]
    for drawn in (
        drawing(90, 60, 'a "title" <&>', parts),
        document(90, 60, "<&>", "text { fill: red; }", parts),
    ):
        found = ElementTree.fromstring(drawn)
        assert found.get("viewBox") == "0 0 90 60"
        assert "<&" in list(found.itertext())
        assert {"M0 0L1.5 2"} <= {element.get("d") for element in found.iter()}
