"""Bringing an index up to date with its crawl, from where it was left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

import msgspec

from lagotto.base.events import JudgedAgain, Marked, Revisited
from lagotto.base.protocols import Reader
from lagotto.base.records import Found
from lagotto.harvest.search.analysis import main_language
from lagotto.harvest.search.index import DamagedIndex, PageIndex, State, Writer, locked

COMMIT_EVERY = 20_000
"""Pages between two commits: a commit more makes a segment more, and segments are merged later."""
TELL_EVERY = 5000
"""Pages between two calls of `Progress`."""
EVENTS_UNCOMMITTED = 1000
"""Events that may be read again the next time, if they say nothing about pages in the index."""
_SAMPLE = 200
"""Pages by which the main language of a crawl is told."""
Progress = Callable[[int], None]
"""Is called with the number of pages taken in so far."""


def open_index(
    folder: Path, reader: Reader, *, rebuild: bool = False, progress: Progress | None = None
) -> tuple[PageIndex | None, str]:
    """The index of a crawl, made if need be; None if the crawl has no page yet.

    Also returns a sentence if an index was there and had to be made anew.
    """
    crawl = identity(reader)
    if not crawl:
        return None, ""
    index, why = (None, "") if rebuild else _usable(folder, crawl, reader)
    if index is not None:
        return index, ""
    with locked(folder, wait=True):
        if not rebuild:  # Another process may have made it while this one waited for the lock.
            index, why = _usable(folder, crawl, reader)
        if index is None:
            language = main_language(row.language for row in islice(reader.rows(), _SAMPLE))
            index = PageIndex.create(folder, crawl, language)
            _take_in(reader, index, progress)
    return index, f"the search index was made anew: {why}" if why else ""


def catch_up(reader: Reader, index: PageIndex, *, progress: Progress | None = None) -> bool:
    """Take in what has happened since; says whether the index is up to date now.

    It is not if another process writes to it just now.
    """
    index.reload()
    if reader.last_event() == index.state.event:
        return True
    with locked(index.folder, wait=False) as held:
        if held:
            index.reload()
            _take_in(reader, index, progress)
        return held


def identity(reader: Reader) -> str:
    """First page of a crawl and when it was fetched, which tell it from others; empty without a page."""
    first = next(reader.harvest(), None)
    if first is None:
        return ""
    [stored] = reader.pages_at([first[0]])
    return f"{stored.row.url} {reader.page_versions(stored.row.url)[0].fetched_at}"


def _usable(folder: Path, crawl: str, reader: Reader) -> tuple[PageIndex | None, str]:
    """The index in a folder if it can be used, else why it cannot; there is no reason if there is none."""
    if not (folder / "meta.json").exists():
        return None, ""
    try:
        index = PageIndex.open(folder)
    except DamagedIndex as damage:
        return None, f"the old one could not be read ({damage})"
    if index.state.crawl != crawl or index.state.event > reader.last_event():
        return None, "the old one was of another crawl"
    return index, ""


def _take_in(reader: Reader, index: PageIndex, progress: Progress | None) -> None:
    """Apply what happened to pages that are in the index, then add those that are not."""
    state, last = index.state, reader.last_event()
    with index.writing() as writer:
        # A new index holds no pages that could have changed.
        changed = _changed_pages(reader, state, last) if state.page else {}
        _put_again(reader, index, writer, changed)
        now = msgspec.structs.replace(state)
        count = 0
        for stored in reader.stored_pages(after=state.page, with_text=True):
            now.page = stored.row.seq
            if stored.is_page:
                index.judgements.set(now.page, stored.row.relevance, stored.row.relevant)
                writer.put(stored)
                count += 1
                if count % COMMIT_EVERY == 0:
                    writer.commit(msgspec.structs.replace(now))
                if count % TELL_EVERY == 0 and progress is not None:
                    progress(count)
        now.event = last  # Only now: an index with an older number goes on where this one was killed.
        if now.page > state.page or changed or last - state.event > EVENTS_UNCOMMITTED:
            writer.commit(now)


def _changed_pages(reader: Reader, state: State, last: int) -> dict[int, bool]:
    """Pages of the index that events up to a number are about -> whether they have another text."""
    changed: dict[int, bool] = {}
    after = state.event
    while after < last and (events := reader.events(after)):
        for event in events:
            match event:
                case JudgedAgain():
                    changed |= {page: changed.get(page, False) for page in event.pages}
                case Marked():
                    changed.setdefault(event.page, False)
                case Revisited() if event.found is Found.CHANGED:
                    changed[event.page] = True
        after = events[-1].n
    return {page: other_text for page, other_text in changed.items() if page <= state.page}


def _put_again(reader: Reader, index: PageIndex, writer: Writer, changed: Mapping[int, bool]) -> None:
    """Keep new judgements, and write again the pages whose text or verdict is another one."""
    again = []
    for stored in reader.pages_at(changed):
        row = stored.row
        other_verdict = index.judgements.set(row.seq, row.relevance, row.relevant)
        if changed[row.seq] or other_verdict:
            again.append(row.seq)
    for stored in reader.pages_at(again, with_text=True):
        writer.put(stored, again=True)
