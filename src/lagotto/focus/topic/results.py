"""The weight table of `static`: made once, from the first search results for the topic.

    w(t) = tf·df,   W(t) = w(t) / w_max

tf counts the occurrences of t in all results together, df the results that have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lagotto.base.errors import InputError
from lagotto.base.text import count_terms, readable_terms
from lagotto.focus.topic.phrases import clean_phrases
from lagotto.focus.topic.table import WeightTable

SIZE = 100


def table_from_counts(
    results: Iterable[Mapping[str, int]],
    *,
    size: int = SIZE,
    language: str = "en",
    readable: Mapping[str, str] | None = None,
) -> WeightTable:
    """The `size` heaviest terms of results given by their term counts, such as pages already parsed.

    >>> dict(table_from_counts([{"solar": 3, "power": 1}, {"solar": 1}]))
    {'solar': 1.0, 'power': 0.125}
    """
    if size < 1:
        raise InputError(f"a table cannot have {size} keywords; give at least 1")
    occurrences: Counter[str] = Counter()
    having: Counter[str] = Counter()
    seen = 0
    for counts in results:
        occurrences.update(counts)
        having.update(counts.keys())
        seen += 1
    weights = {term: occurrences[term] * having[term] for term in occurrences if occurrences[term] > 0}
    if not weights:
        raise InputError("the search results hold no words; search again or give the topic's words")
    heaviest = sorted(weights, key=lambda term: (-weights[term], term))[:size]
    largest = weights[heaviest[0]]
    return WeightTable(
        {term: weights[term] / largest for term in heaviest},
        {term: form for term, form in (readable or {}).items() if term in weights},
        language,
        source="search results",
        provenance={"results": seen, "size": size},
    )


def table_from_results(
    texts: Iterable[str], *, size: int = SIZE, language: str = "en", phrases: Iterable[str] = ()
) -> WeightTable:
    """The same for results given as text, such as title and snippet."""
    spelled = clean_phrases(phrases, language)
    readable: dict[str, str] = {}
    results = []
    for text in texts:
        results.append(count_terms(text, language, spelled))
        readable |= readable_terms(text, language, spelled)
    return table_from_counts(results, size=size, language=language, readable=readable)
