"""Known, unfetched links: which may enter, which host's turn it is, which link is best.

The life of a link here: discovered on a page or given as a seed -> refused by `Scope`, or queued
in the store -> among its host's best, a head in RAM -> leased when its host's turn comes ->
settled when its outcome is committed, or given back when its host must wait.
"""

from lagotto.frontier.frontier import Frontier
from lagotto.frontier.heads import Heads
from lagotto.frontier.hosts import Hosts
from lagotto.frontier.refused import Refused
from lagotto.frontier.scope import Scope
from lagotto.frontier.shapes import Shapes
from lagotto.frontier.turns import Turns

__all__ = ["Frontier", "Heads", "Hosts", "Refused", "Scope", "Shapes", "Turns"]
