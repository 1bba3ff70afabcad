"""A web small enough to check by hand: two topics, three hosts, a redirect, links that lead nowhere."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

from lagotto.lab.webs.freezing import WebWriter

WORDS = {
    "truffles": "truffle dog forest mushroom oak hunt",
    "chess": "chess king queen pawn opening endgame",
    "": "weather bus town street shop letter",
}
SIZE = 120
TOPICS = {
    "truffles": {"words": "truffle forest mushroom", "seeds": []},
    "chess": {"words": "chess king queen", "seeds": ["https://two.example/page/1"]},
}


class Small(NamedTuple):
    """The web's file and what editors said of it."""

    folder: Path
    web: Path
    labels: Path
    topics: Path
    relevant: dict[str, frozenset[str]]


def topic_of(number: int) -> str:
    return "truffles" if number % 3 == 0 else "chess" if number % 3 == 1 else ""


def url_of(number: int) -> str:
    host = ("one", "two", "three")[number % 3 if number % 7 else 2]
    return f"http://{host}.example/page/{number}"


def make_small(folder: Path, topics: dict[str, object] | None = None, extra_labels: str = "") -> Small:
    """Write web, labels and topics into a folder."""
    dice = random.Random(5)
    web = folder / "small.web"
    with WebWriter(web) as writer:
        for number in range(SIZE):
            writer.add(url_of(number), _page(number, dice).encode())
        writer.add_redirect("http://one.example/old", url_of(0))
    relevant = {
        topic: frozenset(url_of(number) for number in range(SIZE) if topic_of(number) == topic)
        for topic in ("truffles", "chess")
    }
    labels = folder / "labels.csv"
    rows = [f"{url},{topic}\n" for topic, urls in relevant.items() for url in sorted(urls)]
    labels.write_text("url,topic\n" + "".join(rows) + extra_labels)
    given = topics or {**TOPICS, "truffles": {**TOPICS["truffles"], "seeds": [url_of(3)]}}
    (folder / "topics.json").write_text(json.dumps(given))
    return Small(folder, web, labels, folder / "topics.json", relevant)


def _page(number: int, dice: random.Random) -> str:
    topic = topic_of(number)
    alike = [other for other in range(SIZE) if topic_of(other) == topic]
    targets = dict.fromkeys([(number + 1) % SIZE, *dice.sample(alike, 3), *dice.sample(range(SIZE), 2)])
    links = "".join(
        f'<li><a href="{url_of(target)}">about {WORDS[topic_of(target)].split()[target % 6]}</a></li>'
        for target in targets
    )
    text = " ".join(dice.choices(WORDS[topic].split() + WORDS[""].split()[:2], k=60))
    title = f"{WORDS[topic].split()[0]} {number}"
    return (
        f"<html lang=en><head><title>{title}</title></head><body><p>{text} {number}</p>"
        f'<ul>{links}</ul><a href="http://one.example/old">old</a><a href="http://elsewhere.example/">away</a></body></html>'
    )
