"""Known, unfetched links: which may enter, which host's turn it is, which link is best.

The life of a link here: discovered on a page or given as a seed -> refused by `Scope`, or queued
in the store -> among its host's best, a head in RAM -> leased when its host's turn comes ->
settled when its outcome is committed, or given back when its host must wait.
"""

from lagotto.base.reasons import Refused
from lagotto.crawling.frontier.frontier import Frontier
from lagotto.crawling.frontier.heads import Heads
from lagotto.crawling.frontier.hosts import HostRules, Hosts, Wait
from lagotto.crawling.frontier.scope import Scope
from lagotto.crawling.frontier.shapes import Shapes
from lagotto.crawling.frontier.traps import Sighting, Traps
from lagotto.crawling.frontier.turns import Turns

__all__ = [
    "Frontier",
    "Heads",
    "HostRules",
    "Hosts",
    "Refused",
    "Scope",
    "Shapes",
    "Sighting",
    "Traps",
    "Turns",
    "Wait",
]
