"""The language a text is written in, by the function words it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain

from lagotto.base.errors import InputError
from lagotto.base.text.stems import STOP_WORD_LANGUAGES, base_language, stop_words

SAMPLE = 250
"""Tokens looked at, spread over the text; more would not change the vote."""
MIN_VOTES = 5
MIN_SHARE = 0.08
MIN_LEAD = 1.25

_CODES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv"
    " dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie"
    " ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv"
    " mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm"
    " rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr"
    " ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
ISO_639_1 = frozenset(_CODES.split())
"""Two-letter codes of languages."""


def check_language(tag: str) -> None:
    """Refuse a language tag that does not begin with an ISO 639-1 code.

    >>> check_language("pt-BR")
    """
    if base_language(tag) not in ISO_639_1:
        raise InputError(f"there is no language '{tag}'; write its ISO 639-1 code, such as en, de or pt-BR")


def guess_language(tokens: Sequence[str]) -> str:
    """Language whose stop words are clearly the most frequent, or an empty string when none are.

    Running text of any language is a third to a half function words, so the vote is clear after a
    few sentences; tables and lists of names have no such words, and nothing is said of them.

    >>> guess_language("the weather in the north of the country is cold and it rains".split())
    'en'
    """
    sample = tokens[:: max(1, len(tokens) // SAMPLE)]
    votes = Counter(chain.from_iterable(filter(None, map(_languages_by_word().get, sample))))
    (first, most), (_, second) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    clear = most >= max(MIN_VOTES, MIN_SHARE * len(sample), MIN_LEAD * second)
    return first if clear else ""


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    languages: dict[str, tuple[str, ...]] = {}
    for language in STOP_WORD_LANGUAGES:
        for word in stop_words(language):
            languages[word] = (*languages.get(word, ()), language)
    return languages
