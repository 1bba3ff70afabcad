"""From a word to its term: stop words out, the rest stemmed by Snowball."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import Stemmer

from lagotto.text.tokens import MAX_LENGTH, token_words

MEMO_SIZE = 65_536
"""Distinct tokens remembered for each language: some 15 MB at most."""

SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}


_LISTS = {path.stem: path for path in (Path(__file__).parent / "stopwords").glob("*.txt")}
STOP_WORD_LANGUAGES = tuple(sorted(_LISTS))
# Both written forms of Norwegian share one list, as they share one stemmer.
_LISTS |= {"nb": _LISTS["no"], "nn": _LISTS["no"]}


@cache
def stop_words(language: str) -> frozenset[str]:
    """Function words of a language (ISO 639-1), which are no part of a topic; empty if it has no list.

    Apostrophes separate words, so `don't` is listed as `don` and `dell'arte` begins with `dell`.
    """
    path = _LISTS.get(language)
    return frozenset(path.read_text("utf-8").split()) if path else frozenset()


class TermsOf(dict[str, tuple[str, ...]]):
    """Token -> its terms in one language, filled as tokens come: mostly one, none for a stop word."""

    def __init__(self, language: str) -> None:
        algorithm = SNOWBALL.get(language)
        # Older Snowball releases know fewer languages; its own cache (0) would only double this one.
        known = algorithm in Stemmer.algorithms()
        self._stem: Callable[[str], str] = Stemmer.Stemmer(algorithm, 0).stemWord if known else str
        self._stop_words = stop_words(language)

    def __missing__(self, token: str) -> tuple[str, ...]:
        terms = tuple(self._stem(word) for word in token_words(token) if word not in self._stop_words)
        if len(token) <= MAX_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[token] = terms
        return terms


def base_language(tag: str) -> str:
    """ISO 639 code of a language tag, in lower case: `pt-BR` and `pt_br` are `pt`."""
    return tag.strip().replace("_", "-").split("-", 1)[0].lower()


@lru_cache(maxsize=512)
def terms_of(tag: str) -> TermsOf:
    """The memo for a language tag, the same one for all its spellings."""
    language = base_language(tag)
    return TermsOf(language) if tag == language else terms_of(language)
