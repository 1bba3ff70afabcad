from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.strategies.scent import link_features as views
from lagotto.focus.strategies.scent.features import NAMES
from lagotto.focus.strategies.scent.judge import TERM, Lexicon
from lagotto.focus.strategies.scent.link_table import LinkTable, NewLinks
from tests.focus.strategies.scent.tables import links_to, random_table

BASE = 0.2
LEARNED = np.array([(0.1, 0.2), (-0.2, 0.1), (0.3, 0.4), (0, 0.3), (0.5, 0.6)], TERM)
LEXICON = Lexicon(np.zeros(5, TERM), LEARNED)


def rate(found: list[float], smoothing: float = 2.0, weights: list[float] | None = None) -> float:
    weights = [1.0] * len(found) if weights is None else weights
    total = sum(weight * relevance for weight, relevance in zip(weights, found, strict=True))
    return (total + smoothing * BASE) / (sum(weights) + smoothing) - BASE


def by_hand(
    id: int, pages: list[NewLinks], fetched: dict[int, float], relevance: np.ndarray
) -> dict[str, float]:
    """Features of a target as their definitions say, from all links."""
    links = [(page, new.ids.tolist().index(id)) for page, new in enumerate(pages) if id in new.ids]
    found: dict[str, list[float]] = {name: [] for name in NAMES}

    def others(chosen: list[tuple[int, int]], link: tuple[int, int]) -> list[float]:
        targets = [int(pages[page].ids[at]) for page, at in chosen if (page, at) != link]
        return [fetched[target] for target in targets if target in fetched]

    def in_host_place(asked: int) -> list[float]:
        """A target counts once for links in such a place that follow each other, and not for itself."""
        values = []
        for target, value in fetched.items():
            places = [int(new.host_places[at]) for new in pages for at in np.flatnonzero(new.ids == target)]
            starts = [
                place for place, before in zip(places, [None, *places], strict=False) if place != before
            ]
            values += [value] * (starts.count(asked) - (target == id))
        return values

    everything = [(page, at) for page, new in enumerate(pages) for at in range(len(new.ids))]
    for page, at in links:
        new = pages[page]
        found["anchor"].append(new.similarity[at, 0])
        found["context"].append(new.similarity[at, 1])
        found["url"].append(new.similarity[at, 2])
        terms = LEXICON.learned[new.anchors[at]]
        found["meaning"].append(terms["weight"].sum() / (np.sqrt(terms["square"].sum()) + 1))
        found["anchor on relevant page"].append(relevance[page] * new.similarity[at, 0])
        found["parents"].append(relevance[page])
        same_page = [link for link in everything if link[0] == page]
        found["siblings"].append(rate(others(same_page, (page, at))))
        in_place = [link for link in same_page if new.places[link[1]] == new.places[at]]
        found["siblings in place"].append(rate(others(in_place, (page, at))))
        found["host's links in place"].append(rate(in_host_place(int(new.host_places[at]))))
        near = [
            (1 / abs(other - at), fetched[int(new.ids[other])])
            for other in range(len(new.ids))
            if 0 < abs(other - at) <= 4 and int(new.ids[other]) in fetched
        ]
        found["neighbours"].append(rate([value for _, value in near], 1.0, [weight for weight, _ in near]))
    best = ("anchor", "context", "url", "meaning", "anchor on relevant page")
    result = {
        name: max(values) if name in best else float(np.mean(values))
        for name, values in found.items()
        if values
    }
    relevant = sum(found["parents"])
    host = [value for other, value in fetched.items() if other % 3 == id % 3 and other != id]
    directory = [value for other, value in fetched.items() if other % 7 == id % 7 and other != id]
    return {
        "bias": 1.0,
        **result,
        "number of parents": np.log(len(links)),
        "relevant parents": relevant / (1 + relevant),
        "relevant parents, log": np.log1p(relevant),
        "host": rate(host),
        "directory": rate(directory),
        "pages of host": np.log1p(len(host)),
        "pages of directory": np.log1p(len(directory)),
    }


def compare(table: LinkTable, pages: list[NewLinks], relevance: np.ndarray) -> None:
    table.evidence.count(relevance)
    fetched = {int(id): relevance[id] for id in table.targets["id"].rows[table.evidence.rows.rows]}
    ids = [id for id in table.rows if len(table.parents(id))]
    assert any(id in fetched for id in ids), "or leaving a target out of its own groups is not tested"
    features = views.of_targets(table, np.array([table.rows[id] for id in ids]), relevance, LEXICON, BASE)
    for id, row in zip(ids, features, strict=True):
        expected = by_hand(id, pages, fetched, relevance)
        assert dict(zip(NAMES, row.tolist(), strict=True)) == pytest.approx(expected, abs=1e-5)


def test_features_are_what_they_are_defined_to_be() -> None:
    random = np.random.default_rng(5)
    table, pages = random_table(random)
    compare(table, pages, random.random(12))


def test_features_follow_when_pages_come_and_are_judged_anew() -> None:
    random = np.random.default_rng(6)
    table, pages = random_table(random)
    compare(table, pages, random.integers(0, 2, 12).astype(float))
    for page in range(12, 16):
        pages.append(links_to(random.permutation(40)[:8].tolist(), random))
        table.add(page, pages[-1], np.zeros(8))
        if page % 2:
            table.fetched([page], page)
    compare(table, pages, random.integers(0, 2, 16).astype(float))


def test_a_new_link_looks_as_if_it_were_the_only_one_to_its_target() -> None:
    random = np.random.default_rng(7)
    table, _ = random_table(random)
    relevance = np.append(random.random(12), 0.7)
    table.evidence.count(relevance)
    new = links_to([*range(1, 12, 2), 100, 101], random)
    seen = views.of_new_links(table, new, 0.7, LEXICON, BASE)
    table.add(12, new, np.zeros(8))
    table.evidence.count(relevance)
    rows = np.array([table.rows[id] for id in (100, 101)])
    added = views.of_targets(table, rows, relevance, LEXICON, BASE)
    # By then its page's links to fetched targets count among the links in such a place to a host as well.
    others = [at for at, name in enumerate(NAMES) if name != "host's links in place"]
    assert seen[-2:, others] == pytest.approx(added[:, others], abs=1e-5)


def test_hints_rise_where_a_host_does_well() -> None:
    random = np.random.default_rng(8)
    table, _ = random_table(random)
    weights = np.array([float(name == "host") for name in NAMES])
    table.evidence.count(np.zeros(12))
    before = views.hints(table, np.zeros(12), weights, BASE)
    relevance = np.zeros(12)
    relevance[1] = 1.0
    table.evidence.count(relevance)
    rise = views.hints(table, relevance, weights, BASE) - before
    of_host = table.targets["host"].rows == table.targets["host"].rows[table.rows[1]]
    assert np.all(rise[of_host] > 0)
    assert np.all(rise[~of_host] == 0)
