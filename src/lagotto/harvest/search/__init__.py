"""Search: an index of a crawl's pages, kept up to date, and queries over it.

`follower` brings the `index` up to date with the crawl, in a process beside it (`beside`). `query` reads what
a user types, `matching` finds pages and orders them, `results` shows why each was found, and `search` is all
of that for one crawl.
"""

from lagotto.harvest.search.results import Hit, SearchResults, Snippet
from lagotto.harvest.search.search import Search, search

__all__ = ["Hit", "Search", "SearchResults", "Snippet", "search"]
