"""Following a crawl: every event once, in order, from any number on, also from another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.batch import Batch, Command, Mark, NewJudgement, Taken
from lagotto.base.events import CommandTaken, Deferred, Expanded, JudgedAgain, Marked, PageDone
from lagotto.base.records import Outcome, Reason
from lagotto.lab.checks.store_calls import HOME, NOW, link, outcome, seed
from lagotto.store import storage_at
from tests.store.blocking import Blocking


def a_crawl_with_everything(directory: Path) -> Blocking:
    store = Blocking.create(directory).hold_all()
    store.add_seeds([seed(), seed(f"{HOME}b", 0.5), seed(f"{HOME}c", 0.25)])
    first, second, third = store.top()
    shelved = outcome(first, link(f"{HOME}d", held=True), shelf=0.75)
    shelved.left_out = {"robots": 2}
    store.commit([shelved, Outcome(second, NOW, 404, Reason.HTTP_STATUS, "404")])
    store.commit([Outcome(third, NOW, reason=Reason.DNS, retry_at=NOW + 9)])
    store.expand(first.id)
    storage_at(directory).send(Command(b'{"kind":"mark"}', "me", 1.0))
    store.write(
        Batch(
            judgements=[NewJudgement(1, 0.25, False)],
            model=2,
            marks=[Mark(HOME, True, "me")],
            taken=[Taken(1, "marked")],
        )
    )
    return store


def test_everything_that_happens_is_an_event(tmp_path: Path) -> None:
    store = a_crawl_with_everything(tmp_path)
    with storage_at(tmp_path).reader() as reader:
        assert reader.events() == [
            PageDone(HOME, 200, "", 0.5, True, {"robots": 2}, page=1, n=1),
            PageDone(f"{HOME}b", 404, "http-status", page=2, detail="404", n=2),
            Deferred(f"{HOME}c", "dns", NOW + 9, n=3),
            Expanded(HOME, 0.75, 1, n=4),
            JudgedAgain([1], 2, n=5),
            Marked(HOME, True, "me", 1, n=6),
            CommandTaken(1, '{"kind":"mark"}', "me", "marked", True, n=7),
        ]
        assert reader.last_event() == 7
    store.close()


def test_a_follower_gets_each_event_once_and_in_order(tmp_path: Path) -> None:
    store = a_crawl_with_everything(tmp_path)
    with storage_at(tmp_path).reader() as reader:
        seen = 0
        numbers = []
        while events := reader.events(seen, limit=2):
            numbers += [event.n for event in events]
            seen = numbers[-1]
        assert numbers == [1, 2, 3, 4, 5, 6, 7]
        store.commit([outcome(lease) for lease in store.top()])
        assert [event.n for event in reader.events(seen)] == [8]
        assert [row.url for row in reader.rows(after=2)] == [f"{HOME}d"]
        assert [row.seq for row in reader.rows(after=1)] == [2, 3]
    store.close()


def test_a_commit_that_failed_leaves_no_event(tmp_path: Path) -> None:
    store = a_crawl_with_everything(tmp_path)
    before = store.reader().last_event()
    with pytest.raises(ValueError, match="never"):
        store.commit([*(outcome(lease) for lease in store.top()), outcome(seed("http://never.example/"))])
    store.add_seeds([seed(f"{HOME}e")])
    assert store.reader().last_event() == before
    store.close()
