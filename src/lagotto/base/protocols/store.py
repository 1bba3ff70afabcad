"""The write side of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Protocol, runtime_checkable

from lagotto.base.batch import (
    Arrivals,
    Batch,
    Census,
    Command,
    Committed,
    Content,
    HostHeads,
    Place,
    Restored,
    Samples,
    Seen,
    ShelfState,
    Spent,
)
from lagotto.base.protocols.reader import Reader
from lagotto.base.views import ShardHolder, WarcFile


class WorkerStore(Protocol):
    """What a worker needs of a store: its queue, and what it commits and looks up."""

    read_ahead: int
    """Hosts to read in one call of `heads`: 1 if a call costs very little."""

    async def hosts(self) -> Mapping[str, Place | None]:
        """Hosts that have queued links in the held shards -> place of the best one.

        None: some links of the host wait for a retry, and only `heads` knows the best one.
        """
        ...

    async def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The best queued links of each host, as many as wanted; 0 asks for the place of the best alone.

        `now` is the wall-clock time by which retries are due. Every host asked for is in the answer.
        """
        ...

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents; one answer for each, in order."""
        ...

    async def commit(self, batch: Batch) -> Committed:
        """Write a batch in one transaction: all or nothing.

        The content test is repeated here if the batch asks for it: a page that lost a race is stored as a
        duplicate without judgement, links and sample. An outcome whose URL is concluded already is ignored.
        A revisit of a URL that is not concluded raises `ValueError`.
        """
        ...

    async def shelf(self) -> ShelfState:
        """The best page on the shelf, and the number of links that it must wait for."""
        ...

    async def spent(self) -> Spent:
        """What all workers have used together."""
        ...

    async def restore(self) -> Restored:
        """This owner's latest snapshot and the samples committed since, in commit order."""
        ...

    async def commands(self) -> list[Command]:
        """Commands that were sent and not yet taken, in order."""
        ...

    async def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        ...

    def reader(self) -> Reader:
        """Look into this store, from the process that writes to it."""
        ...


class Store(WorkerStore, Protocol):
    """The write side of a crawl, one object for each worker. Not thread-safe.

    Shards are taken with an epoch; every write under a stale epoch raises `StaleEpoch`. Leases are
    not stored: a queued URL stays queued until its outcome is committed, so after a crash there
    is nothing to repair. One task at a time calls a store.
    """

    notes: list[str]
    """Sentences for the user about what was found on opening."""

    async def acquire(self, shards: Iterable[int], owner: str, lease: float = inf) -> dict[int, int]:
        """Take shards from their present owners, for `lease` seconds; returns shard -> its new epoch.

        Call it before all other methods, and again for further shards. Snapshots, WARC files and the used
        budget are kept under the owner's name.
        """
        ...

    async def renew(self) -> None:
        """Extend the lease of the held shards by its full length; `StaleEpoch` if one was taken."""
        ...

    async def release(self, shards: Iterable[int]) -> None:
        """Give shards up: they have no owner from now on."""
        ...

    async def holders(self) -> list[ShardHolder]:
        """Shards that were ever taken, with their owner and the end of its lease."""
        ...

    async def arrivals(self, since: int | None) -> Arrivals:
        """Links that other owners queued for the held shards after a number.

        New links, links whose score rose, links that left the shelf and links that patterns admit again.
        None gives no links, only the number to go on from. Links that are held, deferred or concluded are
        left out. Says whether some may be missing, as old arrivals are removed in time.
        """
        ...

    async def samples(self, since: int) -> Samples:
        """Samples that any worker committed after a number, in order; start with `restore().last`.

        Says whether some of them may have been removed since, as a snapshot covers them.
        """
        ...

    async def warc_ends(self) -> dict[str, int]:
        """WARC file of this owner -> where its last committed record ends."""
        ...

    async def close(self) -> None:
        """Close cleanly."""
        ...


@runtime_checkable
class SharedStore(Store, Protocol):
    """The write side of a crawl that any number of workers share.

    A worker registers with `acquire([], owner, lease)`. Its lease is over for another worker that has seen no
    sign of life of it for so long, by a monotonic clock.
    """

    async def beat(self, idle_at: int | None) -> Census:
        """Extend the leases, and say that this worker lives; `StaleEpoch` if a held shard was taken.

        `idle_at` is the last number of `arrivals` that it knew when it had nothing left to do, None if it has
        something to do.
        """
        ...

    async def offer(self, best: Place | None) -> Place | None:
        """Say where the best link stands that this worker could lease now, None if there is none.

        Returns the best offer of the others, None if there is none. An offer counts until the next one of
        the same worker, but not after its lease.
        """
        ...

    async def offered(self) -> Place | None:
        """The best offer of the others, None if there is none."""
        ...

    async def take_free(self, most: int) -> dict[int, int]:
        """Take up to so many shards that nobody holds, or whose lease is over; returns shard -> epoch."""
        ...

    async def prune(self) -> None:
        """Remove what no worker needs any more: old arrivals, and rows of workers that are gone."""
        ...

    async def end(self, why: str) -> None:
        """Tell all workers why the crawl has ended; it goes on when one registers where no other lives."""
        ...

    async def warcs(self) -> list[WarcFile]:
        """All WARC files of the crawl, by name."""
        ...

    async def seal(self, files: Iterable[str]) -> None:
        """Note that these WARC files are finished and where all can read them."""
        ...

    async def leave(self) -> None:
        """Release all shards, and say that this worker is gone."""
        ...

    def watch(self, wake: Callable[[bool], None]) -> None:
        """Have a function called, from any thread, when other workers or users have sent something.

        It is told whether that is more than links: a command, or the end of the crawl.
        """
        ...
