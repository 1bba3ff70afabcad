"""Names of groups: phrases that are frequent on a group's pages, rare on others, and stand in titles.

    score(phrase) = presence · ln((presence + ε) / (elsewhere + ε)) · words

*Presence* is the share of the group's pages that have the phrase, two fifths of it by title and headings and
the rest by running text; *elsewhere* is the mean of the other groups. The n pages of a host count as √n in a
group, so that what a single site writes on each of its pages names no group of many sites.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.base.text import stop_words
from lagotto.base.text.stems import TermsOf, terms_of
from lagotto.focus.topic.background import load_background

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


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

KEYWORDS = 6
FEWEST = 3
"""Pages that a phrase must be on."""
SMALL = 0.01
"""ε: what a share is taken to be at least, so that rare phrases do not win by chance."""
OF_TITLES = 0.4
"""Share of titles and headings in presence. On the labelled webs .4 gave more fitting names than .2."""
WORTH = (1.0, 1.4, 1.4)
"""Factor for phrases of one, two and three words: several words say more."""
LIFT = 0.3
"""A word of a longer phrase must itself be more frequent in the group, by this logarithm."""
PLAIN = 0.2
"""A phrase that is written in lower case this often is no proper name."""


COMMON = 0.2
"""A word on more than this share of general pages is no name by itself."""


class NamedPage(Struct, frozen=True):
    """What naming needs of a page."""

    host: str
    phrases: PagePhrases


class Label(Struct, frozen=True):
    """Name of a group, and what else tells it from others."""

    name: str
    keywords: list[str]


def common_terms(language: str) -> frozenset[str]:
    """Terms that are too common to name anything."""
    general = load_background(language)
    return frozenset(
        term for term, pages in general.frequencies.items() if pages > COMMON * general.documents
    )


def name_groups(
    pages: Sequence[NamedPage],
    labels: Integers,
    count: int,
    *,
    avoid: Collection[str] = (),
    fixed: Mapping[int, str] = MappingProxyType({}),
) -> list[Label]:
    """A label for each of so many groups, given each page's group or -1.

    No name is made of terms of `avoid` alone. Groups of `fixed` have these names, which no other one gets.
    """
    keys, written = _candidates(pages)
    places = {key: at for at, key in enumerate(keys)}
    presence = _presence(pages, labels, count, places)
    overall = presence.sum(axis=0)
    elsewhere = (overall - presence) / max(1, count - 1)
    lift = np.log((presence + SMALL) / (elsewhere + SMALL))
    worth = np.array([WORTH[min(len(key), len(WORTH)) - 1] for key in keys])
    scores = presence * lift * worth
    named: list[Label] = []
    names = set(fixed.values())
    spelled = {name: key for key in keys if (name := as_written(written[key])) in names}
    used = set(spelled.values())
    by_size = np.argsort(-np.bincount(labels[labels >= 0], minlength=count), kind="stable")
    for group in by_size.tolist():
        order = np.argsort(-scores[group], kind="stable").tolist()
        ordered = (keys[at] for at in order if _stands(keys[at], places, lift[group]))
        if group in fixed:
            best = _distinct(ordered, used, avoid, [spelled.get(fixed[group], ())])
            shown = [fixed[group], *(as_written(written[key]) for key in best[1:])]
        else:
            best = _distinct(ordered, used, avoid)
            used.update(best[:1])
            shown = [as_written(written[key]) for key in best] or [f"group {group + 1}"]
        named.append(Label(shown[0], shown[1:]))
    return [named[at] for at in np.argsort(by_size).tolist()]


def _candidates(pages: Sequence[NamedPage]) -> tuple[list[Key], dict[Key, Counter[str]]]:
    """Phrases of enough pages that stand in some title, and how they are written."""
    having: Counter[Key] = Counter()
    titled: Counter[Key] = Counter()
    for page in pages:
        having.update(page.phrases.written.keys())
        titled.update(page.phrases.titled)
    keys = [key for key, found in having.items() if found >= FEWEST and titled[key]]
    written: dict[Key, Counter[str]] = {key: Counter() for key in keys}
    for page in pages:
        for key, forms in page.phrases.written.items():
            if key in written:
                written[key].update(forms)
    return keys, written


def _presence(pages: Sequence[NamedPage], labels: Integers, count: int, places: dict[Key, int]) -> Floats:
    """How much of each group has each phrase, 0 to 1."""
    hosts = Counter((page.host, label) for page, label in zip(pages, labels.tolist(), strict=True))
    found = np.zeros((count, len(places)))
    totals = np.zeros(count)
    for page, label in zip(pages, labels.tolist(), strict=True):
        if label < 0:
            continue
        weight = hosts[page.host, label] ** -0.5
        totals[label] += weight
        for keys, share in ((page.phrases.running, 1.0 - OF_TITLES), (page.phrases.headed, OF_TITLES)):
            found[label, [places[key] for key in keys if key in places]] += weight * share
    return found / np.maximum(totals, 1e-9)[:, np.newaxis]


def _stands(key: Key, places: dict[Key, int], lift: Floats) -> bool:
    """Whether a phrase is more frequent in the group, and each of its words too."""
    parts = [key, *((term,) for term in key if len(key) > 1)]
    return all(lift[places[part]] >= LIFT for part in parts if part in places)


def _distinct(
    ordered: Iterable[Key], used: set[Key], avoid: Collection[str], begin: Sequence[Key] = ()
) -> list[Key]:
    """The first phrases that share no word with each other; the first is no name of another group."""
    chosen = list(begin)
    for key in ordered:
        if all(term in avoid for term in key) or (not chosen and key in used):
            continue
        if not any(set(key) & set(other) for other in chosen):
            chosen.append(key)
        if len(chosen) > KEYWORDS:
            break
    return chosen


def as_written(forms: Counter[str]) -> str:
    """How a phrase is mostly written; in lower case if it is written so often enough."""
    lowered: Counter[str] = Counter()
    for form, count in forms.items():
        if form.islower():
            lowered[form] += count
    plain, often = max(lowered.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    if often >= PLAIN * forms.total():
        return plain
    return max(forms.items(), key=lambda each: (each[1], each[0]))[0]
