"""What counts as relevant now: a mark before the newest judgement, and what was judged first is kept."""

from __future__ import annotations

from lagotto.base.batch import Batch, Mark, NewJudgement
from lagotto.base.views import PageDetails
from lagotto.lab.checks.store_calls import HOME, outcome, seed
from tests.store.blocking import Blocking


def started() -> Blocking:
    store = Blocking.memory().hold_all()
    store.add_seeds([seed(), seed(f"{HOME}b", 0.5)])
    store.commit([outcome(lease) for lease in store.top()])
    return store


def details(store: Blocking, url: str = HOME) -> PageDetails:
    history = store.reader().history(url)
    assert history is not None
    assert history.page is not None
    return history.page


def verdict(store: Blocking) -> tuple[float | None, bool | None, bool | None]:
    page = details(store)
    return page.relevance, page.relevant, page.mark


def test_a_newer_judgement_counts_and_the_first_is_kept() -> None:
    store = started()
    store.write(Batch(judgements=[NewJudgement(1, 0.125, False, {"new": 1.0})], model=3))
    page = details(store)
    assert (page.relevance, page.relevant, page.judged, page.model) == (0.125, False, {"new": 1.0}, 3)
    assert (page.relevance_at_fetch, page.relevant_at_fetch) == (0.5, True)
    assert details(store, f"{HOME}b").relevance == 0.5


def test_a_mark_beats_every_judgement_until_it_is_taken_back() -> None:
    store = started()
    store.write(Batch(marks=[Mark(HOME, False, "me", 7.0)]))
    assert verdict(store) == (0.0, False, False)
    [marked] = store.reader().marks()
    assert (marked.url, marked.page, marked.on, marked.who, marked.at) == (HOME, 1, False, "me", 7.0)
    store.write(Batch(judgements=[NewJudgement(1, 0.75, True)], model=2))
    assert verdict(store) == (0.0, False, False)
    store.write(Batch(marks=[Mark(HOME, True, "you", 8.0)]))
    assert verdict(store) == (1.0, True, True)
    assert [row.relevance for row in store.reader().rows(relevant_only=True)] == [1.0, 0.5]
    store.write(Batch(marks=[Mark(HOME, None)]))
    assert verdict(store) == (0.75, True, None)
    assert store.reader().marks() == []


def test_a_mark_on_what_is_no_page_changes_nothing() -> None:
    store = started()
    before = store.reader().last_event()
    store.write(Batch(marks=[Mark("http://never.example/", True), Mark(HOME, None)]))
    assert verdict(store) == (0.5, True, None)
    assert [event.url for event in store.reader().events(before) if hasattr(event, "url")] == [HOME]
