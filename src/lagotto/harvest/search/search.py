"""Searching the pages of a crawl."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Self

from tantivy import Occur, Query

from lagotto.base.errors import InputError, LagottoError
from lagotto.base.urls import seed_url
from lagotto.base.views import StoredPage
from lagotto.harvest.search.follower import Progress, catch_up, open_index
from lagotto.harvest.search.index import DamagedIndex, PageIndex
from lagotto.harvest.search.matching import (
    Clauses,
    Order,
    Ranked,
    all_pages,
    analysed,
    conditions,
    like_query,
    ranked,
    text_query,
    without_group,
)
from lagotto.harvest.search.query import Wanted, read_query
from lagotto.harvest.search.results import Hit, SearchResults, Snippets
from lagotto.harvest.subtopics import Subtopics, subtopics_of
from lagotto.parse.stored import text_of
from lagotto.store import storage_at
from lagotto.store.locations import side_folder

NEAR_DUPLICATES = ("fold", "keep")
RELEVANCE_WEIGHT = 0.5
MOST = 10_000
"""Places that can be looked at; the index takes memory for each."""
FOLDER = "index"
"""Name of the index in a crawl directory."""


def search(
    directory: str | Path,
    query: str = "",
    *,
    n: int = 10,
    offset: int = 0,
    like: str = "",
    relevance_weight: float = RELEVANCE_WEIGHT,
    near_duplicates: str = "fold",
    rebuild: bool = False,
) -> SearchResults:
    """Search the pages of a crawl, running or not; see docs/search.md for what a query may say.

    `like` is the URL of a page of the crawl: similar pages are found. The index is made on the first call
    and brought up to date on each one. For many queries, keep a `Search` open.
    """
    with Search(directory, rebuild=rebuild) as crawl:
        return crawl.search(
            query,
            n=n,
            offset=offset,
            like=like,
            relevance_weight=relevance_weight,
            near_duplicates=near_duplicates,
        )


class Search:
    """A crawl that is open to be searched, from one thread."""

    def __init__(
        self, location: str | Path, *, rebuild: bool = False, progress: Progress | None = None
    ) -> None:
        """`progress` is called with the number of pages that were taken into the index so far."""
        storage = self._storage = storage_at(location)
        self.location = storage.location
        self._notes: list[str] = []
        """What became of the index, to be told with the next results."""
        self._reader = storage.reader()
        self._folder = side_folder(storage, FOLDER)
        self._progress = progress
        self._index: PageIndex | None = None
        self._subtopics: tuple[int, Subtopics] | None = None
        """Groups of pages, as of an event."""
        if rebuild:
            self._open(rebuild=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the crawl."""
        self._reader.close()

    def refresh(self) -> None:
        """Bring the index up to date; `search` does it by itself."""
        if self._index is not None:
            try:
                catch_up(self._reader, self._index, progress=self._progress)
                return
            except DamagedIndex:
                pass
        self._open(rebuild=False)

    def _open(self, *, rebuild: bool) -> None:
        self._index, note = open_index(self._folder, self._reader, rebuild=rebuild, progress=self._progress)
        if note:
            self._notes.append(note)
        if self._index is not None and not rebuild:
            catch_up(self._reader, self._index, progress=self._progress)

    def search(
        self,
        query: str = "",
        *,
        n: int = 10,
        offset: int = 0,
        like: str = "",
        relevance_weight: float = RELEVANCE_WEIGHT,
        near_duplicates: str = "fold",
    ) -> SearchResults:
        """The pages that fit a query best; the arguments are those of `lagotto.search`."""
        started = time.perf_counter()
        order = _order(n, offset, relevance_weight, near_duplicates)
        wanted = read_query(query)
        if not (like or wanted.filters or wanted.has_words()):
            raise InputError(f"there is no word to look for in '{query}'; write at least one")
        self.refresh()
        model = self._page_at(like) if like else None
        try:
            found = self._found(wanted, model, order)
        except DamagedIndex as damage:
            self._open(rebuild=True)
            self._notes.append(f"the search index was made anew: the old one could not be read ({damage})")
            found = self._found(wanted, model, order)
        found.query, found.offset, found.notes = query, offset, [*self._notes, *found.notes]
        self._notes = []
        found.seconds = time.perf_counter() - started
        return found

    def _page_at(self, url: str) -> StoredPage:
        """The page that others shall be like."""
        wanted = seed_url(url)
        history = self._reader.history(wanted)
        if history is None or history.page is None:
            raise InputError(f"{wanted} is no page of the crawl in {self.location}; name one that it fetched")
        [stored] = self._reader.pages_at([history.page.number], with_text=True)
        if not stored.is_page:
            raise InputError(f"{wanted} brought no page ({stored.row.reason}); name one that did")
        return stored

    def _found(self, wanted: Wanted, model: StoredPage | None, order: Order) -> SearchResults:
        index = self._index
        if index is None:
            return SearchResults(notes=["the crawl has no pages yet"])
        groups, clauses = analysed(index, wanted), conditions(index, wanted, self._pages_of)
        if model is not None:
            clauses += [(Occur.Must, like_query(index, model)), without_group(index, model)]
        text = text_query(index, groups) if groups else None
        pages, total = ranked(index, _all_of(text, clauses), order)
        every_word = bool(total) or len(groups) < 2
        if not every_word:
            text = text_query(index, groups, every=False)
            pages, total = ranked(index, _all_of(text, clauses), order)
        hits = self._hits(pages, Snippets(index, text, self._reading))
        return SearchResults(hits=hits, total=total, every_word=every_word)

    def _pages_of(self, subtopic: str) -> frozenset[int]:
        """Numbers of the pages of a subtopic; groups are sorted anew only if the crawl has gone on."""
        now = self._reader.last_event()
        if self._subtopics is None or self._subtopics[0] != now:
            self._subtopics = now, subtopics_of(self._storage, self._reader)
        return self._subtopics[1].numbers(subtopic)

    def _reading(self, stored: StoredPage) -> str:
        """What a reader would read of a page; its stored text if the answer cannot be read any more."""
        try:
            return text_of(self._reader, stored) or ""
        except LagottoError:
            return stored.row.text or ""

    def _hits(self, pages: list[Ranked], snippets: Snippets) -> list[Hit]:
        stored_pages = self._reader.pages_at([each.page for each in pages], with_text=True)
        return [
            Hit(
                page=each.page,
                url=stored.row.url,
                title=stored.row.title,
                host=stored.row.host,
                language=stored.row.language,
                fetched_at=stored.row.fetched_at,
                score=each.score,
                relevance=stored.row.relevance,
                relevant=stored.row.relevant,
                snippet=snippets.of(stored),
                near_duplicates=each.near_duplicates,
                gone=stored.gone,
            )
            for each, stored in zip(pages, stored_pages, strict=True)
        ]


def _all_of(text: Query | None, clauses: Clauses) -> Query:
    """Pages that have the words and meet the conditions."""
    must = text if text is not None else all_pages()
    return Query.boolean_query([(Occur.Must, must), *clauses])


def _order(n: int, offset: int, weight: float, near_duplicates: str) -> Order:
    if n < 1 or offset < 0:
        raise InputError(f"a search needs n of at least 1 and an offset of at least 0, not {n} and {offset}")
    if offset + n > MOST:
        raise InputError(f"a search shows the first {MOST:,} pages at most; narrow it down, or export them")
    if not 0 <= weight <= 1:
        raise InputError(f"--relevance-weight must lie between 0 and 1, not at {weight}")
    if near_duplicates not in NEAR_DUPLICATES:
        choices = " or ".join(NEAR_DUPLICATES)
        raise InputError(f"--near-duplicates cannot be '{near_duplicates}'; choose {choices}")
    return Order(weight, near_duplicates == "fold", offset, offset + n)
