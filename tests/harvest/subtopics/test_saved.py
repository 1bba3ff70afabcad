"""What is kept of groups."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lagotto.harvest.subtopics.saved import FILE, Group, Grouping, Sorting, load, save
from lagotto.harvest.subtopics.space import Furniture, Space


def grouping() -> Grouping:
    space = Space.learned([{"wind": 2, "rotor": 1}, {"wind": 1, "sun": 2}, {"sun": 1, "rotor": 3}])
    sorting = Sorting(np.array([1, 4, 9]), np.array([0, 1, -1]), np.array([0.5, 0.25, 0.0], np.float32))
    centres = np.ones((2, len(space.middle)), np.float32)
    groups = [Group(3, "wind", ["rotor"]), Group(7, "sun", [])]
    return Grouping("2026-01-01", groups, 8, 3, 0, space, Furniture([5, 2**64 - 1]), centres, sorting)


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    save(tmp_path / "new", grouping())
    found = load(tmp_path / "new", "2026-01-01")
    assert found is not None
    assert found.groups == grouping().groups
    assert found.furniture == grouping().furniture
    assert found.sorting.labels.tolist() == [0, 1, -1]
    page = [{"wind": 1}]
    assert (found.space.vectors(page) == grouping().space.vectors(page)).all()
    assert [each.name for each in (tmp_path / "new").iterdir()] == [FILE]


def test_nothing_that_fits_is_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, "2026-01-01") is None
    save(tmp_path, grouping())
    assert load(tmp_path, "another crawl") is None
    content = (tmp_path / FILE).read_bytes()
    for end in range(0, len(content), 37):
        (tmp_path / FILE).write_bytes(content[:end])
        assert load(tmp_path, "2026-01-01") is None
