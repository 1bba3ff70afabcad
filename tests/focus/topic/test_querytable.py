from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic.query_table import KEPT_VERSIONS, QueryTable, Window, count_queries, reweigh

QUERIES = [
    "Kejriwal new manifesto for lok sabha polls 2014.",
    "Manifesto of BJP for lok sabha polls 2014.",
    "lok sabha polls 2014 dates",
]
"""The queries of the paper's worked example."""


@pytest.fixture
def table() -> QueryTable:
    return QueryTable(alpha=0.5, threshold=1.0, phrases=["lok sabha"])


def test_query_frequencies_of_the_paper() -> None:
    window = count_queries(QUERIES, phrases=["lok sabha"])
    frequencies = {window.readable[term]: count for term, count in window.frequencies.items()}
    assert frequencies == {
        "bjp": 1,
        "date": 1,
        "kejriwal": 1,
        "lok sabha": 3,
        "manifesto": 2,
        "new": 1,
        "poll": 3,
        "2014": 3,
    }
    assert list(window.frequencies) == sorted(window.frequencies)


def test_the_weight_table_of_the_paper(table: QueryTable) -> None:
    made = table.rebuild(table.count(QUERIES))
    assert made == {"lok sabha": 1.5, "poll": 1.5, "manifesto": 1.0, "2014": 1.5}
    assert {made.version, len(table.versions)} == {1}
    assert sorted(table.below.values()) == [0.5, 0.5, 0.5, 0.5]
    assert {"bjp", "date", "new"} < table.below.keys()


def test_a_second_interval_with_the_same_queries(table: QueryTable) -> None:
    table.rebuild(table.count(QUERIES))
    made = table.rebuild(table.count(QUERIES))
    assert made["lok sabha"] == 2.25
    assert made["manifesto"] == 1.5
    # Below the threshold means forgotten: bjp starts from 0 again.
    assert table.below["bjp"] == 0.5
    assert made.version == 2
    assert [version["poll"] for version in table.versions] == [1.5, 2.25]


def test_a_term_no_longer_asked_for_fades(table: QueryTable) -> None:
    table.rebuild(Window(12, {"poll": 12, "solar": 100}))
    weights = [table.table.get("poll")]
    for _ in range(3):
        weights.append(table.rebuild(Window()).get("poll"))
    assert weights == [6.0, 3.0, 1.5, None]
    assert table.below["poll"] == 0.75
    assert reweigh({}, {"poll": 6.0}) == {"poll": 3.0}


def test_a_table_never_becomes_empty(table: QueryTable) -> None:
    table.rebuild(Window(2, {"poll": 2}))
    assert table.rebuild(Window()) == {"poll": 1.0}
    assert table.table.version == 1


def test_frequency_counts_queries_not_occurrences() -> None:
    assert count_queries(["solar solar solar", "solar"]).frequencies == {"solar": 2}


def test_a_phrase_quoted_once_is_one_term_in_all_queries() -> None:
    window = count_queries(["heat pump prices", 'best "heat pump"'])
    assert window.frequencies == {"best": 1, "heat pump": 2, "price": 1}
    assert window.phrases == ["heat pump"]


def test_quoted_phrases_are_remembered(table: QueryTable) -> None:
    table.rebuild(table.count(['"heat pump"', "heat pump"]))
    assert table.count(["heat pump noise"]).frequencies == {"heat pump": 1, "nois": 1}


def test_without_a_phrase_list_no_words_are_joined() -> None:
    # The paper joins "lok sabha" by no rule that it names: all of "lok sabha polls 2014" is adjacent.
    assert "lok" in count_queries(QUERIES).frequencies


def test_a_window_over_the_whole_log_settles_on_the_frequency() -> None:
    table = QueryTable(alpha=0.5, threshold=0.0, window="all")
    table.rebuild(table.count(["solar power", "solar"]))
    for _ in range(60):
        table.rebuild(Window())
    assert table.table["solar"] == pytest.approx(2.0)
    assert table.table["power"] == pytest.approx(1.0)


def test_counting_changes_nothing(table: QueryTable) -> None:
    before = table.save()
    table.count(['"new phrase" here'])
    assert table.save() == before


def test_goes_on_after_being_saved(table: QueryTable) -> None:
    table.rebuild(table.count([*QUERIES, '"heat pump"']))
    again = QueryTable(alpha=0.5, threshold=1.0)
    again.load(table.save())
    assert again.table == table.table
    assert again.rebuild(again.count(QUERIES)) == table.rebuild(table.count(QUERIES))
    assert again.save() == table.save()


def test_only_the_latest_versions_are_kept(table: QueryTable) -> None:
    for _ in range(KEPT_VERSIONS + 5):
        table.rebuild(Window(1, {"poll": 9}))
    assert len(table.versions) == KEPT_VERSIONS
    assert table.table.version == KEPT_VERSIONS + 5


@pytest.mark.parametrize("alpha", [0.0, -0.1, 0.51, 1.0, float("nan")])
def test_alpha_has_bounds(alpha: float) -> None:
    with pytest.raises(InputError, match="alpha"):
        QueryTable(alpha=alpha)


@pytest.mark.parametrize("threshold", [-1.0, float("nan")])
def test_the_threshold_has_bounds(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold"):
        QueryTable(threshold=threshold)


def test_other_languages_use_their_own_stems() -> None:
    assert count_queries(["die Wahlen", "der Wahlen"], language="de").frequencies == {"wahl": 2}
