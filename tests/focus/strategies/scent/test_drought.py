"""Drought: what links to each host get when the crawl has run dry."""

from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent import Scent
from lagotto.focus.strategies.scent.drought import FEWEST, GRACE, STRETCH, Drought
from lagotto.focus.topic import Topic

GOOD, BAD = 0, 1


def drought_after(good: int, bad: int, hosts: int = 4) -> tuple[Drought, np.ndarray]:
    """A crawl that read relevant pages of one host, then others of a second one, which names the rest."""
    drought = Drought()
    for _ in range(good):
        drought.read(GOOD, 1)
    for _ in range(bad):
        drought.read(BAD, hosts)
    return drought, np.array([1.0] * good + [0.0] * bad)


def asked(drought: Drought, *more: int) -> np.ndarray:
    """Pages asked for of each host: those read, and some others."""
    found = np.bincount(drought.hosts.rows, minlength=len(drought.named_by)).astype(float)
    np.add.at(found, list(more), 1.0)
    return found


def test_there_is_no_drought_while_pages_are_found() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH // 4)
    drought.measure(relevances, asked(drought))
    assert (drought.depth, drought.since, drought.exhausted) == (0.0, 0, 0)


def test_few_pages_make_no_drought() -> None:
    drought, relevances = drought_after(10, FEWEST - 11)
    drought.measure(relevances, asked(drought))
    assert drought.depth == 0.0


def test_hosts_never_read_get_most_and_exhausted_ones_lose() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH)
    drought.measure(relevances, asked(drought))
    assert drought.depth == 1.0
    assert drought.exhausted == FEWEST + STRETCH
    good, bad, unread, _ = drought.of(np.arange(4), np.zeros(4))
    assert unread > good > bad


def test_a_host_that_does_not_answer_gets_less_than_one_never_asked() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH)
    drought.measure(relevances, asked(drought, 2))
    assert drought.of_hosts[2] < drought.of_hosts[3]


def test_a_host_gets_more_if_it_names_more_hosts_that_answer() -> None:
    def of_hub(hosts: int, *failed: int) -> float:
        drought, relevances = drought_after(FEWEST, STRETCH, hosts)
        drought.measure(relevances, asked(drought, *failed))
        return float(drought.of_hosts[BAD])

    assert of_hub(40) > of_hub(4)
    assert of_hub(40, *range(2, 40)) < of_hub(40)


def test_only_the_best_link_of_a_host_gets_a_bonus() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH)
    drought.measure(relevances, asked(drought))
    first, second = drought.of(np.array([2, 2]), np.array([0.0, 1.0]))
    assert first == 0.0 < second


def test_what_a_host_loses_all_its_links_lose() -> None:
    drought, relevances = drought_after(FEWEST, 100 * GRACE, 2)
    drought.measure(relevances, asked(drought))
    first, second = drought.of(np.array([BAD, BAD]), np.array([0.0, 1.0]))
    assert first == second < 0.0


def test_a_drought_ends_with_new_finds() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH)
    drought.measure(relevances, asked(drought))
    for _ in range(STRETCH):
        drought.read(2, 4)
    drought.measure(np.concatenate([relevances, np.ones(STRETCH)]), asked(drought))
    assert (drought.depth, drought.since) == (0.0, 0)
    assert not drought.of(np.arange(4), np.zeros(4)).any()


def test_a_drought_is_saved_with_what_was_learned() -> None:
    drought, relevances = drought_after(FEWEST, STRETCH)
    drought.measure(relevances, asked(drought))
    first, second = Scent(Topic("heron")), Scent(Topic("heron"))
    first._drought.__dict__.update(vars(drought))
    second.load(first.save())
    loaded = second._drought
    assert (loaded.depth, loaded.since, loaded.of_new) == (drought.depth, drought.since, drought.of_new)
    for name in ("hosts", "named_by"):
        assert getattr(loaded, name).rows.tolist() == getattr(drought, name).rows.tolist()
    assert loaded.of_hosts.tolist() == drought.of_hosts.tolist()
