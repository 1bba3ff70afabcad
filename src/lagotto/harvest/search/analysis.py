"""From text to the terms of the index: lower case, stemmed in the crawl's main language, without accents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from lagotto.base.text import SNOWBALL, base_language
from lagotto.base.text.tokens import UNSPACED

LONGEST = 40
"""Bytes of a word at most; longer ones are left out."""
SEPARATOR = "\u200b"
"""Zero-width space, put between the characters of scripts that do not separate words."""
_has_unspaced = re.compile(f"[{UNSPACED}]").search  # Most pages have none, and it is ten times as fast.
_apart = re.compile(f"[{UNSPACED}](?=\\w)|\\w(?=[{UNSPACED}])").sub


def analyzer(language: str) -> TextAnalyzer:
    """What makes terms of a text; a language without a stemmer keeps its words as they are.

    >>> analyzer("en").analyze("Café galaxies")
    ['cafe', 'galaxi']
    """
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(LONGEST + 1))
    builder = builder.filter(Filter.lowercase())
    if name := SNOWBALL.get(language):
        with suppress(ValueError):  # Snowball knows more languages than tantivy.
            builder = builder.filter(Filter.stemmer(name))
    return builder.filter(Filter.ascii_fold()).build()


def separated(text: str) -> str:
    """The text with a separator between characters that are words of their own, as in Chinese or Thai.

    >>> separated("東京 tower").replace(SEPARATOR, "|")
    '東|京 tower'
    """
    if text.isascii() or not _has_unspaced(text):
        return text
    return _apart(rf"\g<0>{SEPARATOR}", text)


def main_language(languages: Iterable[str]) -> str:
    """The most frequent of some pages' languages, `en` if none is known."""
    counts = Counter(base_language(tag) for tag in languages if tag)
    return counts.most_common(1)[0][0] if counts else "en"
