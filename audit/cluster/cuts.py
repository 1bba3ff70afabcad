"""The network between a worker and the database is cut."""

from __future__ import annotations

import asyncio
import time

from audit.cluster.wire import Wire
from tests.cluster_figures import worker_of
from tests.cluster_trial import Act, Trial
from tests.cluster_worker import LEASE


def cut(wire: Wire, behind: str, seconds: float) -> Act:
    """Cut the wire of one more worker, whose database is behind it; the crawl goes on meanwhile."""

    async def act(trial: Trial) -> None:
        await trial.add(database=behind)
        await trial.all_at_work()
        cut_off = trial.workers[-1].pid
        wire.cut = True
        started, at = time.monotonic(), len(trial.site.log)
        await asyncio.sleep(seconds)
        late = [r for r in trial.site.log[at:] if worker_of(r) == cut_off and r.at > started + LEASE]
        wire.cut = False
        print(f"    cut off for {seconds:g} s, it sent {len(late)} requests after its lease was over")
        assert not late

    return act
