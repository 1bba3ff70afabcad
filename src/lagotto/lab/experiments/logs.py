"""Query logs and search results of topics: the inputs of the paper of `dynamic`, as the lab gives them.

A log grows while the crawl runs, as in the paper: a part of it is there at the start, the rest is appended as
pages are fetched.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError

AT_START = 0.25
"""Share of the queries that are there before the first page."""


class SearchHit(Struct, forbid_unknown_fields=True):
    """One search result."""

    url: str
    title: str = ""
    content: str = ""


class TopicLog(Struct, forbid_unknown_fields=True):
    """What people asked about a topic, and what a search engine answers to its words."""

    queries: list[str]
    """In the order of the log, among them queries about something else."""
    results: list[SearchHit] = []
    """Best first."""
    pages: list[str] = []
    """Relevant pages whose titles and headings became queries: they do not count as found."""


def read_logs(path: Path) -> dict[str, TopicLog]:
    """Read a JSON file, topic -> {"queries", "results", "pages"}."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, TopicLog])
    except OSError as error:
        raise InputError(f"cannot read the query logs {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise InputError(
            f"{path} is not a file of query logs; make one with scripts/make_query_logs.py: {error}"
        ) from None


class GrowingLog:
    """A query log file to which queries are appended as a crawl goes on."""

    def __init__(self, queries: tuple[str, ...], path: Path, budget: int) -> None:
        self.path = path
        self._queries = queries
        self._budget = budget
        self._written = 0
        path.write_text("", encoding="utf-8")
        self.fetched(0)

    def fetched(self, pages: int) -> None:
        """Append what is due after so many pages; the last query is due at the budget."""
        share = AT_START + (1 - AT_START) * min(1.0, pages / self._budget)
        due = ceil(share * len(self._queries))
        if due > self._written:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(f"{query}\n" for query in self._queries[self._written : due])
            self._written = due
