"""Words of a text: Unicode letters and digits in lower case.

A text is first cut at ASCII punctuation into *tokens*, which is fast. Only tokens with other characters need
more work, and its result can be remembered because tokens repeat. Names such as C++ are found by `names`.
"""

from __future__ import annotations

import re
import unicodedata

MIN_LENGTH = 2
MAX_LENGTH = 40

# Letters and digits in lower case, spaces for all other ASCII; bytes of other characters unchanged.
_CUT = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256)).lower()

# Vowel signs and accents are part of a word, yet `\w` does not cover them: general accents, Hebrew and
# Arabic points, the Indic, Thai, Lao, Tibetan, Burmese and Khmer blocks without their punctuation.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0df3\u0e31-\u0e4e\u0eb1-\u0ecd"
    "\u0f71-\u0f84\u102b-\u103e\u17b6-\u17d3"
)
UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts that set words apart loosely (Korean) or not at all, as a class of characters."""
_words = re.compile(rf"[\w{_MARKS}]+").findall
_runs = re.compile(f"([{UNSPACED}]+)").split
# Soft hyphens and joiners are invisible parts of a word.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060"))


def words(text: str) -> list[str]:
    """Words of 2 to 40 characters in lower case, in order; underscores and apostrophes separate them.

    Runs of Chinese, Japanese, Korean or Thai are cut into overlapping pairs of characters.

    >>> words("Manifesto of BJP, 2014: snake_case")
    ['manifesto', 'of', 'bjp', '2014', 'snake', 'case']
    >>> words("東京都 2014年")
    ['東京', '京都', '2014', '年']
    """
    return [word for token in tokens(text) for word in token_words(token)]


def tokens(text: str) -> list[str]:
    """The text cut at white space and ASCII punctuation, ASCII letters in lower case."""
    return text.encode("utf-8", "replace").translate(_CUT).decode().split()


def token_words(token: str) -> list[str]:
    """Words in a token: itself if it is ASCII, else what its characters make of it."""
    if token.isascii():
        return [token] if MIN_LENGTH <= len(token) <= MAX_LENGTH else []
    found: list[str] = []
    for word in _words(unicodedata.normalize("NFKC", token.translate(_INVISIBLE)).lower()):
        for i, run in enumerate(_runs(word)):
            if i % 2:
                found.extend(run[j : j + 2] for j in range(max(1, len(run) - 1)))
            elif MIN_LENGTH <= len(run) <= MAX_LENGTH:
                found.append(run)
    return found


HEAD = 4096
"""Bytes at the beginning of a file that are looked at."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""Marks at the beginning of a file in UTF-16."""
_control = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]").search


def looks_binary(content: bytes) -> bool:
    """Whether a file begins like a binary one: with control characters, or as PDF.

    >>> looks_binary(b"\\x89PNG\\r\\n\\x1a\\n"), looks_binary("caf\u00e9".encode("latin-1"))
    (True, False)
    """
    if content.startswith(UTF_16):
        return False
    return content.startswith(b"%PDF-") or _control(content[:HEAD]) is not None
