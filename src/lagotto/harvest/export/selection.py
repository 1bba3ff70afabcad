"""The pages that an export holds, in its order.

Pages are read one after the other. To sort them, a number and a key of each are kept in memory, and the pages
are read again in the order of the keys.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagotto.base.protocols import Reader
from lagotto.base.reasons import Reason
from lagotto.base.views import PageChoice, StoredPage
from lagotto.harvest.export.options import ExportOptions, opts_out, respected_uses


def selected(reader: Reader, options: ExportOptions, *, with_text: bool = False) -> Iterator[StoredPage]:
    """The wanted pages in the wanted order."""
    if options.sort == "fetch" and options.top is None:
        return _wanted(reader, options, with_text)
    return reader.pages_at(_ordered(reader, options), with_text=with_text)


def _wanted(reader: Reader, options: ExportOptions, with_text: bool) -> Iterator[StoredPage]:
    least = options.min_relevance if options.top is None else options.min_relevance or 0.0
    drop = options.near_duplicates == "drop"
    respected = respected_uses(options.respect)
    for stored in _read(reader, options, with_text):
        relevance = stored.row.relevance
        if least is not None and (relevance is None or relevance < least):
            continue
        if options.subtopic is not None and stored.row.seq not in options.subtopic:
            continue
        if drop and (stored.near_duplicate_of or stored.row.reason == Reason.DUPLICATE):
            continue
        if respected and opts_out(stored, respected):
            continue
        yield stored


def _read(reader: Reader, options: ExportOptions, with_text: bool) -> Iterator[StoredPage]:
    if options.numbers is None:
        yield from reader.stored_pages(with_text=with_text, relevant_only=options.relevant_only)
        return
    last = reader.chosen_pages(PageChoice(), limit=1).numbers
    there = [number for number in options.numbers if last and number <= last[0]]
    for stored in reader.pages_at(there, with_text=with_text):
        if stored.row.relevant or not options.relevant_only:
            yield stored


def _ordered(reader: Reader, options: ExportOptions) -> list[int]:
    """Numbers of the wanted pages in the wanted order; equal keys keep the order of the fetch."""
    hosts: dict[str, int] = {}
    keys = (
        (
            stored.row.seq,
            -1.0 if stored.row.relevance is None else stored.row.relevance,
            hosts.setdefault(stored.row.host, len(hosts)),
        )
        for stored in _wanted(reader, options, with_text=False)
    )
    found = np.fromiter(keys, [("number", np.int64), ("relevance", np.float64), ("host", np.int64)])
    if options.top is not None:
        best = np.argsort(-found["relevance"], kind="stable")[: options.top]
        found = found[np.sort(best)]
    if options.sort == "relevance":
        found = found[np.argsort(-found["relevance"], kind="stable")]
    elif options.sort == "host":
        rank = np.empty(len(hosts), np.int64)
        rank[[hosts[host] for host in sorted(hosts)]] = np.arange(len(hosts))
        found = found[np.argsort(rank[found["host"]], kind="stable")]
    numbers: list[int] = found["number"].tolist()
    return numbers
