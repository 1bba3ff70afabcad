"""From a word to its term: stop words out, the rest stemmed by Snowball."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

import Stemmer

from lagotto.base.text.tokens import MAX_LENGTH, MIN_LENGTH, token_words

MEMO_SIZE = 87_000
"""Distinct tokens remembered for each language, some 15 MB at most; a larger dict would double its table."""

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


_OTHERS = (
    "am ar be bg bn el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or pa ps ru si ta te"
    " tg th uk ur yi zh"
)
OTHER_SCRIPTS = frozenset(_OTHERS.split())
"""Languages that are not written in Latin letters. Words in these on their pages are mostly English."""

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


class TermsOf(dict[str, str | tuple[str, ...]]):
    """Token -> its term in one language, filled as tokens come; empty for a stop word, a tuple of several.

    On a page in another script than Latin, words in Latin letters are English ones, with their stems and stop
    words: `cycling` on a Chinese page is the `cycling` of the topic.

    Only tokens that are not ASCII may have several terms. Plain strings take a third of the memory of tuples.
    """

    def __init__(self, language: str) -> None:
        algorithm = SNOWBALL.get(language)
        # Older Snowball releases know fewer languages; its own cache (0) would only double this one.
        known = algorithm in Stemmer.algorithms()
        self._stem: Callable[[str], str] = Stemmer.Stemmer(algorithm, 0).stemWord if known else str
        self._stop_words = stop_words(language)
        self._latin = terms_of("en") if language in OTHER_SCRIPTS else None

    def __missing__(self, token: str) -> str | tuple[str, ...]:
        if token.isascii() and self._latin is not None:
            found: str | tuple[str, ...] = self._latin[token]
        elif token.isascii():
            word = MIN_LENGTH <= len(token) <= MAX_LENGTH and token not in self._stop_words
            found = self._stem(token) if word else ""
            if found == token:
                found = token  # one string is remembered, not two
        else:
            terms = [self._term_of(word) for word in token_words(token) if word not in self._stop_words]
            found = tuple(terms) if len(terms) > 1 else "".join(terms)
        if len(token) <= MAX_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[token] = found
        return found

    def _term_of(self, word: str) -> str:
        """Term of a word within a token; of a foreign stop word the word itself."""
        if self._latin is not None and word.isascii():
            return "".join(self._latin.of(word)) or word
        return self._stem(word)

    def of(self, token: str) -> tuple[str, ...]:
        """Terms of one token."""
        found = self[token]
        return found if isinstance(found, tuple) else (found,) if found else ()

    def sequence(self, tokens: Iterable[str]) -> list[str]:
        """Terms of tokens, in order."""
        found = list(filter(None, map(self.__getitem__, tokens)))
        if tuple in map(type, found):
            return [term for each in found for term in ((each,) if isinstance(each, str) else each)]
        return cast("list[str]", found)

    def count(self, tokens: Iterable[str]) -> dict[str, int]:
        """Term -> occurrences among tokens, in the order in which terms are met first."""
        found = Counter(filter(None, map(self.__getitem__, tokens)))
        if tuple not in map(type, found):
            return cast("dict[str, int]", dict(found))
        counts: dict[str, int] = {}
        for each, times in found.items():
            for term in (each,) if isinstance(each, str) else each:
                counts[term] = counts.get(term, 0) + times
        return counts


def base_language(tag: str) -> str:
    """ISO 639 code of a language tag, in lower case: `pt-BR` and `pt_br` are `pt`."""
    return tag.strip().replace("_", "-").split("-", 1)[0].lower()


@lru_cache(maxsize=512)
def terms_of(tag: str) -> TermsOf:
    """The memo for a language tag, the same one for all its spellings."""
    language = base_language(tag)
    return TermsOf(language) if tag == language else terms_of(language)
