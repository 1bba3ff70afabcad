"""What a search has found."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from itertools import pairwise

from msgspec import Struct
from tantivy import Document, Query, SnippetGenerator

from lagotto.base import notebook
from lagotto.base.views import StoredPage
from lagotto.harvest.search.analysis import SEPARATOR, separated
from lagotto.harvest.search.index import PageIndex

LENGTH = 200
"""Characters of a snippet, about."""
_LONGEST_TEXT = 100_000
"""Characters of a text that are looked through."""
_SENTENCE = 60
"""Characters of a line from which on it counts as running text."""
_blank = re.compile(r"\s").sub


class Snippets:
    """Makes snippets for one query."""

    def __init__(self, index: PageIndex, query: Query | None, reading: Callable[[StoredPage], str]) -> None:
        """`reading` gives the main content of a page; without a query a snippet is its beginning."""
        self._reading = reading
        self._generator: SnippetGenerator | None = None
        if query is not None:
            self._generator = SnippetGenerator.create(index.searcher, query, index.schema, "body")
            self._generator.set_max_num_chars(LENGTH)

    def of(self, page: StoredPage) -> Snippet:
        """The best piece of a page's text, or its main content's beginning if no word of the query is in it.

        Running text comes before short lines, which often belong to a menu.
        """
        text = (page.row.text or "")[:_LONGEST_TEXT]
        found = self._best(_running(text)) or self._best(text)
        if found is not None:
            return found
        main = _spaced_once(self._reading(page)[:_LONGEST_TEXT])
        return _made((_running(main) or main)[:LENGTH], [])

    def _best(self, text: str) -> Snippet | None:
        if self._generator is None or not text:
            return None
        document = Document()
        document.add_text("body", separated(text))
        found = self._generator.snippet_from_doc(document)
        fragment = found.fragment()
        return _made(fragment, [(each.start, each.end) for each in found.highlighted()]) if fragment else None


def _spaced_once(text: str) -> str:
    """A text without empty lines, and without the spaces that align its tables."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


def _running(text: str) -> str:
    """The long lines of a text."""
    return "\n".join(line for line in text.split("\n") if len(line) >= _SENTENCE)


def _made(fragment: str, ranges: list[tuple[int, int]]) -> Snippet:
    """A snippet without separators and line ends, from a fragment and ranges of its bytes."""
    encoded = fragment.encode()

    def shown(place: int) -> int:
        return len(encoded[:place].decode().replace(SEPARATOR, ""))

    text = _blank(" ", fragment.replace(SEPARATOR, ""))
    return Snippet(text, [(shown(start), shown(end)) for start, end in ranges])


class Snippet(Struct, frozen=True):
    """A piece of a page's text."""

    text: str
    highlights: list[tuple[int, int]] = []
    """Ranges of characters that the query asked for: start and end."""

    def marked(self, start: str, end: str) -> str:
        """The text with something before and after each highlight.

        >>> Snippet("a heron flies", [(2, 7)]).marked("[", "]")
        'a [heron] flies'
        """
        return "".join(f"{start}{piece}{end}" if found else piece for piece, found in self.pieces())

    def pieces(self) -> list[tuple[str, bool]]:
        """The text cut where highlights begin and end, each piece with whether it is one."""
        places = [0, *(place for range in self.highlights for place in range), len(self.text)]
        cut = [self.text[start:end] for start, end in pairwise(places)]
        return [(piece, number % 2 == 1) for number, piece in enumerate(cut) if piece]


class Hit(Struct, frozen=True, kw_only=True):
    """A page that was found."""

    page: int
    """Number of the page in the crawl."""
    url: str
    title: str
    host: str
    language: str
    fetched_at: str
    score: float
    """How well it fits the query, with its relevance as a factor."""
    relevance: float | None
    relevant: bool | None
    snippet: Snippet
    near_duplicates: int = 0
    """Further pages with nearly the same text, which are not listed."""
    gone: bool = False
    """Whether the server has said since that there is no such page."""


class SearchResults(Struct, kw_only=True):
    """The pages that a query has found, the best first."""

    query: str = ""
    hits: list[Hit] = []
    offset: int = 0
    """Hits that come before these."""
    total: int = 0
    """Pages that match, near-duplicates included."""
    every_word: bool = True
    """False if no page has all the words, and these have some of them."""
    notes: list[str] = []
    """What the user should know about the index."""
    seconds: float = 0.0

    def _repr_html_(self) -> str:
        rows = "".join(_html_row(hit) for hit in self.hits)
        heading = f"<p>{self.total:,} pages for <b>{escape(self.query)}</b></p>"
        return f'{heading}<ol start="{self.offset + 1}">{rows}</ol>'


def _html_row(hit: Hit) -> str:
    pieces = [
        f"<mark>{escape(piece)}</mark>" if found else escape(piece) for piece, found in hit.snippet.pieces()
    ]
    relevance = "" if hit.relevance is None else f" relevance {hit.relevance:.2f}"
    title = notebook.link(hit.url, hit.title or hit.url)
    return f"<li>{title}<small>{relevance}</small><br>{''.join(pieces)}</li>"
