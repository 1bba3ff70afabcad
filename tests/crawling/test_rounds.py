"""Rounds of judging beside a running crawl."""

from __future__ import annotations

import asyncio
import threading

import pytest

from lagotto.base.views import Judging
from lagotto.crawling.rejudger import FIRST_ROUND, GROWTH, Rounds
from lagotto.crawling.rejudging import NewVerdicts

FOUND = NewVerdicts(
    [],
    Judging(strategy="x", pages=1, last_page=1, relevant=1, marks=0, recall=1, recall_low=1, recall_high=1),
)


async def test_one_round_at_a_time_and_the_next_when_the_crawl_has_grown() -> None:
    rounds, go_on = Rounds(), threading.Event()

    def judge() -> NewVerdicts:
        go_on.wait()
        return FOUND

    assert not rounds.due(FIRST_ROUND - 1)
    assert rounds.due(FIRST_ROUND)
    rounds.start(FIRST_ROUND, judge)
    assert not rounds.due(10 * FIRST_ROUND), "one is under way"
    assert rounds.verdicts() is None
    go_on.set()
    while (found := rounds.verdicts()) is None:
        await asyncio.sleep(0)
    assert found is FOUND
    assert rounds.verdicts() is None, "told once"
    assert not rounds.due(GROWTH * FIRST_ROUND - 1)
    assert rounds.due(GROWTH * FIRST_ROUND)


async def test_a_round_that_fails_for_want_of_files_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    rounds = Rounds()

    def judge() -> NewVerdicts:
        raise OSError("too many open files")

    rounds.start(FIRST_ROUND, judge)
    assert rounds._round is not None
    await asyncio.wait([rounds._round])
    assert rounds.verdicts() is None
    assert "too many open files" in caplog.text
    assert rounds.due(GROWTH * FIRST_ROUND)


async def test_a_mistake_in_a_round_is_an_error_of_the_crawl() -> None:
    rounds = Rounds()

    def judge() -> NewVerdicts:
        raise ValueError("broken")

    async def first_verdicts() -> None:
        while rounds.verdicts() is None:
            await asyncio.sleep(0)

    rounds.start(FIRST_ROUND, judge)
    with pytest.raises(ValueError, match="broken"):
        await first_verdicts()


async def test_the_end_waits_for_a_round() -> None:
    rounds, ended = Rounds(), threading.Event()

    def judge() -> None:
        ended.set()

    rounds.start(FIRST_ROUND, judge)
    await rounds.end()
    assert ended.is_set()
