"""`lagotto` as it is, but with a short lease, and with the process named in every request.

`python -m tests.cluster_worker [--careless=KIND] ARGUMENTS`. A careless worker lacks one of the guards that
the promises rest on: audits must find it out.
"""

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from lagotto.base.batch import Batch, Committed, Restored
from lagotto.base.records import Lease
from lagotto.cli import main
from lagotto.crawling import assembly
from lagotto.crawling.cluster import membership
from lagotto.crawling.cluster.membership import Membership
from lagotto.crawling.cluster.shared_memory import SharedMemory
from lagotto.crawling.config import Config
from lagotto.store.postgres.known_links import PostgresLinks
from lagotto.store.postgres.store import PostgresStore
from lagotto.store.postgres.workers import Shards
from lagotto.store.sql.links import Known

LEASE = 4.0
SNAPSHOT_EVERY = 60
MODELS = "TRIAL_MODELS"
"""Variable that names the file to which workers write what they have learned."""


def ignore_leases() -> None:
    """Believe that one's shards are one's own for ever, and do not wait before asking hosts taken over."""
    Membership.safe = True  # type: ignore[assignment, method-assign]
    Membership.quiet_until = lambda *_: 0.0  # type: ignore[method-assign]
    Shards._refuse = lambda *_: None  # type: ignore[method-assign]


def commit_again() -> None:
    """Ignore leases, and do not look whether a page is there before it is written."""
    ignore_leases()
    find = PostgresLinks.of_lease

    def of_lease(self: PostgresLinks, lease: Lease) -> Known | None:
        known = find(self, lease)
        return None if known is None else known._replace(page=None)

    PostgresLinks.of_lease = of_lease  # type: ignore[method-assign]


def drop_commits() -> None:
    """Take a commit for done that the database never got, every tenth time."""
    really, numbers = PostgresStore.commit, count(1)

    async def commit(self: PostgresStore, batch: Batch) -> Committed:
        if batch.outcomes and next(numbers) % 10 == 0:
            return Committed()
        return await really(self, batch)

    PostgresStore.commit = commit  # type: ignore[method-assign]


def forget_lessons() -> None:
    """Begin without what was learned before."""

    async def _restored(self: SharedMemory) -> Restored:
        self._last = self.store.reader().learned("").last
        return Restored()

    SharedMemory._restored = _restored  # type: ignore[method-assign]


CARELESS = {
    "leases": ignore_leases,
    "twice": commit_again,
    "commits": drop_commits,
    "lessons": forget_lessons,
}


def tell_models(path: Path) -> None:
    """Append a line whenever some more samples were learned: process, last sample, checksum of the model."""
    catch_up = SharedMemory.catch_up

    async def telling(self: SharedMemory) -> None:
        before = self._last
        await catch_up(self)
        if before // 20 != self._last // 20:
            with path.open("a") as file:
                file.write(f"{os.getpid()} {self._last} {checksum_of(self.strategy.save())}\n")

    SharedMemory.catch_up = telling  # type: ignore[method-assign]


def checksum_of(state: bytes | None) -> str:
    """A checksum of a strategy's state."""
    return blake2b(state or b"", digest_size=12).hexdigest()


def name_in_requests(name: int) -> None:
    """Have every request say which process sent it."""
    make_fetcher = assembly.make_fetcher

    def named(config: Config, seeds: list[str], *more: Any) -> object:
        contact = f"worker-{name}@example.org"
        return make_fetcher(msgspec.structs.replace(config, contact=contact), seeds, *more)

    assembly.make_fetcher = named  # type: ignore[assignment]


def run(arguments: list[str]) -> None:
    """Patch what differs, and run the command line."""
    membership.LEASE, membership.BEAT, membership.MARGIN = LEASE, 0.5, 0.5
    defaults = SharedMemory.__init__.__kwdefaults__
    assert defaults is not None
    defaults["snapshot_every"] = SNAPSHOT_EVERY
    name_in_requests(os.getpid())
    if arguments and arguments[0].startswith("--careless="):
        CARELESS[arguments[0].partition("=")[2]]()
        arguments = arguments[1:]
    if MODELS in os.environ:
        tell_models(Path(os.environ[MODELS]))
    sys.argv[1:] = arguments
    main()


if __name__ == "__main__":
    run(sys.argv[1:])
