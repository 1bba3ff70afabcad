"""Options that would break a crawl, or quietly take its strategy away, are refused before it begins."""

from __future__ import annotations

from math import nan

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.registry import build_strategy
from lagotto.focus.strategies.base import check_positive, check_range
from lagotto.focus.topic import Topic

REFUSED = [
    ("static", "size", 0, "from 1 up"),
    ("static", "first_pages", -1, "from 0 up"),
    ("hybrid", "size", 0, "from 1 up"),
    ("hybrid", "expand_every", 0, "from 1 up"),
    ("hybrid", "first_pages", -1, "from 0 up"),
    ("neural", "hidden", 0, "from 1 to 10000"),
    ("neural", "hidden", 10**9, "from 1 to 10000"),
    ("linkrank", "max_links", 10**9, "from 0 to 20000000"),
    ("neural", "features", 0, "from 1 up"),
    ("neural", "first_pages", 0, "from 1 up"),
    ("neural", "rate", 0.0, "above 0"),
    ("neural", "mse", -0.1, "from 0 up"),
    ("neural", "max_epochs", -1, "from 0 up"),
    ("neural", "seed", -1, "from 0 up"),
    ("linkrank", "k", 0, "from 1 up"),
    ("linkrank", "min_occurrence", -1, "from 0 up"),
    ("linkrank", "clusters", -1, "from 0 up"),
    ("linkrank", "first_pages", -1, "from 0 up"),
    ("linkrank", "max_links", -1, "from 0 to 20000000"),
    ("linkrank", "seed", 2**32, "from 0 to 4294967295"),
    ("scent", "tunnelling", 1.1, "from 0 to 1"),
    ("scent", "context", -1.0, "from 0 up"),
    ("scent", "ridge", 0.0, "above 0"),
]


@pytest.mark.parametrize(("name", "option", "value", "wanted"), REFUSED)
def test_values_without_sense_are_refused(name: str, option: str, value: float, wanted: str) -> None:
    with pytest.raises(InputError, match=f"option '{option}' of '{name}' is a number {wanted}, not {value}"):
        build_strategy(name, Topic("birds"), {option: value})


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("static", {"link_threshold": -1.0, "page_threshold": 2.0}),
        ("static", {"page_threshold": 0.0, "link_threshold": 4.0, "size": 1, "first_pages": 0}),
        ("hybrid", {"page_threshold": 1.0, "link_threshold": 0.0, "expand_every": 1, "first_pages": 0}),
        ("neural", {"hidden": 1, "features": 1, "mse": 0.0, "max_epochs": 0, "threshold": 1.0}),
        ("linkrank", {"k": 1, "min_occurrence": 1, "clusters": 0, "max_links": 0, "seed": 2**32 - 1}),
        ("scent", {"learning": 0.0, "tunnelling": 1.0, "exploration": 0.0, "shift": 0.0}),
    ],
)
def test_the_ends_of_a_range_belong_to_it(name: str, options: dict[str, float]) -> None:
    assert build_strategy(name, Topic("birds"), options).name == name


def test_what_is_no_number_lies_in_no_range() -> None:
    with pytest.raises(InputError, match="not nan"):
        check_range("bfs", 0, threshold=nan)
    with pytest.raises(InputError, match="not nan"):
        check_positive("neural", rate=nan)
