"""Pages of the Web Content eXtraction Benchmark, and its metric."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean

import msgspec
from msgspec import Struct

from lagotto.base import zstd
from lagotto.lab.webs.importing import ZSTD_OPTIONS

words_of = re.compile(r"\w+").findall


class Page(Struct):
    """A page, and the text that annotators took for its main content."""

    id: str
    type: str
    html: str
    main: str


def path_of(data: Path) -> Path:
    """The file, below the folder of frozen webs and conformance cases."""
    return data / "conformance" / "extraction" / "wcxb-dev.jsonl.zst"


def read_wcxb(data: Path) -> Iterator[Page]:
    """All pages."""
    with zstd.ZstdFile(path_of(data), options=ZSTD_OPTIONS) as stream:
        for line in stream:
            yield msgspec.json.decode(line, type=Page)


def words(text: str) -> list[str]:
    """Words in lower case."""
    return words_of(text.lower())


def f1(found: str, wanted: str) -> float:
    """F1 over bags of words; an empty reference counts 1 for an empty extract."""
    ours, theirs = words(found), words(wanted)
    if not ours and not theirs:
        return 1.0
    return 2 * (Counter(ours) & Counter(theirs)).total() / (len(ours) + len(theirs))


def by_type(scores: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Mean score of each type, and of all pages under `mean`."""
    groups: dict[str, list[float]] = defaultdict(list)
    for kind, score in scores:
        groups[kind].append(score)
        groups["mean"].append(score)
    return {kind: mean(groups[kind]) for kind in sorted(groups)}


def report(scores: Iterable[tuple[str, float]]) -> str:
    """The mean scores in a line."""
    return " ".join(f"{kind} {score:.3f}" for kind, score in by_type(scores).items())
