from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.strategies.scent.link_table import CONCLUDED, FETCHED, FREE, QUEUED, LinkTable
from tests.focus.strategies.scent.tables import links_to, random_table


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(4)


def test_parents_are_the_pages_that_link_to_a_target(random: np.random.Generator) -> None:
    table, added = random_table(random)
    for id in range(40):
        parents = [page for page, new in enumerate(added) if id in new.ids]
        assert sorted(table.parents(id)) == parents


def test_edges_lead_from_parents_to_fetched_children(random: np.random.Generator) -> None:
    table, added = random_table(random)
    children, parents = table.evidence.edges()
    expected = [(id, page) for page, new in enumerate(added) for id in new.ids if id in {1, 3, 5, 7, 9, 11}]
    assert sorted(zip(children.tolist(), parents.tolist(), strict=True)) == sorted(expected)


def test_a_targets_newest_links_are_found(random: np.random.Generator) -> None:
    table, _ = random_table(random)
    rows = np.arange(len(table.rows))
    at, lengths = table.newest(rows, 3)
    assert np.all(table.links["target"].rows[at] == np.repeat(rows, lengths))
    assert np.all(lengths == np.minimum(table.targets["links"].rows, 3))
    assert np.all(at[lengths.cumsum() - lengths] == table.targets["newest"].rows)


def test_a_score_in_the_frontier_is_that_of_the_best_link(random: np.random.Generator) -> None:
    table = LinkTable()
    for page, score in enumerate((1.0, 3.0, 2.0)):
        table.add(page, links_to([7], random), np.array([score]))
    assert table.targets["told"].rows[table.rows[7]] == 3.0


def test_what_was_fetched_stays_what_it_was(random: np.random.Generator) -> None:
    table = LinkTable()
    table.add(0, links_to([7, 8], random), np.zeros(2))
    table.fetched([7], 1)
    table.conclude(7)
    table.conclude(8)
    table.fetched([8], 2)
    assert [table.page_of(7), table.page_of(8)] == [1, 2]
    assert table.evidence.edges()[0].tolist() == [1]


def test_a_target_without_a_page_is_a_failure_of_its_groups_once(random: np.random.Generator) -> None:
    table = LinkTable()
    table.add(0, links_to([7, 8], random), np.zeros(2))
    table.add(1, links_to([8], random), np.zeros(1))
    for _ in range(2):
        table.lose(8)
    groups, row = table.evidence.groups, table.rows[8]
    assert groups["directory"].of(table.targets["directory"].rows[[row]]).tolist() == [[0], [1]]
    assert groups["host"].of(table.targets["host"].rows[[row]]).tolist() == [[0], [1]]
    assert groups["page"].of(np.array([0, 1])).tolist() == [[0, 0], [1, 1]]
    assert table.targets["counted"].rows[row]
    assert table.targets["counted_as"].rows[row] == 0
    assert table.page_of(8) is None
    table.lose(99)
    assert table.page_of(99) is None


def test_a_page_that_no_link_led_to_is_not_queued_when_one_does(random: np.random.Generator) -> None:
    table = LinkTable()
    table.fetched([5], 0)
    table.add(1, links_to([5, 6], random), np.zeros(2))
    assert len(table.evidence.edges()[0]) == 0
    assert (table.targets["state"].rows == QUEUED).tolist() == [False, True]
    assert [table.page_of(5), table.page_of(6), table.page_of(7)] == [0, None, None]


def test_a_redirect_passes_links_on_to_where_it_leads(random: np.random.Generator) -> None:
    table = LinkTable()
    table.add(0, links_to([7, 8], random), np.array([2.0, 1.0]))
    assert table.move(7, 70, "d.example")
    table.add(1, links_to([7], random), np.zeros(1))
    row = table.rows[70]
    assert 7 not in table.rows
    assert sorted(table.parents(70)) == sorted(table.parents(7)) == [0, 1]
    assert table.host_names[table.targets["host"].rows[row]] == "d.example"
    assert table.targets["directory"].rows[row] == 0, "that of its links"
    assert table.targets["told"].rows[row] == 2.0
    table.fetched([70], 2)
    table.add(3, links_to([7, 70], random), np.zeros(2))
    children, parents = table.evidence.edges()
    assert children.tolist() == [2, 2, 2, 2]
    assert sorted(parents.tolist()) == [0, 1, 3, 3]
    assert table.parents(70) == [3, 3, 1, 0]
    assert table.targets["links"].rows[row] == 4


def test_redirects_may_follow_each_other_but_not_in_a_circle(random: np.random.Generator) -> None:
    table = LinkTable()
    table.add(0, links_to([7], random), np.zeros(1))
    assert table.move(7, 70, "a.example")
    assert table.move(70, 700, "a.example")
    assert table.parents(7) == table.parents(700) == [0]
    assert not table.move(700, 7, "a.example")
    assert table.targets["state"].rows.tolist() == [CONCLUDED]


def test_a_redirect_to_a_known_target_is_over(random: np.random.Generator) -> None:
    table = LinkTable()
    table.add(0, links_to([7, 8, 9], random), np.array([3.0, 2.0, 1.0]))
    table.fetched([8], 1)
    assert not table.move(7, 8, "a.example")
    table.add(2, links_to([10], random), np.array([5.0]))
    assert table.move(10, 9, "a.example")
    states = {id: int(table.targets["state"].rows[row]) for id, row in table.rows.items()}
    assert states == {7: CONCLUDED, 8: FETCHED, 9: QUEUED, 10: CONCLUDED}
    assert table.targets["told"].rows[table.rows[9]] == 5.0, "the frontier has raised it"


def test_a_page_that_a_seed_was_redirected_to_is_not_queued_when_a_link_does(
    random: np.random.Generator,
) -> None:
    table = LinkTable()
    assert table.move(5, 50, "a.example")
    table.fetched([50], 0)
    table.add(1, links_to([5, 50], random), np.zeros(2))
    assert not (table.targets["state"].rows == QUEUED).any()


def test_targets_go_with_their_last_link(random: np.random.Generator) -> None:
    table = LinkTable(most=64)
    for page in range(20):
        table.add(page, links_to(list(range(8 * page, 8 * page + 8)), random), np.zeros(8))
        table.fetched([8 * page], page)
    kept = set(range(8 * 12, 8 * 20))
    assert set(table.rows) == kept | {8 * page for page in range(20)}, "the newest, and those fetched"
    assert len(table) == 64
    assert len(table.targets["id"]) < 100, "rows are used again"
    assert (table.targets["state"].rows == QUEUED).sum() == 56
    assert table.parents(8) == []
    assert table.evidence.edges()[0].tolist() == list(range(12, 20))


def test_a_target_that_was_let_go_may_come_back(random: np.random.Generator) -> None:
    table = LinkTable(most=64)
    for page in range(9):
        table.add(page, links_to(list(range(8 * page, 8 * page + 8)), random), np.full(8, 5.0))
    assert 0 not in table.rows
    table.add(9, links_to([0], random), np.array([1.0]))
    assert table.targets["told"].rows[table.rows[0]] == 1.0
    assert table.parents(0) == [9]


def test_is_the_same_after_a_restart(random: np.random.Generator) -> None:
    table, restored = random_table(random, pages=40, most=64)[0], LinkTable(most=64)
    table.evidence.count(np.linspace(0, 1, 60))
    table.move(20, 200, "d.example")
    table.move(21, 200, "d.example")
    restored.set_arrays(table.arrays(), table.host_names)
    for each in (table, restored):
        assert FREE in each.targets["state"].rows or not each.arrays()["free"].size
        again = np.random.default_rng(9)
        for page in range(40, 60):
            each.add(page, links_to(again.permutation(90)[:8].tolist(), again), np.zeros(8))
            each.fetched([page], page)
        each.evidence.count(np.linspace(1, 0, 60))
    assert table.rows == restored.rows
    for name, column in table.arrays().items():
        assert np.array_equal(column, restored.arrays()[name], equal_nan=column.dtype.kind == "f"), name
