"""Terms and hashes of the texts of links, in one language, with what was found remembered.

Most words and many URLs of a page stand on other pages of its site as well. Where only hashes of the terms
are wanted, a word leads to them at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from lagotto.base.hashing import END, hash_terms, url_keys
from lagotto.base.text import terms, tokens
from lagotto.base.text.stems import MEMO_SIZE, terms_of
from lagotto.base.text.tokens import MAX_LENGTH

SHORT = 200
"""Characters of a URL up to which it is worth its memory."""
REMEMBERED = 20_000
"""URLs that are remembered, since a site's menus stand on all its pages."""

_COMMON = "www com org net html htm shtml xhtml php php3 asp aspx jsp cgi index default"
_URL_NOISE = frozenset(_COMMON.split())
"""Parts of URLs that every site has, and so say nothing."""


class Target(NamedTuple):
    """What a link knows of its URL alone."""

    host: str
    keys: bytes
    """What the link's keys begin with."""
    hashes: bytes
    """Hashes of the URL's terms, and `END`."""


class Wording:
    """Makes terms, or hashes of terms, of texts in one language with one list of phrases."""

    def __init__(self, language: str, phrases: tuple[str, ...]) -> None:
        self._language = language
        self._phrases = phrases
        self._hashes_of = _hashes_of(language).__getitem__
        self._targets: dict[str, Target] = {}

    def terms(self, text: str) -> list[str]:
        """Terms of a text."""
        return terms(text, self._language, self._phrases)

    def url_terms(self, url: str) -> list[str]:
        """Terms of a URL that are not in every other URL as well."""
        read = _terms_of_short_url if len(url) <= SHORT else _terms_of_url
        return list(read(url, self._language, self._phrases))

    def hashes(self, words: list[str]) -> bytes:
        """Hashes of the terms of a text that was cut at white space, in order."""
        if self._phrases:
            return hash_terms(self.terms(" ".join(words)))
        return b"".join(map(self._hashes_of, words))

    def target(self, url: str) -> Target:
        """Keys and hashes of a URL."""
        known = self._targets.get(url)
        if known is None:
            known = Target(*url_keys(url), self._url_hashes(url) + END)
            if len(url) <= SHORT:
                if len(self._targets) >= REMEMBERED:
                    self._targets.clear()
                self._targets[url] = known
        return known

    def _url_hashes(self, url: str) -> bytes:
        return hash_terms(_terms_of_url(url, self._language, self._phrases))


@lru_cache(maxsize=64)
def wording(language: str, phrases: tuple[str, ...]) -> Wording:
    """The one for a language and a list of phrases."""
    return Wording(language, phrases)


class _HashesOf(dict[str, bytes]):
    """Word, with signs around it -> hashes of its terms in one language, filled as words come."""

    def __init__(self, language: str) -> None:
        self._terms = terms_of(language)

    def __missing__(self, word: str) -> bytes:
        hashes = hash_terms(self._terms.sequence(tokens(word)))
        if len(word) <= MAX_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = hashes
        return hashes


_hashes_of = lru_cache(maxsize=512)(_HashesOf)


def _terms_of_url(url: str, language: str, phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(term for term in terms(_readable(url), language, phrases) if term not in _URL_NOISE)


_terms_of_short_url = lru_cache(REMEMBERED)(_terms_of_url)


def _readable(url: str) -> str:
    """A URL without its scheme, escapes undone."""
    rest = url[url.index("//") + 2 :]
    return unquote(rest) if "%" in rest else rest
