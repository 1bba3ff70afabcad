"""The word lists that the demo web is written with."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

GENERAL = "general"
"""Name of the general word list; all others are topics."""


class Vocabulary(NamedTuple):
    """Words by their part in a sentence."""

    people: tuple[str, ...]
    places: tuple[str, ...]
    stuff: tuple[str, ...]
    """Uncountable nouns."""
    things: tuple[str, ...]
    qualities: tuple[str, ...]
    actions: tuple[str, ...]
    """Verbs with an object."""
    motions: tuple[str, ...]
    """Verbs without one."""


class TopicWords(NamedTuple):
    """A topic: its words, subtopics, hosts, and the topics that it is confused with."""

    name: str
    size: float
    query: str
    """Search words for the topic."""
    hosts: tuple[str, ...]
    related: tuple[str, ...]
    vocabulary: Vocabulary
    subtopics: dict[str, tuple[str, ...]]


@cache
def topic_words() -> dict[str, TopicWords]:
    """All word lists by name, the general one last."""
    folder = files("lagotto.demo") / "words"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    lists = [_read(tomllib.loads((folder / name).read_text("utf-8"))) for name in names]
    lists.sort(key=lambda words: (words.name == GENERAL, words.name))
    return {words.name: words for words in lists}


@cache
def words_about(topic: str, subtopic: str) -> Vocabulary:
    """A topic's words, with more weight on those of a subtopic."""
    words = topic_words()[topic]
    own = words.subtopics.get(subtopic, ())
    return words.vocabulary._replace(things=own * 3 + words.vocabulary.things)


def _read(table: dict[str, object]) -> TopicWords:
    subtopics = table["subtopics"]
    assert isinstance(subtopics, dict)
    return TopicWords(
        name=str(table["name"]),
        size=float(str(table["size"])),
        query=str(table["query"]),
        hosts=_words(table["hosts"]),
        related=_words(table["related"]),
        vocabulary=Vocabulary(*(_words(table[part]) for part in Vocabulary._fields)),
        subtopics={name: _words(listed) for name, listed in subtopics.items()},
    )


def _words(listed: object) -> tuple[str, ...]:
    return tuple(word.strip() for word in str(listed).split(",") if word.strip())
