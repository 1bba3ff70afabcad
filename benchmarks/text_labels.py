"""Labelled pages of the frozen webs: snippets that belong to the main content, and snippets that do not.

`text_labels.jsonl` was made by reading the pages. The pages themselves are found in the frozen webs by URL.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base import zstd
from lagotto.lab.webs.importing import ZSTD_OPTIONS

FILE = Path(__file__).with_name("text_labels.jsonl")


class Label(Struct, rename={"inside": "in", "outside": "out"}):
    """What was seen on one page."""

    web: str
    url: str
    inside: list[str]
    """Snippets of the main content."""
    outside: list[str]
    """Snippets of menus, footers and the like."""
    later: bool = False
    """Whether it was labelled after the rules had been made, which are not fitted to it."""


class Page(Struct):
    """A line of a frozen web."""

    url: str
    html: str


class Scores(Struct):
    """How many snippets an extraction kept, over all pages."""

    kept: int = 0
    lost: int = 0
    kept_outside: int = 0

    @property
    def precision(self) -> float:
        """Share of the kept snippets that belong to the content."""
        return self.kept / ((self.kept + self.kept_outside) or 1)

    @property
    def recall(self) -> float:
        """Share of the content's snippets that were kept."""
        return self.kept / ((self.kept + self.lost) or 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / ((self.precision + self.recall) or 1)


def read_labels() -> list[Label]:
    """All labels."""
    lines = FILE.read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Label) for line in lines]


def read_pages(folder: Path, labels: list[Label]) -> dict[str, str]:
    """HTML of the labelled pages, by URL; `folder` holds the frozen webs."""
    found: dict[str, str] = {}
    for web in dict.fromkeys(label.web for label in labels):
        wanted = {label.url for label in labels if label.web == web}
        with zstd.ZstdFile(folder / web / "pages.jsonl.zst", options=ZSTD_OPTIONS) as stream:
            for line in stream:
                # The URL comes first, so that other pages need not be decoded.
                if line.split(b'"', 4)[3].decode() in wanted:
                    page = msgspec.json.decode(line, type=Page)
                    found[page.url] = page.html
                    wanted.remove(page.url)
                    if not wanted:
                        break
    return found


def scores_of(extract: Callable[[str, str], str], labels: list[Label], pages: dict[str, str]) -> Scores:
    """Scores of an extraction, a function of HTML and URL; white space does not count."""
    scores = Scores()
    for label in labels:
        text = _squeezed(extract(pages[label.url], label.url))
        inside = sum(_squeezed(snippet) in text for snippet in label.inside)
        scores.kept += inside
        scores.lost += len(label.inside) - inside
        scores.kept_outside += sum(_squeezed(snippet) in text for snippet in label.outside)
    return scores


def _squeezed(text: str) -> str:
    return "".join(text.split())
