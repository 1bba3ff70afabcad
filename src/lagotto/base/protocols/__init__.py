"""Protocols between the crawler's core and its surroundings.

`Fetcher` and `Parser` use the network and parser processes in a crawl, and a recording in the lab.
`Storage` opens a crawl: a `Store` to write, a `Reader` to look into it from any process.
Strategies have their own base class in `strategies.base`.
"""

from lagotto.base.protocols.reader import Reader
from lagotto.base.protocols.stages import Fetcher, Parser
from lagotto.base.protocols.storage import Storage
from lagotto.base.protocols.store import SharedStore, Store, WorkerStore

__all__ = ["Fetcher", "Parser", "Reader", "SharedStore", "Storage", "Store", "WorkerStore"]
