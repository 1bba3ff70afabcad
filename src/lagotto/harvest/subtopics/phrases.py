"""Phrases of one to three words, as they are written on a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lagotto.base.text import stop_words
from lagotto.base.text.stems import TermsOf, terms_of

LONGEST = 3
"""Words of a phrase, at most."""
CHARACTERS = 1500
"""How much of a page's text is searched for phrases."""
HEADING = 8
"""A line of at most so many words counts as a heading."""
_LETTERS = 40
_of_code = re.compile(r"[(){}\[\];=<>_*\\/]").search

# A letter, then letters and digits, with hyphens and apostrophes inside: no identifiers of programs.
_number_and_word = re.compile(r"(?<!\S)\d[\d.,:/-]*\s+[^\W\d_]+(?=\s+\d|\s*$|[.,;)])")
_is_word = re.compile(r"[^\W\d_][^\W_]*(?:['\u2019\u2010-][^\W_]+)*[+#]{0,2}").fullmatch
_BEFORE = "\"'([{<\u201c\u201e\u2018\u00ab\u00bf\u00a1"
_AFTER = "\"')]}>\u201d\u2019\u00bb.,;:!?\u2026\u00b6\uf0c1"

Key = tuple[str, ...]
"""Terms of a phrase: what phrases with the same stems have in common."""


class PagePhrases:
    """The phrases of a page: where each stands, and how it is written."""

    def __init__(self, title: str, text: str, language: str) -> None:
        self.written: dict[Key, Counter[str]] = {}
        """Phrase -> how often it is written in which way, in title and text."""
        self.running: set[Key] = set()
        """Phrases of running text."""
        self.headed: set[Key] = set()
        """Phrases of the title and of headings."""
        self.titled: set[Key] = set()
        """Phrases of the title."""
        memo, stops = terms_of(language), stop_words(language)
        for line in [title, *text[:CHARACTERS].split("\n")]:
            heading = line is title or (len(line.split()) <= HEADING and not _of_code(line))
            for words in runs(line):
                for key, form in _phrases(words, memo, stops):
                    self.written.setdefault(key, Counter())[form] += 1
                    (self.headed if heading else self.running).add(key)
                    if line is title:
                        self.titled.add(key)


def runs(line: str) -> Iterator[list[str]]:
    """Stretches of words with nothing but spaces between them; a word beside a number is a unit or a date.

    >>> list(runs("Linear algebra (LAPACK): solve a_matrix in R, 15 Oct 2026"))
    [['Linear', 'algebra'], ['LAPACK'], ['solve'], ['in', 'R']]
    """
    run: list[str] = []
    for chunk in _number_and_word.sub(" | ", line).split():
        word = chunk.lstrip(_BEFORE)
        begins, word = len(word) < len(chunk), word.rstrip(_AFTER)
        ends = not chunk.endswith(word)
        if begins and run:
            yield run
            run = []
        if len(word) <= _LETTERS and _is_word(word):
            run.append(word)
        else:
            ends = True
        if ends and run:
            yield run
            run = []
    if run:
        yield run


def _phrases(words: Sequence[str], memo: TermsOf, stops: frozenset[str]) -> Iterator[tuple[Key, str]]:
    """Phrases within a stretch of words, without stop words and single letters."""
    lowered = [word.lower() for word in words]
    sound = [len(word) > 1 and word not in stops for word in lowered]
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            if not sound[end - 1]:
                break
            key = tuple(term for word in lowered[start:end] for term in memo.of(word) or (word,))
            yield key, " ".join(words[start:end])
