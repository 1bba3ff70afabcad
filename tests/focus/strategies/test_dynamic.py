"""`dynamic`: a table from the query log, rebuilt while the crawl runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.strategies.dynamic import Dynamic
from lagotto.focus.topic import Topic, WeightTable
from lagotto.lab.checks import check_strategy, lease_of
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, crawl, page

PAPER = """Kejriwal new manifesto for lok sabha polls 2014.
Manifesto of BJP for lok sabha polls 2014.
lok sabha polls 2014 dates
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "queries.log"


def ask(log: Path, *queries: str) -> None:
    with log.open("a") as file:
        file.writelines(f"{query}\n" for query in queries)


def pages_judged(strategy: Dynamic, pages: int) -> None:
    """Let so many pages pass through the strategy."""
    for number in range(pages):
        found = page(f"p{number}", "bird")
        sample = strategy.sample(found, strategy.judge(found), lease_of(found))
        if sample is not None:
            strategy.learn(sample)


def test_the_paper_s_table_steers_the_crawl(log: Path) -> None:
    log.write_text(PAPER)
    strategy = Dynamic(Topic(query_log=log, phrases=["lok sabha"]))
    assert dict(strategy.table) == {"2014": 1.5, "lok sabha": 1.5, "poll": 1.5, "manifesto": 1.0}
    # "lok sabha" is one term on a page, also when its parser did not know the phrase.
    judgement = strategy.judge(page("a", "lok sabha"))
    assert judgement.relevance == pytest.approx(1.5 / (3 * 1.5**2 + 1) ** 0.5)
    assert list(judgement.parts) == ["cosine", "term:lok sabha"]


def test_only_links_of_relevant_pages_are_followed_best_first() -> None:
    web = TinyWeb(
        page("seed", "bird river", {"off": "", "on": "bird"}),
        page("off", "river", {"lost": "bird"}),
        page("on", "bird", {"last": ""}),
        page("last", "river"),
        page("lost", "bird"),
    )
    # on: 0.71 + 1; last: 1; off: 0.71
    assert crawl(Dynamic(Topic("bird")), web, "seed") == ["seed", "on", "last", "off"]


def test_the_link_threshold_does_something_at_its_default() -> None:
    filler = " ".join(f"word{number}" for number in range(900))
    # The seed's own relevance, 0.03, is above the page threshold and below the link threshold.
    web = TinyWeb(
        page("seed", f"bird {filler}", {"dull": "river", "good": "bird"}),
        page("dull", "bird"),
        page("good", "bird"),
    )
    assert crawl(Dynamic(Topic("bird")), web, "seed") == ["seed", "good"]


def test_context_adds_related_words_to_each_version(log: Path) -> None:
    ask(log, "bird", "bird")
    strategy = Dynamic(Topic(query_log=log), interval="1 page", context=True)
    assert strategy.table["bird"] == 1.0
    assert 0 < strategy.table["owl"] < 0.3
    ask(log, *4 * ["bird"])
    pages_judged(strategy, 2)
    assert strategy.table["bird"] == 2.5
    assert strategy.table["owl"] > 0.3
    # The log's own table is computed as in the paper, without the context.
    assert dict(strategy.versions[-1]) == {"bird": 2.5}


def test_a_rebuild_changes_which_pages_are_relevant(log: Path) -> None:
    web = TinyWeb(
        page("seed", "bird", ["bird1", "bank1"]),
        page("bird1", "bird", ["bird2"]),
        page("bank1", "bank", ["bank2"]),
        page("bird2", "bird", ["bird3"]),
        page("bank2", "bank"),
        page("bird3", "bird"),
    )
    ask(log, "birds", "a bird", "bird")
    still = Dynamic(Topic(query_log=log), interval="2 pages")
    assert crawl(still, web, "seed") == ["seed", "bird1", "bank1", "bird2", "bird3"]

    crawling = TinyCrawl(web, "seed")
    strategy = Dynamic(Topic(query_log=log), interval="2 pages")
    crawling.run(strategy, pages=1)
    ask(log, *["bank"] * 20)
    # Two pages later people want banks: links of bank1 are followed, those of bird2 no longer.
    assert crawling.run(strategy) == ["seed", "bird1", "bank1", "bird2", "bank2"]
    # bird: 1.5, then 0.5·1.5 is below 1; bank: 0.5·20.
    assert [dict(table) for table in strategy.versions] == [{"bird": 1.5}, {"bank": 10.0}]


def test_intervals_are_counted_in_pages(log: Path) -> None:
    ask(log, "bird", "bird")
    strategy = Dynamic(Topic(query_log=log), interval="3 pages")
    for interval in range(1, 4):
        ask(log, "bird", "bird", "bird", "bird")
        pages_judged(strategy, 2)
        assert len(strategy.versions) == interval
        pages_judged(strategy, 1)
        assert len(strategy.versions) == interval + 1
    # W = 0.5·2, then 0.5·4 + 0.5·W each time
    assert [table["bird"] for table in strategy.versions] == [1.0, 2.5, 3.25, 3.625]


def test_intervals_in_time(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("lagotto.focus.strategies.dynamic.time.time", lambda: clock[0])
    ask(log, "bird", "bird")
    strategy = Dynamic(Topic(query_log=log), interval="10m")
    pages_judged(strategy, 50)
    ask(log, "bird", "bird")
    clock[0] += 599
    pages_judged(strategy, 1)
    assert len(strategy.versions) == 1
    clock[0] += 1
    pages_judged(strategy, 1)
    assert len(strategy.versions) == 2


def test_silence_leaves_the_table_as_it_is(log: Path) -> None:
    ask(log, "bird", "bird", "bird nest", "nest")
    strategy = Dynamic(Topic(query_log=log), interval="1 page")
    before = dict(strategy.table)
    pages_judged(strategy, 10)
    assert dict(strategy.table) == before == {"bird": 1.5, "nest": 1.0}


def test_sampling_reads_the_log_but_moves_nothing(log: Path) -> None:
    ask(log, "bird", "bird")
    strategy = Dynamic(Topic(query_log=log), interval="1 page")
    pages_judged(strategy, 1)
    ask(log, "bird", "bird")
    found = page("a", "bird")
    judgement = strategy.judge(found)
    samples = [strategy.sample(found, judgement, lease_of(found)) for _ in range(2)]
    assert samples[0] is not None
    before = strategy.save()
    strategy.sample(found, judgement, lease_of(found))
    assert strategy.save() == before
    assert len(strategy.versions) == 1


def test_a_replay_gives_the_same_table_though_the_log_has_grown(log: Path) -> None:
    ask(log, "bird", "bird")
    first = Dynamic(Topic(query_log=log), interval="2 pages")
    samples = []
    for number in range(5):
        found = page(f"p{number}", "bird")
        sample = first.sample(found, first.judge(found), lease_of(found))
        assert sample is not None
        first.learn(sample)
        samples.append(sample)
        ask(log, "nest", "nest", "nest")
    again = Dynamic(Topic(query_log=log), interval="2 pages")
    for sample in samples:
        again.learn(sample)
    assert [dict(table) for table in again.versions] == [dict(table) for table in first.versions]
    assert again.save() == first.save()


def test_words_are_the_query_log_where_there_is_none() -> None:
    strategy = Dynamic(Topic('bird "heron nest"'))
    assert set(strategy.table) == {"bird", "heron nest"}
    found = page("a", "bird")
    assert strategy.sample(found, strategy.judge(found), lease_of(found)) is None


def test_an_empty_log_falls_back_on_the_words(log: Path) -> None:
    log.touch()
    strategy = Dynamic(Topic("bird", query_log=log), interval="1 page")
    assert set(strategy.table) == {"bird"}
    pages_judged(strategy, 1)
    ask(log, "heron", "heron")
    pages_judged(strategy, 1)
    assert dict(strategy.table) == {"heron": 1.0}


def test_a_log_below_the_threshold_is_told_in_a_sentence(log: Path) -> None:
    ask(log, "bird")
    with pytest.raises(InputError, match="reaches the threshold 1; lower the threshold, or say"):
        Dynamic(Topic(query_log=log))
    assert dict(Dynamic(Topic(query_log=log), threshold=0.5).table) == {"bird": 0.5}


def test_a_saved_table_is_the_old_weights(log: Path) -> None:
    ask(log, "bird", "bird")
    strategy = Dynamic(Topic(query_log=log, table=WeightTable({"bird": 4.0, "nest": 1.0})))
    assert dict(strategy.table) == {"bird": 3.0}


def test_contract_with_a_log(log: Path) -> None:
    log.write_text(PAPER)
    check_strategy(lambda: Dynamic(Topic(query_log=log), interval="2 pages"))
