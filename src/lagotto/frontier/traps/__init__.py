"""Traps recognised by what was fetched: other URLs of the same page, mirrors, facets and mazes.

Each rule is one class in a file of its own. It counts the pages that were fetched, in the order of the
commits, so that a resumed crawl knows what the killed one knew once its pages are counted again. `Traps`
asks all of them.
"""

from lagotto.frontier.traps.facets import Facets
from lagotto.frontier.traps.mazes import Mazes
from lagotto.frontier.traps.mirrors import Mirrors
from lagotto.frontier.traps.same_pages import SamePages
from lagotto.frontier.traps.sightings import Sighting, Trapped
from lagotto.frontier.traps.traps import Traps

__all__ = ["Facets", "Mazes", "Mirrors", "SamePages", "Sighting", "Trapped", "Traps"]
