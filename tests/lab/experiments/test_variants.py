from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.registry import names
from lagotto.lab.experiments.request import Variant, read_variant, read_variants
from lagotto.lab.experiments.tasks import BOUNDS


def test_the_earlier_focused_crawler_of_the_paper_has_a_name() -> None:
    off = {"priority_queue": False, "content_seen": False, "expand": False}
    assert read_variant("earlier-focused") == Variant("earlier-focused", "hybrid", off)
    assert read_variant("earlier-focused:size=9").options == {**off, "size": 9}


def test_options_are_read_as_what_they_are() -> None:
    variant = read_variant(" dynamic:threshold=1.5:window=all:interval=50 pages ")
    assert variant.label == "dynamic:threshold=1.5:window=all:interval=50 pages"
    assert variant.strategy == "dynamic"
    assert variant.options == {"threshold": 1.5, "window": "all", "interval": "50 pages"}


def test_bounds_come_first_and_nothing_comes_twice() -> None:
    assert [variant.label for variant in read_variants(["bfs", "oracle", "static", "static"])] == [
        *BOUNDS,
        "static",
    ]


@pytest.mark.parametrize("nothing", [[], [""], [" "]])
def test_all_strategies_are_meant_when_none_is_named(nothing: list[str]) -> None:
    assert {variant.label for variant in read_variants(nothing)} == {*BOUNDS, *names()}


def test_a_value_of_the_wrong_kind_is_told_before_anything_runs() -> None:
    with pytest.raises(InputError, match="takes a float"):
        read_variant("bfs:threshold=high")
