"""One worker among others: its share of the shards, the lease on them, and who leads.

Shards are divided evenly among the workers that live. A worker that has too many gives the surplus up, once
what it has leased there is committed; one that has too few takes shards that are free. Whoever holds shard 0
leads: it takes the users' commands, keeps snapshots of what was learned and judges pages again.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Callable
from uuid import uuid4

from lagotto.base.batch import Census
from lagotto.base.protocols import SharedStore
from lagotto.base.urls import SHARDS, shard_of

LEASE = 20.0
"""Seconds that a worker keeps its shards without a sign of life."""
BEAT = 2.0
"""Seconds between two signs of life."""
PRUNE = 10.0
"""Seconds after which the leading worker removes again what nobody needs any more."""
MARGIN = 1.0
"""Seconds before the end of its lease from which a worker no longer asks anybody."""
LEADER = 0
"""Shard whose holder leads."""


_log = logging.getLogger(__name__)


def worker_name() -> str:
    """A name that no other worker has, fit for file names."""
    host = re.sub(r"[^a-z0-9]+", "-", socket.gethostname().lower()).strip("-")[:30] or "worker"
    return f"{host}-{os.getpid()}-{uuid4().hex[:6]}"


class Membership:
    """Holds a worker's shards in a crawl that it shares with others."""

    def __init__(
        self, store: SharedStore, owner: str, now: Callable[[], float], *, lease: float | None = None
    ) -> None:
        self.store = store
        self.owner = owner
        self.now = now
        self.lease = LEASE if lease is None else lease
        self.held: dict[int, int] = {}
        """Shard -> epoch."""
        self.leaving: set[int] = set()
        """Held shards that are to be given up."""
        self.census = Census(workers={}, free=SHARDS)
        self.due = 0.0
        """When the next sign of life is due."""
        self.delay = 0.0
        """Seconds for which hosts of a shard that was another worker's are left alone."""
        self._prune_at = 0.0
        self._wall_ahead = 0.0
        self._safe_until = 0.0
        self._quiet: dict[int, float] = {}

    async def join(self, delay: float) -> None:
        """Enter the crawl and take a share of its shards."""
        self.delay = delay
        await self.store.acquire([], self.owner, self.lease)
        self._wall_ahead = (await self._beat(None)).time - self.now()
        await self._take_share()

    def wall(self) -> float:
        """The time by the store's wall clock when this worker came, counted on from there."""
        return self.now() + self._wall_ahead

    @property
    def leads(self) -> bool:
        """Whether this worker leads."""
        return LEADER in self.held

    @property
    def alone(self) -> bool:
        """Whether no other worker was known to live at the last sign of life."""
        return set(self.census.workers) <= {self.owner}

    @property
    def safe(self) -> bool:
        """Whether the lease surely holds, so that hosts may be asked."""
        return self.now() < self._safe_until

    def may_ask(self, host: str) -> bool:
        """Whether a host is this worker's, and stays so."""
        shard = shard_of(host)
        return shard in self.held and shard not in self.leaving

    def quiet_until(self, host: str) -> float:
        """Time before which a host must be left alone, because another worker may have asked it."""
        return self._quiet.get(shard_of(host), 0.0) if self._quiet else 0.0

    async def beat(self, idle_at: int | None) -> bool:
        """Give a sign of life, and take free shards; returns whether hosts have come, or come back."""
        census = await self._beat(idle_at)
        if self.leads and self.now() >= self._prune_at:
            self._prune_at = self.now() + PRUNE
            await self.store.prune()
        surplus = len(self.held) - _quota(self.owner, census.workers)
        leaving = set(sorted(self.held)[-surplus:]) if surplus > 0 else set()
        staying, self.leaving = self.leaving - leaving, leaving
        now = self.now()
        self._quiet = {shard: until for shard, until in self._quiet.items() if until > now}
        came = bool(census.free) and await self._take_share()
        return came or bool(staying)

    async def _beat(self, idle_at: int | None) -> Census:
        before = self.now()
        self.census = await self.store.beat(idle_at)
        self._safe_until = before + self.lease - MARGIN
        self.due = self.now() + BEAT
        return self.census

    async def _take_share(self) -> bool:
        missing = _quota(self.owner, self.census.workers) - len(self.held)
        if missing <= 0:
            return False
        taken = await self.store.take_free(missing)
        if taken:
            _log.info("worker %s takes shards %s", self.owner, sorted(taken))
        self.held |= taken
        ready = self.now() + self.delay
        self._quiet |= {shard: ready for shard, epoch in taken.items() if epoch > 1}
        return bool(taken)

    async def give_up(self) -> None:
        """Release the shards that are to be given up; nothing of them may be leased any more."""
        given, self.leaving = self.leaving, set()
        _log.info("worker %s gives up shards %s", self.owner, sorted(given))
        await self.store.release(given)
        self._forget(given)

    async def lose(self, shards: tuple[int, ...]) -> None:
        """Others have taken shards."""
        await self.store.release(shards)
        self._forget(set(shards))
        self.due = 0.0

    def _forget(self, shards: set[int]) -> None:
        self.held = {shard: epoch for shard, epoch in self.held.items() if shard not in shards}
        self.leaving -= shards

    async def leave(self) -> None:
        """Release everything."""
        await self.store.leave()
        self.held = {}


def _quota(owner: str, workers: dict[str, int]) -> int:
    """How many shards are this worker's share."""
    names = sorted({owner, *workers})
    each, rest = divmod(SHARDS, len(names))
    return each + (names.index(owner) < rest)
