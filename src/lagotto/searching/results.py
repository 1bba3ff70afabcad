"""What a search has found."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from msgspec import Struct

from lagotto import notebook


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
