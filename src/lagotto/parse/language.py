"""The language of a page: what it says itself, then what its words and letters say."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.base.text import base_language, guess_language
from lagotto.parse.engine import classify_language

MIN_LENGTH = 30
"""Characters below which a text is too short for its language to be told."""
MIN_FOREIGN = 0.03
"""Share of letters beyond ASCII from which on they are asked."""
SAMPLE = 1000

_CODES = (
    "afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da deu:de"
    " ell:el eng:en epo:eo est:et fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it"
    " jav:jv jpn:ja kan:kn kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne"
    " nld:nl nob:nb ori:or pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es"
    " srp:sr swe:sv tam:ta tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zul:zu"
)
_SHORT_CODES = dict(pair.split(":") for pair in _CODES.split())
"""ISO 639-3 -> ISO 639-1."""


def page_language(declared: str, text: str, tokens: Sequence[str]) -> str:
    """ISO 639 code of a page's language, or an empty string when nothing tells.

    The `lang` attribute counts if it is a language tag at all; else the most frequent function words
    decide. A text that has none of those we know, and is not plain ASCII, is judged by its letters;
    in ASCII, where letters tell little, it is more likely a list of names.
    """
    tag = base_language(declared)
    if tag.isascii() and tag.isalpha() and 2 <= len(tag) <= 3:
        return tag
    guessed = guess_language(tokens)
    if guessed or len(text) < MIN_LENGTH:
        return guessed
    sample = text[:SAMPLE]
    foreign = sum(character > "\x7f" and character.isalpha() for character in sample)
    if foreign < MIN_FOREIGN * len(sample):
        return ""
    code = classify_language(sample)
    return _SHORT_CODES.get(code, code)
