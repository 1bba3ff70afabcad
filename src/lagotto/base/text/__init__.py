"""Terms of a text: words without stop words, stemmed, with each of the user's phrases and names as one term.

The life of a term: text -> words (lower case, Unicode) -> stop words out -> Snowball stem ->
phrases merged. Topics and pages go through the same functions, so they get the same terms.
Languages without a stemmer keep their words unchanged.

`phrases` below are what the user wants as one term: several words (`heat pump`), or a name that words do not
hold (`C++`, `R`, `COVID-19`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lagotto.base.text.counting import CountedTerms, counting
from lagotto.base.text.languages import guess_language
from lagotto.base.text.names import has_name, is_name, names_in, names_of_phrase
from lagotto.base.text.phrases import merge_phrases, phrase_parts, phrase_term, searched_names, split_terms
from lagotto.base.text.stems import SNOWBALL, base_language, stop_words, terms_of
from lagotto.base.text.tokens import tokens, words

__all__ = [
    "SNOWBALL",
    "CountedTerms",
    "base_language",
    "count_terms",
    "counted_terms",
    "counting",
    "guess_language",
    "has_name",
    "is_name",
    "merge_phrases",
    "names_in",
    "names_of_phrase",
    "phrase_parts",
    "phrase_term",
    "readable_terms",
    "searched_names",
    "stop_words",
    "terms",
    "tokens",
    "words",
]


def terms(text: str | list[str], language: str = "en", phrases: Iterable[str] = ()) -> list[str]:
    """Terms of a text (or of its tokens) in order: stop words out, stemmed, phrases merged.

    Names are found in a text only; its tokens do not hold them.

    >>> terms("Manifesto of BJP for lok sabha polls 2014.", phrases=["lok sabha"])
    ['manifesto', 'bjp', 'lok sabha', 'poll', '2014']
    """
    listed = tuple(phrases)
    if isinstance(text, str):
        found = split_terms(text, language, searched_names(listed))
    else:
        found = terms_of(language).sequence(text)
    return merge_phrases(found, listed, language) if listed else found


def count_terms(text: str | list[str], language: str = "en", phrases: Iterable[str] = ()) -> dict[str, int]:
    """Term -> occurrences in a text (or among its tokens).

    >>> count_terms("polls, polling and the date")
    {'poll': 2, 'date': 1}
    """
    if phrases:
        return dict(Counter(terms(text, language, phrases)))
    return terms_of(language).count(tokens(text) if isinstance(text, str) else text)


def counted_terms(title: str, text: str, language: str, phrases: Iterable[str] = ()) -> CountedTerms:
    """Terms of a page with this title and text, as the parser counts them.

    >>> counted_terms("Polls", "A poll in Delhi", "en")
    CountedTerms(titled=['poll'], counts={'poll': 2, 'delhi': 1})
    """
    titled = terms(title, language, phrases)
    counts = count_terms(text, language, phrases)
    for term in titled:
        counts[term] = counts.get(term, 0) + 1
    return CountedTerms(titled, counts)


def readable_terms(text: str, language: str = "en", phrases: Iterable[str] = ()) -> dict[str, str]:
    """Term -> how to show it to a person: the stem where it is a word, else the shortest word of the text.

    >>> readable_terms("Kejriwal polls universities")
    {'kejriw': 'kejriwal', 'poll': 'poll', 'universiti': 'universities'}
    """
    shown: dict[str, str] = {}
    memo = terms_of(language)
    for word in words(text):
        found = memo.of(word)
        if not found:
            continue
        term = found[0]
        # Only of an English plural is it plain that the stem is a word; Snowball writes y as i.
        plural = language == "en" and word == f"{term}s" and not term.endswith("i")
        form = term if plural else word
        if term not in shown or len(form) < len(shown[term]):
            shown[term] = form
    listed = tuple(phrases)
    shown |= {phrase_term(phrase, language): phrase.lower() for phrase in listed}
    shown |= {phrase_term(name, language): name for name in searched_names(listed)}
    return {term: shown[term] for term in terms(text, language, listed)}
