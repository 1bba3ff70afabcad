"""Versions of a crawl's weight table."""

from __future__ import annotations

from lagotto.focus.topic.history import TableVersion, changes, read_versions, spread
from lagotto.focus.topic.table import WeightTable

FIRST = TableVersion(WeightTable({"poll": 1.5, "date": 1.0, "vote": 1.0}, {"poll": "polls"}), 0)
SECOND = TableVersion(WeightTable({"poll": 2.25, "bjp": 1.0, "vote": 1.0}, {"poll": "polls"}), 100)
THIRD = TableVersion(WeightTable({"poll": 2.0, "bjp": 3.0, "vote": 0.5}, below={"date": 0.5}), 200)


def test_what_rose_and_fell() -> None:
    found = changes([FIRST, SECOND, THIRD])
    assert [(change.keyword, change.word) for change in found] == [
        ("bjp", "new"),
        ("poll", "rose"),
        ("vote", "fell"),
        ("date", "gone"),
    ]
    assert found[0].weights == [0.0, 1.0, 3.0]
    assert found[1].difference == 0.5


def test_a_single_version_changed_nothing() -> None:
    assert [change.word for change in changes([FIRST])] == ["", "", ""]
    assert changes([]) == []


def test_versions_are_read_as_they_were_kept() -> None:
    (again,) = read_versions([THIRD.to_json()])
    assert again.pages == 200
    assert dict(again.table) == dict(THIRD.table)
    assert dict(again.table.below) == {"date": 0.5}


def test_a_version_that_came_twice_is_shown_once() -> None:
    kept = [FIRST.to_json(), FIRST._replace(pages=7).to_json(), SECOND.to_json()]
    assert [version.pages for version in read_versions(kept)] == [0, 100]


def test_few_of_many_versions() -> None:
    versions = [TableVersion(FIRST.table, pages) for pages in range(50)]
    assert [version.pages for version in spread(versions, 6)] == [0, 10, 20, 29, 39, 49]
    assert spread(versions[:3], 6) == versions[:3]
