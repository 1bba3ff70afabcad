"""What a strategy learned survives: samples, snapshots, expansions, versions of its weight table."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lagotto.base.batch import Batch
from lagotto.base.records import Judgement, Lease, Outcome, Page, Reason
from lagotto.crawling.worker.memory import Memory
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.hybrid import Hybrid
from lagotto.focus.strategies.neural import Neural
from lagotto.focus.topic import Topic
from lagotto.focus.topic.history import KIND, read_versions
from lagotto.lab.checks.store_calls import HOME, hold_all, outcome, restored, seed
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, page
from tests.store.stores import RecordingStore

WEB = TinyWeb(
    page("seed", "bird heron", ["a", "b", "c"]),
    page("a", "bird nest", ["d"]),
    page("b", "bird owl owl"),
    page("c", "river"),
    page("d", "bird"),
)


def versions(crawl: TinyCrawl) -> list[tuple[int, int]]:
    """Pages and number of keywords of each version kept."""
    rows = crawl.store._db.execute("SELECT content FROM versions WHERE kind = ? ORDER BY version", (KIND,))
    contents = [content for (content,) in rows]
    kept = read_versions(contents)
    assert len(kept) == len(contents), "no version is kept twice"
    return [(version.pages, len(version.table)) for version in kept]


def make() -> Hybrid:
    return Hybrid(Topic("bird"), first_pages=3)


def test_a_version_comes_with_the_page_that_changed_the_table() -> None:
    crawl = TinyCrawl(WEB, "seed")
    crawl.run(make(), pages=2)
    assert versions(crawl) == [(1, 1)]
    crawl.run(make(), pages=5)
    (first, words), (second, more) = versions(crawl)
    assert (first, words, second) == (1, 1, 3)
    assert more > 1


@pytest.mark.parametrize("stopped_after", [1, 2, 3, 4])
def test_a_crawl_that_was_killed_has_the_same_versions(stopped_after: int) -> None:
    whole, killed = TinyCrawl(WEB, "seed"), TinyCrawl(WEB, "seed", snapshots=False)
    whole.run(make())
    killed.run(make(), pages=stopped_after)
    killed.run(make())
    assert versions(killed) == versions(whole)


def test_a_strategy_without_a_table_keeps_none() -> None:
    crawl = TinyCrawl(WEB, "seed")
    crawl.run(Neural(Topic("bird")))
    assert versions(crawl) == []


class Diary(Strategy):
    """Writes down what it is told to learn."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def lost(self, lease: Lease) -> bytes | None:
        return b"lost"

    def moved(self, lease: Lease, target: str) -> bytes | None:
        return f"moved to {target}".encode()

    def learn(self, sample: bytes) -> None:
        self.lines.append(sample.decode())

    def expanded(self, page_id: int) -> Iterable[tuple[int, float]]:
        self.lines.append(f"expanded {page_id}")
        return [(page_id + 1, 0.5)]

    def save(self) -> bytes:
        return "|".join(self.lines).encode()

    def load(self, state: bytes) -> None:
        self.lines = state.decode().split("|")


async def remembering(snapshot_every: int = 1000) -> tuple[RecordingStore, Memory, Diary]:
    """A memory over a store with two queued links."""
    store = RecordingStore()
    await hold_all(store)
    await store.commit(Batch(seeds=[seed(), seed(f"{HOME}b")]))
    diary = Diary()
    return store, Memory(diary, store, snapshot_every=snapshot_every), diary


async def again(store: RecordingStore) -> list[str]:
    """What a strategy knows that is restored from the store."""
    diary = Diary()
    await Memory(diary, store).restore()
    return diary.lines


async def test_samples_and_expansions_are_replayed_in_order() -> None:
    store, memory, diary = await remembering()
    page = outcome(seed(), shelf=1.0)
    page.sample = b"page"
    failed = Outcome(seed(f"{HOME}b"), 1.0, reason=Reason.DNS)
    for each in (page, failed):
        each.sample = memory.learn(each)
    await store.commit(Batch(outcomes=[page, failed]))
    await memory.expand(seed().id)
    assert diary.lines == ["page", "lost", f"expanded {seed().id}"]
    assert store.batches[-1].ranks == [(seed().id + 1, 0.5)]
    assert await again(store) == diary.lines


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (
            Outcome(seed(), 1.0, reason=Reason.REDIRECT, final_url="http://b.example/"),
            ["moved to http://b.example/"],
        ),
        (Outcome(seed(), 1.0, reason=Reason.DNS, retry_at=9.0), []),
        (Outcome(seed(), 1.0, page=Page(HOME), judgement=Judgement(0.5, True)), []),
    ],
)
async def test_what_is_learned_without_a_page(made: Outcome, lines: list[str]) -> None:
    _, memory, diary = await remembering()
    sample = memory.learn(made)
    assert diary.lines == lines
    assert (sample is None) == (not lines)
    assert made.sample is None, "the outcome is left as it is"


async def test_snapshots_are_taken_at_round_page_counts() -> None:
    store, memory, diary = await remembering(snapshot_every=10)
    await memory.snapshot_if_due(10)
    assert await restored(store) == (None, []), "nothing was learned yet"
    diary.lines = ["one"]
    for pages in (11, 19):
        await memory.snapshot_if_due(pages)
    assert (await restored(store))[0] is None
    await memory.snapshot_if_due(23)
    assert (await restored(store))[0] == b"one"
    diary.lines = ["two"]
    await memory.restore(pages=23)
    await memory.snapshot_if_due(29)
    assert diary.lines == ["one"], "the snapshot replaces what was not kept"
    diary.lines = ["three"]
    await memory.snapshot_if_due(30)
    assert await again(store) == ["three"]
