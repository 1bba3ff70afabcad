"""Short calls for checks and tests of stores: one part of a batch each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lagotto.base.batch import Batch, Committed, Content, Score, Snapshot
from lagotto.base.protocols import Store
from lagotto.base.records import Judgement, Lease, NewLink, Outcome, Page
from lagotto.base.urls import SHARDS, checksum, host_of

NOW = 1_700_000_000.0
HOME = "http://a.example/"


def seed(url: str = HOME, score: float = 1.0) -> Lease:
    """A URL to start from."""
    return Lease(checksum(url), url, host_of(url), score)


def link(url: str, score: float = 0.5, parent: str = HOME, *, held: bool = False, depth: int = 1) -> NewLink:
    """A link as the step makes it."""
    parts = [score, 0.25]
    return NewLink(checksum(url), url, host_of(url), score, parts, depth, parent, "an anchor", held=held)


def outcome(lease: Lease, *links: NewLink, content: int = 0, shelf: float | None = None) -> Outcome:
    """A page that was fetched."""
    return Outcome(
        lease=lease,
        fetched_at=NOW,
        status=200,
        page=Page(lease.url, title="A page", text="Some text.", fingerprint=content, simhash=content),
        judgement=Judgement(0.5, True, {"cosine": 0.5}, shelf),
        links=list(links),
    )


async def hold_all(store: Store, owner: str = "first") -> Store:
    """Take all shards; returns the store."""
    await store.acquire(range(SHARDS), owner)
    return store


async def commit(store: Store, outcomes: Sequence[Outcome], scores: Sequence[Score] = ()) -> Committed:
    """Commit outcomes."""
    return await store.commit(Batch(outcomes=list(outcomes), scores=list(scores)))


async def queue(store: Store, seeds: Sequence[Lease]) -> Committed:
    """Queue seeds."""
    return await store.commit(Batch(seeds=list(seeds)))


async def rescore(store: Store, scores: Iterable[tuple[int, float, list[float]]]) -> None:
    """Give queued links new scores."""
    await store.commit(Batch(scores=[Score(*score) for score in scores]))


async def rerank(store: Store, ranks: Iterable[tuple[int, float]]) -> None:
    """Change ranks of pages on the shelf."""
    await store.commit(Batch(ranks=list(ranks)))


async def expand(
    store: Store, page_id: int, ranks: Iterable[tuple[int, float]] = (), sample: bytes | None = None
) -> Committed:
    """Take a page off the shelf."""
    samples = [] if sample is None else [sample]
    return await store.commit(Batch(expand=page_id, ranks=list(ranks), samples=samples))


async def snapshot(store: Store, state: bytes, *, at_once: bool = False) -> None:
    """Keep a state of the strategy."""
    await store.commit(Batch(snapshot=Snapshot(state, at_once)))


async def top(store: Store, host: str = "a.example", n: int = 1000, now: float = NOW) -> list[Lease]:
    """The n best links of a host that can be leased."""
    return (await store.heads({host: n}, now))[host].links


async def next_retry(store: Store, host: str) -> float | None:
    """Earliest retry time of a host."""
    return (await store.heads({host: 0}, NOW))[host].next_retry


async def content_seen(store: Store, fingerprint: int) -> str | None:
    """URL of the first page with this content."""
    [seen] = await store.seen([Content(fingerprint, 0)])
    return seen.same_as or None


async def near_duplicate(store: Store, simhash: int) -> str | None:
    """URL of a page with nearly this simhash."""
    [seen] = await store.seen([Content(0, simhash)])
    return seen.near or None


async def shelf_top(store: Store) -> tuple[int, str, float] | None:
    """Best page on the shelf."""
    return (await store.shelf()).best


async def barrier(store: Store) -> int:
    """Links that the shelf waits for."""
    return (await store.shelf()).barrier


async def restored(store: Store) -> tuple[bytes | None, list[bytes]]:
    """Latest snapshot, and the samples since."""
    found = await store.restore()
    return found.state, found.samples
