"""The piece of a page's text that shows best why the page was found."""

from __future__ import annotations

import re
from collections.abc import Callable

from tantivy import Document, Query, SnippetGenerator

from lagotto.searching.analysis import SEPARATOR, separated
from lagotto.searching.index import PageIndex
from lagotto.searching.results import Snippet
from lagotto.views import StoredPage

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
