"""What is new on a page: runs of words and links that no page had before."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lagotto.crawling.frontier.traps.novelty import Novelty, Seen, runs_of
from tests.crawling.traps import prose


def test_a_text_is_new_once() -> None:
    novelty = Novelty()
    first, again = novelty.look(prose(1), [1, 2], [3]), novelty.look(prose(1), [1, 4], [5, 6])
    assert first is not None
    assert again is not None
    assert (first.text, first.in_section, first.on_host) == (1.0, 1.0, 1.0)
    assert (again.text, again.in_section, again.on_host) == (0.0, 0.5, 0.75)


def test_a_text_put_together_from_others_is_hardly_new() -> None:
    novelty = Novelty()
    for n in range(4):
        novelty.look(prose(n), [], [])
    mixed = novelty.look(" ".join(prose(n)[:200] for n in range(4)), [], [])
    assert mixed is not None
    assert mixed.text < 0.15


def test_a_content_that_another_page_had_is_repeated() -> None:
    novelty = Novelty()
    found = [novelty.look(prose(1), [], [], fingerprint) for fingerprint in (7, 8, 7, 0, 0)]
    assert [each is not None and each.repeated for each in found] == [False, False, True, False, False]


def test_short_texts_say_nothing_and_scripts_without_spaces_do() -> None:
    assert runs_of("too few words") is None
    chinese = runs_of("前端開發的文章很多但是每一篇都講不同的事情所以值得一讀再讀" * 2)
    assert chinese is not None
    assert len(chinese) > 20


@given(st.sets(st.integers(0, 2**64 - 1), max_size=50))
def test_what_was_just_added_is_known(hashes: set[int]) -> None:
    seen = Seen()
    added = np.array(sorted(hashes), np.uint64)
    seen.add(added)
    slots = np.unique(added >> np.uint64(43))
    assert seen.add(added).sum() <= 2 * (len(added) - len(slots))
