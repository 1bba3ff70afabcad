"""The language of a page: what it says itself, then what its words say."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.text import base_language, guess_language

MIN_LENGTH = 30
"""Characters below which a text is too short for its language to be told."""
MIN_FOREIGN = 0.1
"""Share of tokens beyond ASCII from which on the classifier is asked."""
SAMPLE = 1000


def page_language(declared: str, text: str, tokens: Sequence[str]) -> str:
    """ISO 639 code of a page's language, or an empty string when nothing tells.

    The `lang` attribute counts if it is a language tag at all; else the most frequent function words
    decide. Only for a text that has none of those we know, and is not plain ASCII, is the large
    classifier worth its second of loading and its hundred megabytes.
    """
    tag = base_language(declared)
    if tag.isascii() and tag.isalpha() and 2 <= len(tag) <= 3:
        return tag
    guessed = guess_language(tokens)
    if guessed or len(text) < MIN_LENGTH:
        return guessed
    foreign = sum(not token.isascii() for token in tokens)
    return _classify(text[:SAMPLE]) if foreign >= MIN_FOREIGN * len(tokens) else ""


def _classify(text: str) -> str:
    import py3langid

    language, _ = py3langid.classify(text)
    return str(language)
