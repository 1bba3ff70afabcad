from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from lagotto.focus.judging import judge_again
from lagotto.lab.experiments.measures import average_precision, f1
from tests.focus.judging.made import made_harvest


def test_neighbours_and_links_correct_a_noisy_model() -> None:
    harvest, on = made_harvest(noise=0.15)
    harvest.score[np.flatnonzero(on)[:6]] = 0.0
    before = average_precision(on, harvest.score)
    rejudged = judge_again(harvest)
    assert average_precision(on, rejudged.relevance) > before + 0.03
    assert f1(on, rejudged.relevant) > 0.8


def test_neighbours_do_not_count_where_the_model_does_not_agree_with_them() -> None:
    harvest, _ = made_harvest()
    random = np.random.default_rng(1).normal(size=len(harvest))
    rejudged = judge_again(structs.replace(harvest, score=random))
    assert not rejudged.parts["near pages"].any()
    assert not rejudged.parts["like the seeds"].any()


def test_parts_add_up_to_the_log_odds() -> None:
    harvest, _ = made_harvest(marks=10)
    rejudged = judge_again(harvest)
    assert sum(rejudged.parts.values()) == pytest.approx(rejudged.log_odds)
    unmarked = np.isnan(harvest.marks)
    chances = 1 / (1 + np.exp(-rejudged.log_odds))
    assert rejudged.relevance[unmarked] == pytest.approx(chances[unmarked])
    assert sum(rejudged.explain(5).values()) == pytest.approx(rejudged.log_odds[5], abs=0.01)


def test_a_mark_decides_its_own_page_against_all_evidence() -> None:
    harvest, on = made_harvest()
    page, other = int(np.flatnonzero(on)[5]), int(np.flatnonzero(~on)[5])
    marks = harvest.marks.copy()
    marks[page], marks[other] = 0.0, 1.0
    rejudged = judge_again(structs.replace(harvest, marks=marks))
    assert (rejudged.relevance[page], rejudged.relevance[other]) == (0.0, 1.0)
    assert not rejudged.relevant[page]
    assert rejudged.relevant[other]


def test_a_web_without_the_topic_claims_nothing() -> None:
    harvest, on = made_harvest(present=False)
    assert not on.any()
    rejudged = judge_again(harvest)
    assert not rejudged.presence.here
    assert not rejudged.relevant.any()
    assert rejudged.expected < 0.05 * len(harvest)


def test_a_page_clearly_about_the_words_makes_a_small_topic() -> None:
    harvest, _ = made_harvest(present=False)
    best, passing = 10, 20
    values = {name: getattr(harvest, name).copy() for name in ("score", "coverage", "density", "titled")}
    values["score"][[best, passing]] = 10.0
    values["coverage"][best], values["density"][best], values["titled"][best] = 0.9, 4.0, 1.0
    rejudged = judge_again(structs.replace(harvest, **values))
    assert (rejudged.presence.here, rejudged.presence.narrow) == (True, True)
    assert np.flatnonzero(rejudged.relevant).tolist() == [best]


def test_a_small_crawl_without_any_sign_claims_nothing() -> None:
    harvest, _ = made_harvest(30, present=False)
    rejudged = judge_again(harvest)
    assert (rejudged.presence.here, rejudged.presence.clear) == (True, False)
    assert not rejudged.relevant.any()


def test_embeddings_place_pages_whose_terms_say_nothing() -> None:
    harvest, on = made_harvest(noise=1.0)
    random = np.random.default_rng(2)
    topic = np.eye(8, dtype=np.float32)[0]
    vectors = np.where(on[:, np.newaxis], topic, 0.0) + random.normal(0, 0.3, (len(harvest), 8))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    plain = average_precision(on, judge_again(harvest).relevance)
    told = judge_again(structs.replace(harvest, embeddings=vectors, asked=np.stack([topic, topic])))
    assert average_precision(on, told.relevance) > plain
    assert "similarity" in told.presence.evidence


@pytest.mark.parametrize("pages", [0, 1, 2, 3, 8])
def test_few_pages_are_judged_without_fault(pages: int) -> None:
    harvest, _ = made_harvest(300)
    kept = {
        name: getattr(harvest, name)[:pages]
        for name in structs.asdict(harvest)
        if name not in ("terms", "weights", "children", "parents", "embeddings", "asked")
    }
    terms = int(kept["lengths"].sum())
    few = structs.replace(
        harvest,
        **kept,
        terms=harvest.terms[:terms],
        weights=harvest.weights[:terms],
        children=np.zeros(0, np.int64),
        parents=np.zeros(0, np.int64),
    )
    rejudged = judge_again(few)
    assert len(rejudged.relevance) == len(rejudged.relevant) == pages
    assert np.isfinite(rejudged.relevance).all()


def test_pages_fetched_early_are_preferred_where_the_harvest_declines() -> None:
    harvest, _ = made_harvest()
    falling = structs.replace(harvest, score=np.sort(harvest.score)[::-1].copy())
    early = judge_again(falling).parts["fetched early"]
    assert (np.diff(early) < 0).all()
    rising = structs.replace(harvest, score=np.sort(harvest.score))
    assert not judge_again(rising).parts["fetched early"].any()


def test_pages_of_a_host_that_has_the_words_are_preferred() -> None:
    harvest, on = made_harvest()
    lonely = structs.replace(
        harvest, coverage=np.where(np.arange(len(on)) == np.flatnonzero(on)[3], 0.7, 0.0)
    )
    of_host = judge_again(lonely).parts["best page of its host"]
    assert of_host[on].min() > 0 > of_host[~on].max()


def test_precision_is_the_mean_relevance_of_the_pages_claimed() -> None:
    harvest, _ = made_harvest(noise=0.3)
    rejudged = judge_again(harvest)
    assert rejudged.precision == pytest.approx(rejudged.relevance[rejudged.relevant].mean())
    assert judge_again(made_harvest(present=False)[0]).precision is None


def test_verdicts_that_marks_change_are_counted() -> None:
    harvest, on = made_harvest(noise=0.15)
    assert judge_again(harvest).changed == 0
    marks = harvest.marks.copy()
    marks[np.flatnonzero(on)[:12]] = 0.0
    before, after = judge_again(harvest), judge_again(structs.replace(harvest, marks=marks))
    moved = (before.relevant != after.relevant)[np.isnan(marks)].sum()
    assert after.changed == moved > 0
