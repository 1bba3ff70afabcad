"""The weight table: keywords of a topic with their weights, and how like it a text is.

    cosine(t, p) = Σ W(k,t)·W(k,p) / (|W(t)|·|W(p)|)      sum over the keywords that t and p share

In the form of `dynamic` |W(p)| is the norm of the whole page; in that of `hybrid` it is taken over the
topic's keywords only. W(k,p) is the share count / length of the page's terms; the length is the same
above and below the line, so counts alone are enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.text import count_terms, is_name, phrase_term, readable_terms
from lagotto.focus.topic.phrases import clean_phrases, phrases_in

Provenance = Mapping[str, str | int | float]


@dataclass(frozen=True, eq=False)
class WeightTable(Mapping[str, float]):
    """Keyword -> weight, heaviest first; never changes, a rebuilt table is a new version."""

    weights: Mapping[str, float]
    readable: Mapping[str, str] = field(default_factory=dict)
    """Keyword -> how to show it to a person; for a phrase, how the user wrote it."""
    language: str = "en"
    source: str = ""
    """What it was made from, such as `query log` or `topic pages`."""
    provenance: Provenance = field(default_factory=dict)
    """The numbers it was made with, such as alpha or the count of pages."""
    version: int = 1
    below: Mapping[str, float] = field(default_factory=dict)
    """Terms that were weighed but did not reach the threshold, with their weights; to be shown only."""
    norm: float = field(init=False)
    phrases: tuple[str, ...] = field(init=False)
    """Keywords that are phrases or names, as the user wrote them: a parser must take each as one term."""

    def __post_init__(self) -> None:
        for term, weight in self.weights.items():
            if not (math.isfinite(weight) and weight > 0):
                raise InputError(f"the weight of '{term}' is {weight}; weights are positive numbers")
        ordered = dict(sorted(self.weights.items(), key=lambda entry: (-entry[1], entry[0])))
        lighter = dict(sorted(self.below.items(), key=lambda entry: (-entry[1], entry[0])))
        readable = {term: self.readable.get(term, term) for term in [*ordered, *lighter]}
        set_once = object.__setattr__
        set_once(self, "weights", MappingProxyType(ordered))
        set_once(self, "readable", MappingProxyType(readable))
        set_once(self, "provenance", MappingProxyType(dict(self.provenance)))
        set_once(self, "below", MappingProxyType(lighter))
        set_once(self, "norm", math.hypot(*ordered.values()))
        set_once(self, "phrases", tuple(readable[term] for term in ordered if " " in term or is_name(term)))

    def __reduce__(self) -> tuple[type[WeightTable], tuple[object, ...]]:
        # The read-only views that it is made of cannot be pickled, and it may travel to other processes.
        parts = (dict(self.weights), dict(self.readable), self.language, self.source)
        return WeightTable, (*parts, dict(self.provenance), self.version, dict(self.below))

    def __getitem__(self, term: str) -> float:
        return self.weights[term]

    def __iter__(self) -> Iterator[str]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    def same_weights(self, other: WeightTable) -> bool:
        """Whether another table has the same keywords and weights, also below the threshold."""
        if self is other:
            return True
        return dict(self.weights) == dict(other.weights) and dict(self.below) == dict(other.below)

    def cosine(self, counts: Mapping[str, int]) -> float:
        """Likeness of a page to the topic, 0 to 1, with the norm over the whole page.

        >>> WeightTable({"poll": 1.5, "manifesto": 2.0}).cosine({"poll": 3, "date": 4})
        0.36
        """
        return self._divided(self._dot(counts), _page_norm(counts))

    def keyword_cosine(self, counts: Mapping[str, int], factors: Mapping[str, float] | None = None) -> float:
        """Likeness of a page to the topic, 0 to 1, with the norm over the topic's keywords only.

        `factors` multiply the page's weights, such as an idf for TF·IDF on the page's side too.

        >>> WeightTable({"poll": 1.5, "manifesto": 2.0}).keyword_cosine({"poll": 3, "date": 4})
        0.6
        """
        on_page = {term: float(counts[term]) for term in self.weights if term in counts}
        if factors is not None:
            on_page = {term: count * factors.get(term, 0.0) for term, count in on_page.items()}
        dot = math.fsum(self.weights[term] * weight for term, weight in on_page.items())
        return self._divided(dot, math.hypot(*on_page.values()))

    def cosine_of(self, terms: Sequence[str]) -> float:
        """Likeness of a short text, such as an anchor, given by its terms in any order."""
        if self.weights.keys().isdisjoint(terms):
            return 0.0
        return self.cosine(Counter(terms))

    def to_json(self) -> bytes:
        """The table as JSON, exact to the last digit."""
        return msgspec.json.encode(
            _Stored(
                weights=dict(self.weights),
                readable={term: form for term, form in self.readable.items() if form != term},
                language=self.language,
                source=self.source,
                provenance=dict(self.provenance),
                version=self.version,
                below=dict(self.below),
            )
        )

    @classmethod
    def from_json(cls, stored: bytes | str) -> WeightTable:
        """Take back what `to_json` gave, or a plain object keyword -> weight."""
        try:
            return cls(**msgspec.structs.asdict(msgspec.json.decode(stored, type=_Stored)))
        except msgspec.DecodeError as error:
            try:
                return cls(msgspec.json.decode(stored, type=dict[str, float]))
            except msgspec.DecodeError:
                raise InputError(f"this is no weight table: {error}") from error

    def save(self, path: Path) -> None:
        """Write the table to a JSON file."""
        path.write_bytes(self.to_json())

    @classmethod
    def load(cls, path: Path) -> WeightTable:
        """Read a table from a JSON file."""
        try:
            return cls.from_json(path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot read the weight table {path}: {error.strerror}") from error

    def _dot(self, counts: Mapping[str, int]) -> float:
        weights = self.weights
        if len(counts) < len(weights):
            return math.fsum(weights[term] * count for term, count in counts.items() if term in weights)
        return math.fsum(weight * counts[term] for term, weight in weights.items() if term in counts)

    def _divided(self, dot: float, page_norm: float) -> float:
        if not dot:
            return 0.0
        # Rounding may carry a page that is the topic itself past 1.
        return min(1.0, dot / (self.norm * page_norm))


def _page_norm(counts: Mapping[str, int]) -> float:
    return math.sqrt(sum(map(mul, counts.values(), counts.values())))


class _Stored(Struct, tag="weight-table", tag_field="kind", forbid_unknown_fields=True):
    weights: dict[str, float]
    readable: dict[str, str] = {}
    language: str = "en"
    source: str = ""
    provenance: dict[str, str | int | float] = {}
    version: int = 1
    below: dict[str, float] = {}


def table_from_words(words: str, *, language: str = "en", phrases: Iterable[str] = ()) -> WeightTable:
    """Each word, phrase or name with the number of times it was typed, divided by the largest.

    A listed phrase is part of the topic even if the words do not hold it.

    >>> dict(table_from_words('solar solar panels "heat pump"'))
    {'solar': 1.0, 'heat pump': 0.5, 'panel': 0.5}
    """
    listed = clean_phrases(phrases, language)
    spelled = clean_phrases([*listed, *phrases_in(words, language)], language)
    counts = {phrase_term(phrase, language): 1 for phrase in listed} | count_terms(words, language, spelled)
    if not counts:
        raise InputError(f"'{words}' says nothing about a topic; write words such as: solar power")
    largest = max(counts.values())
    return WeightTable(
        {term: count / largest for term, count in counts.items()},
        readable_terms("\n".join([words, *listed]), language, spelled),
        language,
        source="words",
        provenance={"words": words},
    )


def words_of(arguments: Sequence[str]) -> str:
    """The words of a topic given one by one: one with a space in it is a phrase.

    >>> words_of(["solar", "heat pump"])
    'solar "heat pump"'
    """
    return " ".join(f'"{word}"' if _is_phrase(word) else word for word in arguments)


def words_typed(arguments: Sequence[str]) -> str:
    """The words of a command line; an argument that stands alone is a whole line of words.

    >>> words_typed(["solar", "heat pump"]), words_typed(["solar power"])
    ('solar "heat pump"', 'solar power')
    """
    return arguments[0] if len(arguments) == 1 else words_of(arguments)


def _is_phrase(word: str) -> bool:
    return len(word.split()) > 1 and '"' not in word
