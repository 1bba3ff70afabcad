"""Words of a text: Unicode letters and digits in lower case."""

from __future__ import annotations

import re
import unicodedata

MIN_LENGTH = 2
MAX_LENGTH = 40

# Vowel signs and accents are part of a word, yet `\w` does not cover them: general accents, Hebrew and
# Arabic points, the Indic, Thai, Lao, Tibetan, Burmese and Khmer blocks without their punctuation.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0df3\u0e31-\u0e4e\u0eb1-\u0ecd"
    "\u0f71-\u0f84\u102b-\u103e\u17b6-\u17d3"
)
# Scripts in which words are not (or, in Korean, only loosely) set apart by spaces.
_UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_ascii_words = re.compile("[a-z0-9]+").findall
_words = re.compile(rf"[\w{_MARKS}]+").findall
_has_unspaced = re.compile(f"[{_UNSPACED}]").search
_runs = re.compile(f"([{_UNSPACED}]+)").split


def words(text: str) -> list[str]:
    """Words of 2 to 40 characters in lower case, in order; underscores and apostrophes separate them.

    Runs of Chinese, Japanese, Korean or Thai are cut into overlapping pairs of characters.

    >>> words("Manifesto of BJP, 2014: snake_case")
    ['manifesto', 'of', 'bjp', '2014', 'snake', 'case']
    >>> words("東京都 2014年")
    ['東京', '京都', '2014', '年']
    """
    if text.isascii():
        return [word for word in _ascii_words(text.lower()) if MIN_LENGTH <= len(word) <= MAX_LENGTH]
    # A soft hyphen or a joiner is invisible and stands inside a word.
    for invisible in ("\u00ad", "\u200b", "\u200c", "\u200d"):
        if invisible in text:
            text = text.replace(invisible, "")
    found = _words(unicodedata.normalize("NFKC", text).lower().replace("_", " "))
    if _has_unspaced(text):
        return [piece for word in found for piece in _pieces(word)]
    return [word for word in found if MIN_LENGTH <= len(word) <= MAX_LENGTH]


def _pieces(word: str) -> list[str]:
    """The word itself, or the character pairs of its unspaced runs and what stands between them."""
    pieces: list[str] = []
    for i, run in enumerate(_runs(word)):
        if i % 2:
            pieces.extend(run[j : j + 2] for j in range(max(1, len(run) - 1)))
        elif MIN_LENGTH <= len(run) <= MAX_LENGTH:
            pieces.append(run)
    return pieces
