"""Labels and topics of a frozen web: which pages editors assigned to which topics.

Nothing here is ever given to a strategy, except to the oracle, which is a bound and not a crawler.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.lab.webs.web import FrozenWeb


class LabTopic(Struct, forbid_unknown_fields=True):
    """What a user would give: words and URLs to start from."""

    words: str
    seeds: list[str] = []
    language: str = "en"
    """Language of the words."""


class Labels(Struct):
    """Topic -> URLs of its pages, each under the one spelling the web counts it by."""

    pages: dict[str, frozenset[str]]
    unknown: int = 0
    """Labels whose URL the web does not hold."""

    def of(self, topic: str) -> frozenset[str]:
        """Pages of one topic."""
        if not self.pages:
            raise InputError(
                f"none of the {self.unknown} labelled URLs is a page of this web; "
                "labels and web must belong together"
            )
        if topic not in self.pages:
            raise InputError(
                f"no page is labelled '{topic}'; the labels have: {', '.join(sorted(self.pages)[:20])}"
            )
        return self.pages[topic]


def read_all_labels(paths: Iterable[Path], web: FrozenWeb) -> Labels:
    """The labels of several files together."""
    pages: dict[str, frozenset[str]] = {}
    unknown = 0
    for path in paths:
        labels = read_labels(path, web)
        unknown += labels.unknown
        for topic, urls in labels.pages.items():
            pages[topic] = pages.get(topic, frozenset()) | urls
    return Labels(pages, unknown)


def read_all_topics(paths: Iterable[Path]) -> dict[str, LabTopic]:
    """The topics of several files together."""
    found: dict[str, LabTopic] = {}
    for path in paths:
        for name, topic in read_topics(path).items():
            if name in found:
                raise InputError(f"the topic '{name}' is in {path} and in another file; give it once")
            found[name] = topic
    return found


def read_labels(path: Path, web: FrozenWeb) -> Labels:
    """Read a CSV file with the columns url and topic."""
    pages: defaultdict[str, set[str]] = defaultdict(set)
    unknown = 0
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if not {"url", "topic"} <= set(rows.fieldnames or ()):
                raise InputError(f"{path} needs the columns url and topic in its first line")
            for row in rows:
                url = web.resolve(row["url"] or "")
                if url is None:
                    unknown += 1
                elif row["topic"]:
                    pages[row["topic"]].add(url)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read the labels {path}: {error}") from None
    return Labels({topic: frozenset(urls) for topic, urls in pages.items()}, unknown)


def read_topics(path: Path) -> dict[str, LabTopic]:
    """Read a JSON file, topic -> {"words", "seeds"}."""
    try:
        topics = msgspec.json.decode(path.read_bytes(), type=dict[str, LabTopic])
    except OSError as error:
        raise InputError(f"cannot read the topics {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise InputError(
            f'{path} is not a file of topics ({{"name": {{"words", "seeds"}}}}): {error}'
        ) from None
    if not topics:
        raise InputError(f"{path} holds no topic")
    return topics
