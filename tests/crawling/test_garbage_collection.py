"""The collector of cycles: seldom at work during a crawl, and as before after it, however it ends."""

from __future__ import annotations

import gc

import pytest

from lagotto.crawling.worker.process import SELDOM, collecting_seldom


def test_the_collector_is_as_it_was_afterwards() -> None:
    before = gc.get_threshold()
    with collecting_seldom():
        assert gc.get_threshold() == (SELDOM, *before[1:])
    assert gc.get_threshold() == before


def test_it_is_so_after_a_failure_too() -> None:
    before = gc.get_threshold()

    def fail() -> None:
        with collecting_seldom():
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (gc.get_threshold(), gc.isenabled()) == (before, True)
