"""The piece of a page's text that shows best why the page was found."""

from __future__ import annotations

import re

from tantivy import Document, Query, SnippetGenerator

from lagotto.searching.analysis import SEPARATOR, separated
from lagotto.searching.index import PageIndex
from lagotto.searching.results import Snippet

LENGTH = 200
"""Characters of a snippet, about."""
_LONGEST_TEXT = 100_000
"""Characters of a text that are looked through."""
_SENTENCE = 60
"""Characters of a line from which on it counts as running text."""
_blank = re.compile(r"\s").sub


class Snippets:
    """Makes snippets for one query."""

    def __init__(self, index: PageIndex, query: Query | None) -> None:
        """Without a query a snippet is the beginning of the text."""
        self._generator: SnippetGenerator | None = None
        if query is not None:
            self._generator = SnippetGenerator.create(index.searcher, query, index.schema, "body")
            self._generator.set_max_num_chars(LENGTH)

    def of(self, text: str) -> Snippet:
        """The best piece of a text, or its beginning if no word of the query is in it.

        Running text comes before short lines, which often belong to a menu.
        """
        text = text[:_LONGEST_TEXT]
        running = "\n".join(line for line in text.split("\n") if len(line) >= _SENTENCE)
        found = self._best(running) or self._best(text)
        return found or _made((running or text)[:LENGTH], [])

    def _best(self, text: str) -> Snippet | None:
        if self._generator is None or not text:
            return None
        document = Document()
        document.add_text("body", separated(text))
        found = self._generator.snippet_from_doc(document)
        fragment = found.fragment()
        return _made(fragment, [(each.start, each.end) for each in found.highlighted()]) if fragment else None


def _made(fragment: str, ranges: list[tuple[int, int]]) -> Snippet:
    """A snippet without separators and line ends, from a fragment and ranges of its bytes."""
    encoded = fragment.encode()

    def shown(place: int) -> int:
        return len(encoded[:place].decode().replace(SEPARATOR, ""))

    text = _blank(" ", fragment.replace(SEPARATOR, ""))
    return Snippet(text, [(shown(start), shown(end)) for start, end in ranges])
