"""`lagotto` as it is, but with a short lease, and with the process named in every request.

`python -m tests.cluster_worker [--careless] ARGUMENTS`. A careless worker believes that its shards are its
own for ever and does not wait before it asks hosts that it took over: audits must find it out.
"""

from __future__ import annotations

import os
import sys

import msgspec

from lagotto import assembly
from lagotto.cli import main
from lagotto.config import Config
from lagotto.crawling import membership
from lagotto.crawling.membership import Membership
from lagotto.store.postgres.shards import Shards

LEASE = 4.0


def run(arguments: list[str]) -> None:
    """Patch what differs, and run the command line."""
    membership.LEASE, membership.BEAT, membership.MARGIN = LEASE, 0.5, 0.5
    make_fetcher = assembly.make_fetcher

    def named(config: Config, seeds: list[str]) -> object:
        contact = f"worker-{os.getpid()}@example.org"
        return make_fetcher(msgspec.structs.replace(config, contact=contact), seeds)

    assembly.make_fetcher = named  # type: ignore[assignment]
    if arguments[:1] == ["--careless"]:
        arguments = arguments[1:]
        Membership.safe = True  # type: ignore[assignment, method-assign]
        Membership.quiet_until = lambda *_: 0.0  # type: ignore[method-assign]
        Shards._refuse = lambda *_: None  # type: ignore[method-assign]
    sys.argv[1:] = arguments
    main()


if __name__ == "__main__":
    run(sys.argv[1:])
