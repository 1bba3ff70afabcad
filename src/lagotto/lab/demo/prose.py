"""English sentences, paragraphs and titles made from word lists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random
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
    folder = files("lagotto.lab.demo") / "words"
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


SENTENCES = """
The {quality} {thing} {does} the {thing} in the {place}.
Most {persons} {do} {things} before they {do} the {thing}.
{Things} {move} when the {thing} {moves}.
There is always some {stuff} on the {thing}, and more of it in the {place}.
A {person} from the {place} told us that {things} {move} better near {stuff}.
If the {stuff} is {quality}, the {thing} {moves} sooner than you think.
Nobody should {do} a {thing} without a {quality} {thing} at hand.
In the {place}, {quality} {things} and {things} {move} side by side.
How a {person} {does} the {thing} depends on the {stuff}.
It takes {number} {things} to {do} one {quality} {thing}.
After {number} years the {persons} still {do} every {thing} by hand.
We went to the {place} to {do} the {thing}, and found {number} {quality} {things} instead.
The {thing} is {quality}, the {thing} rather {quality}, and both belong in the {place}.
What {does} a {thing}? Above all {stuff}, and then a {quality} {thing}.
Some {persons} prefer the {thing} to the {thing}, because it {moves} less.
Look at the {thing} from the {place} and you will see how {quality} it is.
A good {thing} {moves} slowly; a {quality} one hardly {moves} at all.
The {person} {does} {things} all year, but the {thing} only in {month}.
Between the {place} and the {place} there are {number} {things}.
Without {stuff} there would be no {quality} {things}.
Last {month} a {person} wrote to us about a {quality} {thing} and its {stuff}.
You can {do} the {thing} first and {do} the {quality} {thing} later.
Of all {things} the {quality} {thing} is the one that {persons} talk about.
They say that {stuff} and {stuff} do not mix, yet every {thing} has both.
Each {thing} has its own {thing}, as any {person} knows.
When {things} {move}, {persons} {do} them at once.
The old {place} was full of {things}, most of them {quality}.
Whether to {do} or to {do} a {thing} is a question for {persons} with time.
""".strip().splitlines()

TITLES = """
{Quality} {things} of the {place}
How to {do} a {thing}
{Thing} and {thing}: notes of a {person}
The {quality} {thing}
{Number} {things} that every {person} should {do}
{Stuff} for {things}
A year with the {thing}
Why {things} {move}
From {thing} to {thing}
The {thing} in the {place}
On {quality} {things}
Letters from the {place}
First steps with the {thing}
The {person} and the {thing}
{Things} by the {place}
""".strip().splitlines()

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
NUMBERS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "twenty", "thirty", "forty",
)  # fmt: skip
PLURALS = {
    "loaf": "loaves", "leaf": "leaves", "goose": "geese", "fish": "fish", "species": "species",
    "half": "halves", "calf": "calves", "foot": "feet", "larva": "larvae", "fungus": "fungi",
    "nebula": "nebulae", "nucleus": "nuclei", "person": "people", "sheep": "sheep",
}  # fmt: skip
_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU])")
_PARTS = {
    "person": "people", "persons": "people", "place": "places", "stuff": "stuff", "thing": "things",
    "things": "things", "quality": "qualities", "do": "actions", "does": "actions", "move": "motions",
    "moves": "motions",
}  # fmt: skip


def plural(noun: str) -> str:
    """Plural of an English noun; in `pair of shears`, of the first word.

    >>> plural("finch"), plural("berry"), plural("pair of binoculars")
    ('finches', 'berries', 'pairs of binoculars')
    """
    head, of, rest = noun.partition(" of ")
    before, space, last = head.rpartition(" ")
    ending = PLURALS.get(last) or _with_s(last)
    return before + space + ending + of + rest


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _third_person(verb: str) -> str:
    first, space, rest = verb.partition(" ")
    return _with_s(first) + space + rest


def pick(draw: Random, words: Sequence[str]) -> str:
    """A random word; four times as fast as `Random.choice`, and uniform enough for short lists."""
    return words[int(draw.random() * len(words))]


def write(draw: Random, template: str, vocabulary: Vocabulary) -> str:
    """Fill a template's slots with words."""
    text = _SLOT.sub(lambda slot: _word(draw, slot[1], vocabulary), template)
    return _ARTICLE.sub(r"\1n ", text)


def _word(draw: Random, slot: str, vocabulary: Vocabulary) -> str:
    name = slot.lower()
    if name == "number":
        word = pick(draw, NUMBERS)
    elif name == "month":
        word = pick(draw, MONTHS)
    else:
        word = pick(draw, getattr(vocabulary, _PARTS[name]))
        if name in ("things", "persons"):
            word = plural(word)
        elif name in ("does", "moves"):
            word = _third_person(word)
    return word[0].upper() + word[1:] if slot[0].isupper() else word


def title(draw: Random, vocabulary: Vocabulary) -> str:
    """A page's title."""
    return write(draw, pick(draw, TITLES), vocabulary)


def sentence(draw: Random, vocabulary: Vocabulary) -> str:
    """One sentence."""
    return write(draw, pick(draw, SENTENCES), vocabulary)


def paragraph(draw: Random, voices: Sequence[Vocabulary], weights: Sequence[float]) -> str:
    """A few sentences of various forms."""
    spoken = draw.choices(voices, weights, k=draw.randint(3, 6))
    return " ".join(sentence(draw, voice) for voice in spoken)
