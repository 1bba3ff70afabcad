from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic.query_table import Interval


@pytest.mark.parametrize(
    ("text", "pages", "seconds"),
    [
        ("500", 500, 0),
        ("1 page", 1, 0),
        (" 20 pages ", 20, 0),
        ("90s", 0, 90),
        ("1.5h", 0, 5400),
        ("2 d", 0, 172800),
    ],
)
def test_written_forms(text: str, pages: int, seconds: float) -> None:
    assert Interval.parse(text) == Interval(pages, seconds)


@pytest.mark.parametrize("text", ["", "0", "-5", "ten", "1.5", "5 weeks", "0s", "10m pages more"])
def test_what_is_no_interval(text: str) -> None:
    with pytest.raises(InputError, match="no interval"):
        Interval.parse(text)


def test_due() -> None:
    assert Interval(pages=10).due(10, 0)
    assert not Interval(pages=10).due(9, 1e9)
    assert Interval(seconds=60).due(0, 60)
    assert not Interval().due(10**9, 1e9)
