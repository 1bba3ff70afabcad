"""Known, unfetched links: which may enter, which host's turn it is, which link is best.

The life of a link here: discovered on a page or given as a seed -> refused by `Scope`, or queued
in the store -> among its host's best, a head in RAM -> leased when its host's turn comes ->
settled when its outcome is committed, or given back when its host must wait.
"""

from lagotto.frontier.frontier import Frontier
from lagotto.frontier.heads import Heads
from lagotto.frontier.host_rules import HostRules
from lagotto.frontier.hosts import Hosts, Wait
from lagotto.frontier.scope import Scope
from lagotto.frontier.shapes import Shapes
from lagotto.frontier.traps import Sighting, Traps
from lagotto.frontier.turns import Turns
from lagotto.reasons import Refused

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
