"""What is wanted, and how it changes: weight tables, query logs, vocabularies, networks.

A `Topic` holds what the user gave. From it come weight tables (of words, of a query log, of topic pages by
TF·IDF, of search results by tf·df), the vocabularies of sub-domains and a back-propagation network, each
saved under a name in the `Library`. Nothing here fetches or parses: pages arrive as term counts.
"""

from __future__ import annotations

from lagotto.focus.topic.background import Background, load_background
from lagotto.focus.topic.context import with_context
from lagotto.focus.topic.documents import Document, PageParser, read_document, read_folder
from lagotto.focus.topic.features import choose_features, link_contexts, pieces
from lagotto.focus.topic.library import Library, Saved, describe
from lagotto.focus.topic.network import MAX_EPOCHS, Confusion, Network, Settings
from lagotto.focus.topic.phrases import empty_phrases, with_phrases
from lagotto.focus.topic.query_log import LogFollower, Place, Query, QueryLog, read_query_log
from lagotto.focus.topic.query_table import Interval, QueryTable, Window, count_queries, reweigh
from lagotto.focus.topic.reading import doubts, read_as
from lagotto.focus.topic.results import table_from_counts, table_from_results
from lagotto.focus.topic.table import WeightTable, table_from_words, words_of, words_typed
from lagotto.focus.topic.tfidf import TopicPages
from lagotto.focus.topic.thesaurus import Thesaurus, load_thesaurus
from lagotto.focus.topic.topic import Topic
from lagotto.focus.topic.training import evaluate, train
from lagotto.focus.topic.vectors import Vectors, load_vectors
from lagotto.focus.topic.vocabulary import Vocabularies, build_vocabularies, cluster

__all__ = [
    "MAX_EPOCHS",
    "Background",
    "Confusion",
    "Document",
    "Interval",
    "Library",
    "LogFollower",
    "Network",
    "PageParser",
    "Place",
    "Query",
    "QueryLog",
    "QueryTable",
    "Saved",
    "Settings",
    "Thesaurus",
    "Topic",
    "TopicPages",
    "Vectors",
    "Vocabularies",
    "WeightTable",
    "Window",
    "build_vocabularies",
    "choose_features",
    "cluster",
    "count_queries",
    "describe",
    "doubts",
    "empty_phrases",
    "evaluate",
    "link_contexts",
    "load_background",
    "load_thesaurus",
    "load_vectors",
    "pieces",
    "read_as",
    "read_document",
    "read_folder",
    "read_query_log",
    "reweigh",
    "table_from_counts",
    "table_from_results",
    "table_from_words",
    "train",
    "with_context",
    "with_phrases",
    "words_of",
    "words_typed",
]
