"""Links followed by chance: how many, which, and what they say of the others."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from lagotto.base.records import Lease
from lagotto.base.urls import checksum
from lagotto.focus.strategies.scent.exploration import BONUS, Exploration
from lagotto.focus.strategies.scent.features import NAMES
from lagotto.focus.strategies.scent.link_table import LinkTable
from lagotto.focus.strategies.scent.strategy import Scent
from lagotto.focus.topic import Topic
from lagotto.lab.checks.strategies import lease_of, make_page
from tests.focus.strategies.scent.tables import links_to
from tests.focus.strategies.scent.test_strategy import crawl, small_web

QUEUED = range(1, 100)


@pytest.fixture
def table() -> LinkTable:
    """A page that links to a hundred others, one of which is fetched."""
    table = LinkTable()
    table.add(0, links_to([0, *QUEUED], np.random.default_rng(1)), np.zeros(100))
    table.fetched([0], 0)
    return table


def picks(exploration: Exploration, table: LinkTable, pages: int) -> list[int]:
    rows = [exploration.pick(table, page) for page in range(1, pages + 1)]
    return [int(table.targets["id"].rows[row]) for row in rows if row is not None]


def test_picks_become_rarer_but_never_cease(table: LinkTable) -> None:
    exploration = Exploration(0.05)
    assert len(picks(exploration, table, 200)) == pytest.approx(0.05 * 200 * np.log(2), abs=1)
    exploration.out.clear()
    exploration.owed = 0.0
    late = [page for page in range(100_000, 101_000) if exploration.pick(table, page) is not None]
    assert len(late) == pytest.approx(5, abs=1)


def test_every_queued_link_may_be_picked_and_only_once_at_a_time(table: LinkTable) -> None:
    exploration = Exploration(1.0)
    picked = picks(exploration, table, 300)
    assert len(picked) == len(set(picked)) > 80
    assert set(picked) <= set(QUEUED)


def test_without_a_share_or_a_link_nothing_is_picked(table: LinkTable) -> None:
    assert picks(Exploration(0.0), table, 1000) == []
    assert picks(Exploration(1.0), LinkTable(), 10) == []


def test_picks_say_what_promises_are_worth(table: LinkTable) -> None:
    exploration = Exploration(1.0)
    assert exploration.trust(0.8) == pytest.approx(0.8), "without a pick all fetches speak"
    for id in picks(exploration, table, 60):
        exploration.record(id, relevance=0.1, promise=0.4)
    assert exploration.trust(0.8) == pytest.approx(0.25, abs=0.1)
    before = exploration.found
    exploration.record(12345, relevance=1.0, promise=0.1)
    assert exploration.found == before, "a link that chance did not pick says nothing"


def test_a_picked_link_that_is_redirected_is_still_picked() -> None:
    strategy, pages = Scent(Topic("bird heron"), exploration=0.3), small_web()
    crawl(strategy, pages[:20])
    first, second = sorted(strategy._exploration.out)[:2]
    new, fetched = make_page("http://new.example/", "Birds", "A heron. " * 9), pages[1]
    strategy.learn(strategy.moved(Lease(first, "http://old.example/", "old.example"), new.url))
    strategy.learn(strategy.moved(Lease(second, "http://old.example/2", "old.example"), fetched.url))
    assert checksum(new.url) in strategy._exploration.out
    assert not {first, second, checksum(fetched.url)} & strategy._exploration.out
    before = len(strategy._exploration.recent)
    strategy.learn(strategy.sample(new, strategy.judge(new), lease_of(new)))
    assert len(strategy._exploration.recent) == before + 1


def test_a_picked_link_comes_first_and_stays_there_until_it_is_fetched() -> None:
    strategy, pages = Scent(Topic("bird heron"), exploration=0.3), small_web()
    lifted = {}
    for at, page in enumerate(pages[:20]):
        crawl(strategy, [page], first=at)
        for link in strategy.revisions():
            if len(link.parts) > len(NAMES):
                lifted[link.id] = link
            else:
                assert link.id not in strategy._exploration.out, "a look does not put a picked link back"
    assert lifted
    for link in lifted.values():
        assert link.parts[-1] == BONUS
        assert sum(link.parts) == pytest.approx(link.score, abs=0.01)
    id = next(iter(strategy._exploration.out))
    page = next(page for page in small_web() if checksum(page.url) == id)
    before = strategy._exploration.promised
    lease = replace(lease_of(page), score=lifted[id].score, parts=lifted[id].parts)
    strategy.learn(strategy.sample(page, strategy.judge(page), lease))
    assert id not in strategy._exploration.out
    promised = strategy._exploration.promised - before
    assert promised == pytest.approx(1 / (1 + np.exp(BONUS - lease.score))), "without the lift"
