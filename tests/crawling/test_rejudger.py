"""Judging again in a thread: in rounds beside a running crawl, and of all pages at its end."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

import lagotto
from lagotto.base.protocols.storage import Severity
from lagotto.base.views import Judging
from lagotto.crawling.rejudger import FIRST_ROUND, GROWTH, Rounds
from lagotto.crawling.rejudging import NewVerdicts
from lagotto.crawling.session import Crawl
from lagotto.focus.judging import FetchedPage
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.store import storage_at
from tests.crawling.revisit.changing_site import ChangingSite, crawled
from tests.servers import demo_served

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


ENDLESS = """
import sys
from pathlib import Path
import numpy as np
from lagotto.cli.crawl import run
from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from lagotto.focus.strategies.scent import Scent

def rejudge(strategy, pages, encoder=None):
    found = list(pages)
    print(f"judging {len(found)} pages", flush=True)
    while True:
        np.ones((500, 500)) @ np.ones((500, 500))

Scent.rejudge = rejudge
words, seed, proxy, directory = sys.argv[1:]
asked = {"topic": words, "seeds": [seed], "max_pages": 15, "strategy": "scent"}
config = Config(**asked, proxy=proxy, delay=0.0, parsers=1, encoder="none")
sys.exit(run(Crawl(config, directory)))
"""


@pytest.mark.parametrize("asked_by", [signal.SIGINT, signal.SIGTERM, "lagotto stop"])
def test_judging_again_at_the_end_stops_when_asked(tmp_path: Path, asked_by: signal.Signals | str) -> None:
    """The strategy of that process never comes to an end; nothing is stored, and it is done later."""
    directory = tmp_path / "c"
    with demo_served() as server:
        words, seeds = server.web.topics()["birds"]
        process = subprocess.Popen(
            [sys.executable, "-c", ENDLESS, words, seeds[0], server.proxy, str(directory)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        while not process.stdout.readline().startswith("judging"):
            assert process.poll() is None
        if isinstance(asked_by, signal.Signals):
            process.send_signal(asked_by)
        else:
            lagotto.stop(directory)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "the budget of 15 pages is used; not all pages are judged again" in out
    assert "Traceback" not in err
    assert {finding.severity for finding in storage_at(directory).examine()} == {Severity.GOOD}
    assert lagotto.judging_of(directory) is None
    judging = lagotto.judge(directory, encoder="none")
    assert judging is not None
    assert judging == lagotto.judging_of(directory)


async def test_how_far_judging_again_has_come_can_be_seen(tmp_path: Path) -> None:
    class Watching(Scent):
        def rejudge(self, pages: Iterable[FetchedPage], encoder: Encoder | None = None) -> None:
            for _ in pages:
                assert crawl.rejudging is not None
                seen.append((crawl.rejudging.done, crawl.rejudging.pages))

    seen: list[tuple[int, int]] = []
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        async with Crawl.resume(tmp_path) as crawl:
            assert crawl.rejudging is None
            assert crawl._worker is not None
            crawl._worker.memory.strategy = Watching(Topic("heron birds"))
            await crawl.rejudge()
            assert crawl.rejudging is None
    assert seen == [(done, 5) for done in range(1, 6)]
