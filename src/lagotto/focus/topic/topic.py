"""The topic of a crawl: all that its user gave, from which each strategy takes what it needs.

A paper's strategy has its own input (a query log, example pages, a network); with words alone it falls
back on those, and on the seeds and first pages that the crawl brings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from lagotto.base.errors import InputError
from lagotto.focus.topic.documents import Document
from lagotto.focus.topic.network import Network
from lagotto.focus.topic.phrases import clean_phrases, phrases_in, phrases_of_queries
from lagotto.focus.topic.query_log import read_query_log
from lagotto.focus.topic.table import WeightTable, table_from_words
from lagotto.focus.topic.vocabulary import Vocabularies


class Topic:
    """What is wanted."""

    def __init__(
        self,
        words: str = "",
        *,
        phrases: Iterable[str] = (),
        language: str = "en",
        query_log: Path | None = None,
        relevant: Sequence[Document] = (),
        irrelevant: Sequence[Document] = (),
        results: Sequence[str] = (),
        table: WeightTable | None = None,
        vocabularies: Vocabularies | None = None,
        network: Network | None = None,
    ) -> None:
        self.words = " ".join(words.split())
        self.language = language
        self.query_log = query_log
        self.relevant = tuple(relevant)
        """Example pages."""
        self.irrelevant = tuple(irrelevant)
        """Counter-examples."""
        self.results = tuple(results)
        """Title and snippet of search results for the topic."""
        self.table = table
        self.vocabularies = vocabularies
        self.network = network
        self.listed_phrases = tuple(clean_phrases(phrases, language))
        if query_log is not None and not query_log.is_file():
            raise InputError(f"there is no query log {query_log}")
        if not any(
            (self.words, self.listed_phrases, query_log, relevant, results, table, vocabularies, network)
        ):
            raise InputError(
                "there is no topic; name it by words, a query log, example pages, or a saved topic or network"
            )

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Every phrase and name that is one term: listed, in the words, in the log, in the saved table."""
        quoted = phrases_in(self.words, self.language)
        if self.query_log is not None:
            quoted += phrases_of_queries(read_query_log(self.query_log).texts, self.language)
        saved = self.table.phrases if self.table is not None else ()
        return tuple(clean_phrases([*self.listed_phrases, *quoted, *saved], self.language))

    @cached_property
    def word_table(self) -> WeightTable | None:
        """The saved table, else one of the user's words, else none."""
        if self.table is not None:
            return self.table
        if not self.words and not self.listed_phrases:
            return None
        return table_from_words(self.words, language=self.language, phrases=self.listed_phrases)
