"""What a reader tells about a crawl, in sentences."""

from __future__ import annotations

import msgspec
import pytest

from lagotto.base.views import Judging

JUDGING = Judging(
    strategy="scent",
    pages=100,
    last_page=100,
    relevant=40,
    marks=0,
    recall=0.6,
    recall_low=0.2,
    recall_high=0.9,
    naming=3,
    best="http://a.example/",
)


def test_a_topic_is_surely_absent_only_where_hardly_anything_speaks_for_it() -> None:
    def absent(presence: float) -> bool:
        return msgspec.structs.replace(JUDGING, here=presence >= 0.5, presence=presence).surely_absent

    assert [absent(chance) for chance in (0.9, 0.4, 0.05)] == [False, False, True]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "40 of 100 pages on topic; recall about 0.60 (90 % interval 0.20 to 0.90)"),
        (
            {"recall_low": 0.0, "recall_high": 1.0},
            "40 of 100 pages on topic; too few pages to estimate recall",
        ),
        (
            {"precision": 0.8, "precision_low": 0.5, "precision_high": 0.9, "cut": 0.4, "near": 7},
            "precision about 0.80 (90 % interval 0.50 to 0.90); "
            "recall about 0.60 (90 % interval 0.20 to 0.90); cut at relevance 0.40, 7 pages within 0.1 of it",
        ),
        ({"narrow": True, "relevant": 1}, "a small topic here: 1 page of 100;"),
        ({"narrow": True, "relevant": 3}, "a small topic here: 3 pages of 100;"),
        (
            {"clear": False, "relevant": 0, "pages": 20, "naming": 0},
            "too early to say whether the topic is here: 0 of 20 pages name any of its words",
        ),
        (
            {"here": False},
            "not seem to be here: 3 of 100 pages name any of its words, best http://a.example/",
        ),
    ],
)
def test_a_judging_is_told_with_no_more_than_is_known(changes: dict[str, object], says: str) -> None:
    assert says in msgspec.structs.replace(JUDGING, **changes).sentence()
