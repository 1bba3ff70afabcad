"""A reader tells everything about a crawl, while it runs and afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.batch import Batch, Restored
from lagotto.base.errors import CrawlDirectoryError
from lagotto.lab.checks.store_calls import NOW, link, outcome, seed
from lagotto.store.sql import stored_pages
from lagotto.store.sql.database import SLICE
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.blocking import Blocking
from tests.store.crawls import BIRDS, BODIES, GONE, HELD, HUB, MOVED, NEXT, SEED, SLOW, a_crawl, fill


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[SqliteReader]:
    a_crawl(tmp_path)
    with SqliteReader.open(tmp_path) as opened:
        yield opened


def test_status(crawl: SqliteReader) -> None:
    status = crawl.status()
    assert (status.known, status.concluded, status.queued) == (8, 5, 2)
    assert (status.deferred, status.held, status.shelved) == (1, 1, 1)
    assert (status.pages, status.relevant, status.hosts) == (3, 1, 3)
    assert status.bytes == sum(map(len, BODIES.values()))
    assert status.reasons == {"http-status 404": 1, "redirect": 1}
    assert (status.first_at, status.last_at) == (NOW, NOW + 4)
    assert status.harvest_ratio == pytest.approx(1 / 3)
    assert status.created.endswith("Z")


def test_status_of_a_crawl_that_has_not_begun(tmp_path: Path) -> None:
    Blocking.create(tmp_path).close()
    with SqliteReader.open(tmp_path) as opened:
        status = opened.status()
        assert (status.known, status.pages, status.first_at, status.harvest_ratio) == (0, 0, None, 0.0)
        assert (opened.hosts(), opened.best_queued(5), list(opened.rows()), list(opened.harvest())) == (
            [],
            [],
            [],
            [],
        )
        assert opened.history(SEED) is None


def test_hosts_and_harvest(crawl: SqliteReader) -> None:
    hosts = {count.host: (count.concluded, count.pages, count.relevant) for count in crawl.hosts()}
    assert hosts == {"seed.example": (1, 1, 0), "hub.example": (1, 1, 0), "birds.example": (3, 1, 1)}
    assert list(crawl.harvest()) == [(1, NOW, False), (2, NOW + 1, False), (3, NOW + 2, True)]


def test_best_queued(crawl: SqliteReader) -> None:
    [best] = crawl.best_queued(3)
    assert (best.url, best.score, best.parent, best.anchor, best.depth) == (
        NEXT,
        0.875,
        MOVED,
        "an anchor",
        2,
    )
    assert best.parts == [0.875, 0.25]


def test_rows_in_order(crawl: SqliteReader) -> None:
    rows = list(crawl.rows())
    assert [(row.seq, row.url, row.status) for row in rows] == [
        (1, SEED, 200),
        (2, HUB, 200),
        (3, BIRDS, 200),
        (4, GONE, 404),
        (5, MOVED, 301),
    ]
    birds, moved = rows[2], rows[4]
    assert (birds.fetched_at, birds.relevance, birds.relevant) == ("2023-11-14T22:13:22.000Z", 1.0, True)
    assert (birds.title, birds.depth, birds.parent, birds.link_score) == (
        "Der Fischreiher, naïve 鳥",
        2,
        HUB,
        0.75,
    )
    assert (birds.host, birds.language, birds.reason, birds.text) == ("birds.example", "en", "", None)
    assert len(birds.fingerprint) == 16
    assert (moved.final_url, moved.reason, moved.relevance, moved.relevant) == (NEXT, "redirect", None, None)
    assert moved.fingerprint == ""
    assert [row.url for row in crawl.rows(relevant_only=True)] == [BIRDS]
    assert [row.text for row in crawl.rows(with_text=True)][2:4] == ["Text of Der Fischreiher, naïve 鳥", ""]


def test_text_and_body(crawl: SqliteReader) -> None:
    assert crawl.text(1) == "Text of Seed"
    assert crawl.text(4) is None
    places = {stored.row.url: stored.place for stored in crawl.stored_pages()}
    for url, body in BODIES.items():
        place = places[url]
        assert place is not None
        assert crawl.body(place).body == body
    assert places[MOVED] is None


def test_story_of_a_page(crawl: SqliteReader) -> None:
    story = crawl.history(BIRDS)
    assert story is not None
    assert (story.state, story.host, story.seq) == ("concluded", "birds.example", 4)
    assert [(step.url, step.score, step.anchor, step.title) for step in story.path] == [
        (SEED, 1.0, "", "Seed"),
        (HUB, 0.5, "an anchor", "=HYPERLINK(1)"),
        (BIRDS, 0.75, "an anchor", "Der Fischreiher, naïve 鳥"),
    ]
    assert story.path[1].parts == [0.5, 0.25]
    assert [step.relevance for step in story.path] == [0.75, 0.75, 1.0]
    page = story.page
    assert page is not None
    assert (page.number, page.status, page.judged, page.rank) == (3, 200, {"cosine": 1.0}, 0.5)
    assert (page.relevant, page.near_duplicate_of, page.encoding) == (True, HUB, "utf-8")
    assert page.place is not None
    assert page.place.file == "lagotto-00000.warc.gz"


def test_stories_of_links(crawl: SqliteReader) -> None:
    queued, held, slow, gone = (crawl.history(url) for url in (NEXT, HELD, SLOW, GONE))
    assert queued is not None
    assert queued.state == "queued"
    assert queued.page is None
    assert held is not None
    assert (held.state, [step.url for step in held.path]) == ("held", [SEED, HUB, BIRDS, HELD])
    assert slow is not None
    assert (slow.state, slow.retry_at, slow.attempts) == ("deferred", NOW + 100, 1)
    assert slow.waiting_for == "timeout-total 30 s"
    assert gone is not None
    assert gone.page is not None
    assert (gone.page.reason, gone.page.detail, gone.page.judged) == ("http-status", "404", {})
    assert crawl.history("http://nobody.example/") is None


def test_reading_beside_a_running_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_twos = stored_pages._ROWS.replace(f"LIMIT {SLICE}", "LIMIT 2")
    monkeypatch.setattr(stored_pages, "_ROWS", in_twos)
    store = Blocking.create(tmp_path)
    fill(store)
    with SqliteReader.open(tmp_path) as opened:
        rows = opened.rows()
        assert next(rows).url == SEED
        [lease] = store.top("birds.example", 1, NOW)
        store.commit([outcome(lease)])
        assert [row.url for row in rows] == [HUB, BIRDS, GONE, MOVED, NEXT]
        assert opened.status().concluded == 6
        [(busy, _, _)] = store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert busy == 0, "a reader that is between two slices must not hold the log"
    store.kill()


def test_what_was_learned_is_of_one_moment(tmp_path: Path) -> None:
    with closing(Blocking.create(tmp_path)) as store, SqliteReader.open(tmp_path) as reader:
        store.hold_all()
        store.snapshot(b"early")
        store.write(Batch(samples=[b"a sample"]))

        def snapshot_meanwhile(query: str) -> None:
            if "FROM samples" in query:
                store.snapshot(b"late")

        reader._db.set_trace_callback(snapshot_meanwhile)
        assert reader.learned("test") == Restored(b"early", [b"a sample"], 1)
        reader._db.set_trace_callback(None)
        assert reader.learned("test") == Restored(b"late", [], 1)


def test_a_path_without_a_seed_in_this_crawl() -> None:
    store = Blocking.memory()
    store.hold_all()
    given = seed("http://a.example/")
    given.parent = "a search engine"
    store.add_seeds([given])
    [lease] = store.top("a.example", 1, NOW)
    assert lease.parent == "a search engine"
    store.commit([outcome(lease, link("http://a.example/b", parent=lease.url))])
    [row] = store.reader().rows()
    assert row.parent == "a search engine"
    story = store.reader().history("http://a.example/b")
    assert story is not None
    assert [step.url for step in story.path] == ["http://a.example/", "http://a.example/b"]
    with pytest.raises(CrawlDirectoryError, match="memory"):
        store.reader().body(None)  # type: ignore[arg-type]
    store.close()


def test_text_is_left_out_on_demand(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path, keep_text=False)
    fill(store)
    assert store.reader().text(1) is None
    assert [row.text for row in store.reader().rows(with_text=True)] == [""] * 5
    store.close()
