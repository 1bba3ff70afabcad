"""Traps recognised by what was fetched: other URLs of a page, mirrors, facets, mazes, endless sections.

Each rule is one class in a file of its own. It counts the pages that were fetched, in the order of the
commits, so that a resumed crawl knows what the killed one knew once its pages are counted again; but for
`Endless`, which needs their texts and begins anew. `Traps` asks all of them.
"""

from lagotto.crawling.frontier.traps.endless import Endless
from lagotto.crawling.frontier.traps.evidence import Sighting, Trapped
from lagotto.crawling.frontier.traps.facets import Facets
from lagotto.crawling.frontier.traps.mazes import Mazes
from lagotto.crawling.frontier.traps.mirrors import Mirrors
from lagotto.crawling.frontier.traps.same_pages import SamePages
from lagotto.crawling.frontier.traps.traps import Traps

__all__ = ["Endless", "Facets", "Mazes", "Mirrors", "SamePages", "Sighting", "Trapped", "Traps"]
