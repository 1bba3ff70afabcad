from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.strategies.scent import link_model as module
from lagotto.focus.strategies.scent.corpus import Reading
from lagotto.focus.strategies.scent.drought import Drought
from lagotto.focus.strategies.scent.exploration import Exploration
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_model import LinkModel
from lagotto.focus.strategies.scent.link_table import LinkTable
from tests.focus.strategies.scent.tables import links_to

PAGES = 30
READING = Reading(np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(1))


def crawled(seed: int, of_page: int = 8) -> tuple[LinkModel, LinkTable, Judge]:
    """Pages whose numbers are divisible by three are relevant, and lie on the first host."""
    random = np.random.default_rng(seed)
    link_model, table, judge = make(), LinkTable(), Judge({"heron": 1.0})
    for page in range(PAGES):
        logit = 4.0 if page % 3 == 0 else -4.0
        judge.add(READING, logit)
        # Odd pages have links that promise much.
        link_model.record(0.0, float(logit > 0), np.full(4, 3.0 if page % 2 else -9.0), seed=page == 0)
        # The first page is a hub that all others were found by.
        ids = random.permutation(400)[:of_page].tolist() if page else list(range(PAGES))
        table.add(page, links_to(ids, random), np.zeros(len(ids)))
        table.fetched([page], page)
    return link_model, table, judge


def make() -> LinkModel:
    return LinkModel(
        Exploration(0.0), Drought(), learning=0.7, ridge=1.0, context=0.0, tunnelling=0.4, spread=0.0
    )


def test_links_to_a_host_that_did_well_come_first() -> None:
    link_model, table, judge = crawled(1)
    link_model.revise(table, judge)
    queued = [(table.targets["told"].rows[row], id % 3) for id, row in table.rows.items() if id >= PAGES]
    good = [score for score, host in queued if host == 0]
    assert np.mean(good) > np.mean([score for score, host in queued if host]) + 1.0


def test_a_page_is_worth_something_as_a_way_to_others() -> None:
    link_model, table, judge = crawled(6)
    link_model.revise(table, judge)
    bias = link_model.learned[0]
    straight, table, judge = crawled(6)
    straight.tunnelling = 0.0
    straight.revise(table, judge)
    assert bias > straight.learned[0], "pages that are not relevant count for more"


def test_revisions_are_told_once_and_their_parts_add_up() -> None:
    link_model, table, judge = crawled(2)
    link_model.revise(table, judge)
    told = link_model.take_revisions()
    assert told
    assert all(sum(link.parts) == pytest.approx(link.score, abs=0.01) for link in told)
    assert all(link.id >= PAGES for link in told), "what is fetched has no score any more"
    assert link_model.take_revisions() == []


def test_revisions_of_two_looks_are_told_together() -> None:
    link_model, table, judge = crawled(3)
    link_model.revise(table, judge)
    first = {link.id for link in link_model.take_revisions()}
    again, table, judge = crawled(3)
    again.revise(table, judge)
    again.revise(table, judge)
    assert {link.id for link in again.take_revisions()} >= first


def test_a_link_that_is_not_scored_anew_follows_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEADING", 5)
    monkeypatch.setattr(module, "IN_TURN", 5)
    monkeypatch.setattr(module, "REVISED", 5)
    link_model, table, judge = crawled(4, of_page=16)
    link_model.revise(table, judge)
    score = table.targets["score"].rows
    of_host = [row for id, row in table.rows.items() if id >= PAGES and id % 3 == 1]
    before = score[of_host].copy()
    # The pages of the second host turn out to be relevant after all.
    judge.logits.rows[1::3] = 4.0
    link_model.revise(table, judge)
    assert np.mean(score[of_host] - before) > 0.2


def test_all_queued_targets_get_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    link_model, table, _ = crawled(5)
    for name in ("LEADING", "REVISED", "IN_TURN"):
        monkeypatch.setattr(module, name, 10)
    queued = {row for id, row in table.rows.items() if id >= PAGES}
    chosen: set[int] = set()
    for _ in range(len(queued) // 10 + 1):
        chosen |= set(link_model._chosen(table).tolist())
    assert chosen == queued


def test_a_long_crawl_learns_from_the_newest_and_some_of_the_others() -> None:
    rows = np.arange(10 * module.TAUGHT)
    taught = module._thinned(rows)
    assert module.TAUGHT // 2 < len(taught) <= module.TAUGHT
    assert set(rows[-module.TAUGHT // 2 :]) <= set(taught)
    assert np.array_equal(module._thinned(rows[:50]), rows[:50])
