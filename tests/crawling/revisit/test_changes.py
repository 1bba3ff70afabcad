"""What counts as a change."""

from __future__ import annotations

import pytest

from lagotto.base.records import Page
from lagotto.crawling.revisit.conclusions import compared, has_changed

OLD = "Herons eat fish. Updated 3 May 2026, 14:05 UTC. 1,204 readers, 5 minutes ago."


@pytest.mark.parametrize(
    ("new", "changed"),
    [
        (OLD, False),
        ("Herons eat fish. Updated 17 November 2026, 09:59 am. 1,377 readers, an hour ago.", False),
        ("herons eat fish - updated yesterday, 12 readers", False),
        ("Herons eat frogs. Updated 3 May 2026, 14:05 UTC. 1,204 readers, 5 minutes ago.", True),
        ("Fish eat herons. Updated 3 May 2026. 1,204 readers.", True),
        ("", True),
    ],
)
def test_numbers_and_dates_do_not_count(new: str, changed: bool) -> None:
    assert has_changed("Herons", OLD, "", Page("", title="Herons", text=new)) is changed


def test_fingerprints_decide_where_there_is_no_text() -> None:
    page = Page("", text="Herons", fingerprint=-1)
    assert not has_changed("", None, "f" * 16, page)
    assert has_changed("", None, "0" * 16, page)
    assert not has_changed("", "12", "f" * 16, Page("", text="13", fingerprint=-1))


def test_words_of_all_scripts_are_compared() -> None:
    assert compared("Der Reiher\u2019s 7te Fang: 鷺 見た") == ["der", "reiher\u2019s", "fang", "鷺", "見た"]
