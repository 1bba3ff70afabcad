"""A folder that the `datasets` library loads: Parquet shards below `data/`, and the card `README.md`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import msgspec

from lagotto.base.protocols import Reader
from lagotto.base.text import base_language
from lagotto.base.views import StoredPage
from lagotto.crawling.rejudging import latest_judging
from lagotto.harvest.export.folder import yaml_scalar
from lagotto.harvest.export.options import ExportOptions, FactCounts, opts_out, respected_uses
from lagotto.harvest.export.pages import page_lines, table_columns
from lagotto.harvest.export.selection import selected
from lagotto.harvest.export.tables import Table, write_parquet

MOST = 20
"""Rows of a table at most; the rest is counted together."""
_SIZES = {"n<1K": 10**3, "1K<n<10K": 10**4, "10K<n<100K": 10**5, "100K<n<1M": 10**6, "1M<n<10M": 10**7}
_CONFIGS = """configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*.parquet"""
_RIGHTS = """## Licences and opt-outs

The pages belong to their authors. A licence is given as the page states it; where none is stated, assume
that all rights are reserved."""
_special = re.compile(r"([\\`*_\[\]<>#|])").sub


class Card:
    """Counts the pages of a dataset and describes them."""

    def __init__(self, options: ExportOptions) -> None:
        self._options = options
        self._licenses: Counter[str] = Counter()
        self._hosts: Counter[str] = Counter()
        self._languages: Counter[str] = Counter()
        self._pages = self._relevant = 0
        self._first = self._last = ""

    def add(self, stored: StoredPage) -> None:
        """Count one page."""
        row = stored.row
        self._pages += 1
        self._relevant += bool(row.relevant)
        self._licenses[row.license] += 1
        self._hosts[row.host] += 1
        self._languages[base_language(row.language)] += 1
        self._first = min(self._first or row.fetched_at, row.fetched_at)
        self._last = max(self._last, row.fetched_at)

    def text(self, reader: Reader, rows: int, columns: Iterable[str]) -> str:
        """The card, with what all pages of the crawl say about opt-outs."""
        topic = _plain(self._options.topic)
        chunked = self._options.chunks is not None
        what = f"{_counted(rows, 'chunk')} of pages" if chunked else _counted(rows, "page")
        when = f" between {self._first[:10]} and {self._last[:10]}" if self._pages else ""
        crawler = f"Lagotto {version('lagotto')}, a focused web crawler"
        parts = [
            self._front_matter(rows),
            f"# Web pages: {topic}",
            f"{what} from {_counted(len(self._hosts), 'host')}, fetched{when} by {crawler}. It looked for: "
            f"{topic}. {self._relevant:,} of {self._pages:,} pages were judged to be on topic. Each row has "
            f"the address of its page.{_how_sure(reader)}",
            f"Columns: {', '.join(f'`{name}`' for name in columns)}.",
            _table("Languages", "language", self._languages, "unknown"),
            _table("Hosts", "host", self._hosts, "unknown"),
            _RIGHTS,
            _table("", "licence", self._licenses, "none stated"),
            *self._opt_outs(reader),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _front_matter(self, rows: int) -> str:
        """What the `datasets` library and its hub read."""
        size = next((name for name, limit in _SIZES.items() if rows < limit), "n>10M")
        languages = sorted(filter(None, self._languages))
        lines = [
            "---",
            f"pretty_name: {yaml_scalar(f'Web pages: {self._options.topic}')}",
            *(["language:", *(f"- {yaml_scalar(language)}" for language in languages)] if languages else []),
            "license: other",
            f"size_categories:\n- {size}",
            "tags:\n- web\n- focused-crawl\n- lagotto",
            _CONFIGS,
            "---",
        ]
        return "\n".join(lines)

    def _opt_outs(self, reader: Reader) -> list[str]:
        """Signals on all pages of the crawl, and how many pages were left out for them."""
        uses = respected_uses(self._options.respect)
        counts, left_out = FactCounts(), 0
        for stored in reader.stored_pages():
            if stored.is_page:
                counts.add(stored)
                left_out += opts_out(stored, uses)
        if not counts.opt_outs:
            return [f"None of the {counts.pages:,} pages of the crawl was found to opt out of a use."]
        named = {f"{use} ({source})": count for (use, source), count in counts.opt_outs.most_common()}
        respected = ", ".join(sorted(uses)) or "none"
        return [
            f"Opt-out signals were found on pages of the crawl. Respected here: {respected}; {left_out:,} of "
            f"{counts.pages:,} pages were left out for that.",
            _table("", "signal", Counter(named), ""),
        ]


def _how_sure(reader: Reader) -> str:
    """Precision, recall and the cut of the verdicts, where all pages were judged again."""
    judging = latest_judging(reader)
    return "" if judging is None else f" When all pages were judged, it was said: {judging.sentence()}."


def _table(title: str, name: str, counts: Mapping[str, int], empty: str) -> str:
    """Counts as a table, most first; `empty` stands for an empty name."""
    if not counts:
        return ""
    rows = Counter(counts).most_common()
    shown = [(_plain(value) or empty, count) for value, count in rows[:MOST]]
    if rest := rows[MOST:]:
        shown.append((_counted(len(rest), "other"), sum(count for _, count in rest)))
    lines = [f"| {name} | pages |", "|---|---:|", *(f"| {value} | {count:,} |" for value, count in shown)]
    return (f"## {title}\n\n" if title else "") + "\n".join(lines)


def _counted(count: int, thing: str) -> str:
    """A number of things, in words.

    >>> _counted(1, "host"), _counted(1200, "host")
    ('1 host', '1,200 hosts')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _special(r"\\\1", " ".join(text.split()))


ROWS = 100_000
CHARACTERS = 500_000_000
"""A shard ends when it has this many rows, or this many characters."""


def write_dataset(reader: Reader, folder: Path, options: ExportOptions) -> int:
    """Write shards and card; returns how many rows there are. URLs without a page are left out.

    A row has the text of its page, or is a chunk of it.
    """
    options = msgspec.structs.replace(options, with_text=options.chunks is None)
    card = Card(options)
    lines = page_lines(reader, options, _pages(reader, options, card))
    columns = table_columns(options)
    (folder / "data").mkdir()
    count = 0
    for number, shard in enumerate(_shards(lines)):
        with (folder / "data" / f"train-{number:05}.parquet").open("wb") as stream:
            count += write_parquet(Table(columns, shard), stream)
    (folder / "README.md").write_text(card.text(reader, count, columns), "utf-8")
    return count


def _pages(reader: Reader, options: ExportOptions, card: Card) -> Iterator[StoredPage]:
    """The wanted pages; the card counts them on their way."""
    for stored in selected(reader, options, with_text=True):
        if stored.is_page:
            card.add(stored)
            yield stored


def _shards(lines: Iterator[Sequence[object]]) -> Iterator[Iterator[Sequence[object]]]:
    """The lines of one shard after the other, at least of one; each must be read before the next."""
    first = next(lines, None)
    yield _shard([] if first is None else [first], lines)
    while (first := next(lines, None)) is not None:
        yield _shard([first], lines)


def _shard(first: list[Sequence[object]], lines: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    characters = 0
    for rows, line in enumerate(chain(first, lines), 1):
        yield line
        characters += sum(len(value) for value in line if isinstance(value, str))
        if rows == ROWS or characters >= CHARACTERS:
            return
