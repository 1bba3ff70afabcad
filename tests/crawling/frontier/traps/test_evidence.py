"""Comparison convinces by different pages, and a tenth of exceptions spoils it."""

from __future__ import annotations

from lagotto.crawling.frontier.traps.evidence import ENOUGH, Comparison


def test_different_pages_convince() -> None:
    evidence = Comparison()
    for fingerprint in range(ENOUGH):
        assert not evidence.convincing
        evidence.agree(fingerprint)
    assert evidence.convincing


def test_one_page_again_and_again_does_not_convince() -> None:
    evidence = Comparison()
    for _ in range(100):
        evidence.agree(7)
    assert not evidence.convincing


def test_more_than_one_exception_in_ten_spoils_it() -> None:
    evidence = Comparison()
    for fingerprint in range(9):
        evidence.agree(fingerprint)
    evidence.differ()
    assert evidence.convincing
    evidence.differ()
    assert not evidence.convincing
