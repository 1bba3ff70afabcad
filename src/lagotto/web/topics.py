"""What a topic is taken to mean before a crawl starts, and topics and networks that were saved."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from lagotto.hosting.uploads import Uploads, documents
from lagotto.strategies.parts.focus import focus_table
from lagotto.strategies.scent.meant import meant_by
from lagotto.text.languages import check_language
from lagotto.topic import Library, Topic
from lagotto.topic.library import Saved
from lagotto.web.crawl_topic import Word

MOST_WORDS = 300
"""Words of the table that are told."""


class TopicRequest(Struct, forbid_unknown_fields=True):
    """A topic as a user names it."""

    words: Annotated[str, Meta(max_length=10_000)] = ""
    phrases: Annotated[list[str], Meta(max_length=100)] = []
    language: Annotated[str, Meta(max_length=20)] = "en"
    examples: Uploads = []
    query_log: str = ""


class TopicMeaning(Struct):
    """What a topic is taken to mean."""

    table: list[Word]
    """The words with their weights."""
    source: str
    like: list[Word]
    """Stems of similar words, which `scent` counts too."""
    kin: list[Word]
    """Stems of words that fall under the topic's, which `scent` counts too."""


@post("/topics/preview", status_code=200)
async def preview_topic(data: JSONBody[TopicRequest]) -> TopicMeaning:
    """What a topic is taken to mean; nothing is kept."""
    return await asyncio.to_thread(_meaning, data)


@get("/topics", sync_to_thread=True)
def list_topics() -> list[Saved]:
    """Topics and networks that were saved under a name."""
    return Library().list()


def _meaning(data: TopicRequest) -> TopicMeaning:
    check_language(data.language)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "queries.txt"
        if data.query_log.strip():
            log.write_text(data.query_log, encoding="utf-8", errors="replace")
        topic = Topic(
            data.words,
            phrases=data.phrases,
            language=data.language,
            query_log=log if data.query_log.strip() else None,
            relevant=documents(data.examples, "example pages"),
        )
        table = focus_table(topic)
    meant = meant_by(table, data.language)
    words = [Word(table.readable[term], weight) for term, weight in table.items()]
    return TopicMeaning(
        words[:MOST_WORDS],
        table.source,
        [Word(word, weight) for word, weight in meant.like.items()],
        [Word(word, weight) for word, weight in meant.kin.items()],
    )
