"""Visits to concluded URLs: what they replace, what they keep, what they tell."""

from __future__ import annotations

from lagotto.base.batch import Batch, Mark
from lagotto.base.events import Revisited
from lagotto.base.facts import PageFacts
from lagotto.base.protocols import Store
from lagotto.base.records import Found, Judgement, Outcome, Page, Reason, Revisit, WarcPlace
from lagotto.lab.checks.store_calls import (
    HOME,
    NOW,
    commit,
    content_seen,
    hold_all,
    link,
    near_duplicate,
    outcome,
    seed,
    top,
)
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, begun, killed, raises, started, urls

LATER = NOW + 86_400


def _again(found: Found, status: int, reason: str = "") -> Revisit:
    """A visit to the home page that brought no page."""
    return Revisit(Outcome(seed(), LATER, status, reason), found)


def _changed(*links: str, content: int = 22) -> Revisit:
    """A visit that found the home page changed."""
    page = Page(HOME, title="Another title", text="Other text.", fingerprint=content, simhash=content)
    page.facts = PageFacts(modified="2023-11-15")
    page.terms, page.counting = {"text": 1}, 5
    new = Outcome(
        seed(),
        LATER,
        200,
        page=page,
        judgement=Judgement(0.25, False, {"cosine": 0.25}),
        links=[link(url) for url in links],
        warc=WarcPlace("lagotto-00001.warc.gz", 300, 70),
        size=90,
        etag='"new"',
    )
    return Revisit(new, Found.CHANGED)


async def _one_page(store: Store) -> None:
    first = outcome((await top(store))[0], link(f"{HOME}b"), content=11)
    first.warc, first.size = WarcPlace("lagotto-00001.warc.gz", 100, 50), 80
    await commit(store, [first])


async def check_a_changed_page_replaces_the_old_one(stores: Stores) -> None:
    """The page keeps its number, has the new content everywhere, and the old version is kept."""
    storage, store = await begun(stores)
    await _one_page(store)
    spent = await store.spent()
    found = await store.commit(Batch(revisits=[_changed(f"{HOME}b", f"{HOME}c")]))
    assert (urls(found.added), found.new) == ([f"{HOME}c"], 1)
    assert (found.pages, found.spent) == ({seed().id: 1}, spent), "a revisit uses no budget"
    assert await content_seen(store, 22) == HOME
    assert await content_seen(store, 11) is None, "another page may have the old content"
    assert await near_duplicate(store, 11) is None
    store = await hold_all(await killed(stores, storage, store))
    reader = store.reader()
    [row] = reader.rows(with_text=True)
    assert (row.seq, row.title, row.text, row.fingerprint) == (
        1,
        "Another title",
        "Other text.",
        f"{22:016x}",
    )
    assert (row.relevance, row.relevant, row.relevance_at_fetch) == (0.25, False, 0.25)
    [judged] = reader.judged_pages(5)
    assert judged.terms is not None
    assert (judged.terms.counts, judged.text, len(judged.targets)) == ({"text": 1}, "Other text.", 16)
    history = reader.history(HOME)
    assert history is not None
    assert history.page is not None
    assert history.page.facts == PageFacts(modified="2023-11-15")
    assert (history.page.etag, history.page.place) == ('"new"', WarcPlace("lagotto-00001.warc.gz", 300, 70))
    old, new = reader.page_versions(HOME)
    assert (old.fetched_at, old.title, old.text, old.relevant) == (NOW, "A page", "Some text.", True)
    assert (old.fingerprint, old.place) == (f"{11:016x}", WarcPlace("lagotto-00001.warc.gz", 100, 50))
    assert (new.fetched_at, new.title, new.text, new.relevant) == (
        LATER,
        "Another title",
        "Other text.",
        False,
    )
    assert await store.warc_ends() == {"lagotto-00001.warc.gz": 370}


async def check_every_visit_is_remembered(stores: Stores) -> None:
    """What a visit found, the page that is gone and comes back, and the events that tell of it."""
    store = await started(stores)
    await _one_page(store)
    reader = store.reader()
    await store.commit(Batch(revisits=[_again(Found.SAME, 304)]))
    await store.commit(Batch(revisits=[_again(Found.GONE, 404, Reason.HTTP_STATUS)]))
    await store.commit(Batch(revisits=[_again(Found.FAILED, 0, Reason.DNS)]))
    visits = list(reader.visits())
    assert [(each.n, each.page, each.found, each.status) for each in visits] == [
        (1, 1, Found.SAME, 304),
        (2, 1, Found.GONE, 404),
        (3, 1, Found.FAILED, 0),
    ]
    assert [each.reason for each in reader.visits(after=1)] == [Reason.HTTP_STATUS, Reason.DNS]
    assert reader.events(after=1) == [
        Revisited(HOME, Found.SAME, 1, 304, "", 2),
        Revisited(HOME, Found.GONE, 1, 404, Reason.HTTP_STATUS, 3),
        Revisited(HOME, Found.FAILED, 1, 0, Reason.DNS, 4),
    ]
    [page] = reader.stored_pages(with_text=True)
    assert (page.gone, page.row.status, page.row.text) == (True, 200, "Some text."), "what is gone is kept"
    status = reader.status()
    assert (status.revisits, status.changed, status.gone) == (3, 0, 1)
    await store.commit(Batch(revisits=[_again(Found.SAME, 200)]))
    assert (reader.status().gone, next(reader.stored_pages()).gone) == (0, False)
    assert len(reader.page_versions(HOME)) == 1
    assert reader.page_versions(f"{HOME}b") == [], "it is not concluded"


async def check_a_mark_outlives_a_change(stores: Stores) -> None:
    """A user's mark counts for the new version too; taking it back leaves the new judgement."""
    store = await started(stores)
    await _one_page(store)
    await store.commit(Batch(marks=[Mark(HOME, True)]))
    await store.commit(Batch(revisits=[_changed()]))
    [row] = store.reader().rows()
    assert (row.relevant, row.relevance, row.relevance_at_fetch) == (True, 1.0, 0.25)
    await store.commit(Batch(marks=[Mark(HOME, None)]))
    [row] = store.reader().rows()
    assert (row.relevant, row.relevance) == (False, 0.25)


async def check_only_concluded_urls_are_revisited(stores: Stores) -> None:
    """A revisit of a URL that was not fetched keeps out the whole batch; a repeated batch counts once."""
    store = await started(stores)
    assert await raises(ValueError, store.commit(Batch(revisits=[_changed()])))
    await _one_page(store)
    other = Revisit(Outcome(seed(f"{HOME}b"), LATER, 200), Found.SAME)
    assert await raises(ValueError, store.commit(Batch(revisits=[_changed(), other])))
    assert list(store.reader().visits()) == []
    batch = Batch(id="once", revisits=[_changed()])
    assert await store.commit(batch) == await store.commit(batch)
    assert len(list(store.reader().visits())) == 1


REVISIT_CHECKS: tuple[StoreCheck, ...] = (
    check_a_changed_page_replaces_the_old_one,
    check_every_visit_is_remembered,
    check_a_mark_outlives_a_change,
    check_only_concluded_urls_are_revisited,
)
