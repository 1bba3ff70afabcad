"""Lines that pages share: menus, notices, headings of a template. They say nothing of a page's subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import xxhash

CHARACTERS = 6000
"""How much of a page's text is looked at."""
REPEATED = 4
"""A line on so many pages of the sample is furniture."""
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


class Furniture(frozenset[int]):
    """Checksums of repeated lines, in which digits do not count."""

    @classmethod
    def found(cls, texts: Iterable[str]) -> Furniture:
        """The furniture of a sample of pages."""
        pages = Counter(line for text in texts for line in {checksum for checksum, _ in _lines(text)})
        return cls(line for line, count in pages.items() if count >= REPEATED)

    def without(self, text: str) -> str:
        """The beginning of a text without furniture."""
        return "\n".join(line for checksum, line in _lines(text) if checksum not in self)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for line in text[:CHARACTERS].split("\n"):
        plain = line.translate(_WITHOUT_DIGITS).strip().lower()
        yield xxhash.xxh3_64_intdigest(plain.encode("utf-8", "replace")), line
