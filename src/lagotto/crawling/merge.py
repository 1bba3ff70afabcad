"""Two crawls into one: every URL once, marks and verdicts kept, answers where the new crawl finds them."""

from __future__ import annotations

import shutil
from array import array
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from lagotto.base.batch import Batch, Mark, NewJudgement, Snapshot
from lagotto.base.errors import CrawlDirectoryError, InputError
from lagotto.base.protocols import Reader, Storage, Store
from lagotto.base.records import SEED_SCORE, Judgement, Lease, Link, NewLink, Outcome, Page, WarcPlace
from lagotto.base.urls import checksum, host_of
from lagotto.base.views import PageDetails, QueuedLink, StoredPage
from lagotto.crawling.config import Config
from lagotto.crawling.histories import history_of_page
from lagotto.crawling.opening import open_store
from lagotto.crawling.steering.effect import effect_at
from lagotto.store import storage_at
from lagotto.store.durable import rename

AT_ONCE = 200
"""URLs that are committed together."""
_T = TypeVar("_T")


class Merged(Struct):
    """What a merge has made."""

    directory: str
    pages: int
    """URLs that the new crawl has concluded."""
    both: int
    """Those that both crawls had concluded."""
    queued: int
    marks: int
    config: Config


async def merge_crawls(first: str | Path, second: str | Path, target: str | Path) -> Merged:
    """Make one crawl of two; topic, strategy, options and what was learned are those of the first.

    The new crawl is there wholly or not at all: it is made beside its place and moved there at the end.
    """
    sources = [storage_at(first), storage_at(second)]
    place, part = Path(target), Path(f"{target}.part")
    for source in sources:
        if source.folder is None:
            raise InputError(f"only crawl directories can be merged, not {source.location}")
        if source.running():
            raise InputError(f"the crawl in {source.location} runs; stop it before it is merged")
    if sources[0].folder == sources[1].folder:
        raise InputError(f"{first} cannot be merged with itself; name two crawls")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise CrawlDirectoryError(f"{place} exists already; choose another directory")
    shutil.rmtree(part, ignore_errors=True)
    try:
        merged = await _merge(sources, storage_at(part))
        if place.exists():
            place.rmdir()
        rename(part, place)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    merged.directory = str(place)
    return merged


async def _merge(sources: Sequence[Storage], target: Storage) -> Merged:
    configs = [effect_at(source).config for source in sources]
    seeds = list(dict.fromkeys([*configs[0].seeds, *configs[1].seeds]))
    config = msgspec.structs.replace(configs[0], seeds=seeds, seed_scores=[])
    async with AsyncExitStack() as closing:
        store, _ = await open_store(target, config, closing, resuming=False)
        readers = [closing.enter_context(source.reader()) for source in sources]
        both = await _Merging(store, readers, _copied_archives(sources, target)).run(config)
        status = store.reader().status()
        return Merged("", status.concluded, both, status.queued, len(store.reader().marks()), config)


def _copied_archives(sources: Sequence[Storage], target: Storage) -> list[dict[str, str]]:
    """Copy all WARC files; returns, for each crawl, name -> name in the new one."""
    assert target.folder is not None
    folder = target.folder / "warc"
    folder.mkdir(parents=True, exist_ok=True)
    names: list[dict[str, str]] = []
    count = 0
    for source in sources:
        assert source.folder is not None
        names.append({})
        for path in sorted((source.folder / "warc").glob("*.warc.gz")):
            names[-1][path.name] = f"lagotto-{count:05}.warc.gz"
            shutil.copyfile(path, folder / names[-1][path.name])
            count += 1
    return names


class _Merging:
    """Takes over what two crawls hold, in the order of their commits, the first crawl first."""

    def __init__(self, store: Store, readers: Sequence[Reader], archives: Sequence[dict[str, str]]) -> None:
        self._store = store
        self._readers = readers
        self._archives = archives
        self._numbers: dict[str, int] = {}
        """URL -> number of its page in the new crawl."""
        self._urls: dict[int, str] = {}
        """Checksum -> URL, of all URLs that the crawl at hand knows."""

    async def run(self, config: Config) -> int:
        """Take over everything; returns how many URLs both crawls had concluded."""
        chosen, both = self._chosen()
        for which, reader in enumerate(self._readers):
            self._urls = {checksum(row.url): row.url for row in reader.rows()}
            self._urls |= {checksum(each.link.url): each.link.url for each in reader.waiting_links()}
            mine = (page for page in reader.stored_pages(with_text=True) if chosen[page.row.url] == which)
            simhashes = {url: simhash for url, _, simhash, _ in reader.fetched()}
            targets = dict(reader.link_targets())
            for pages in _slices(mine):
                await self._take_pages(reader, which, pages, simhashes, targets, config)
            for waiting in _slices(reader.waiting_links()):
                await self._store.commit(Batch(seeds=[_lease(each.link) for each in waiting]))
        await self._take_marks()
        learned = self._readers[0].learned()
        snapshot = None if learned.state is None else Snapshot(learned.state, at_once=True)
        await self._store.commit(Batch(snapshot=snapshot))
        await self._store.commit(Batch(samples=learned.samples))
        return both

    def _chosen(self) -> tuple[dict[str, int], int]:
        """URL -> the crawl whose answer is taken: a page before a failure, and of two the newer one."""
        best: dict[str, tuple[tuple[bool, str], int]] = {}
        both = 0
        for which, reader in enumerate(self._readers):
            for stored in reader.stored_pages():
                rank = (stored.is_page, stored.row.fetched_at)
                other = best.get(stored.row.url)
                both += other is not None
                if other is None or rank > other[0]:
                    best[stored.row.url] = (rank, which)
        return {url: which for url, (_, which) in best.items()}, both

    async def _take_pages(
        self,
        reader: Reader,
        which: int,
        pages: Sequence[StoredPage],
        simhashes: dict[str, int],
        targets: dict[int, bytes],
        config: Config,
    ) -> None:
        outcomes, judgements, details = [], {}, {}
        for stored in pages:
            history, page = history_of_page(reader, stored.row.url)
            step = history.path[-1]
            parent = stored.row.parent
            link = QueuedLink(step.url, step.score, step.parts, parent, step.anchor, step.depth)
            outcome = self._outcome(_lease(link), page, stored, which)
            if outcome.page is not None:
                outcome.page.simhash = simhashes.get(step.url, 0)
                outcome.page.links = [Link("")] * page.links
                outcome.links = self._links(step.url, targets.get(page.number, b""))
            outcomes.append(outcome)
            details[step.url] = page
        await self._store.commit(Batch(seeds=[outcome.lease for outcome in outcomes]))
        done = await self._store.commit(Batch(outcomes=outcomes, content_seen=config.content_seen))
        for outcome in outcomes:
            number = self._numbers[outcome.lease.url] = done.pages[outcome.lease.id]
            page = details[outcome.lease.url]
            if page.relevance is not None and page.mark is None and outcome.lease.id not in done.duplicates:
                judgements[number] = NewJudgement(number, page.relevance, bool(page.relevant), page.judged)
        await self._store.commit(Batch(judgements=list(judgements.values()), model=1))

    def _outcome(self, lease: Lease, page: PageDetails, stored: StoredPage, which: int) -> Outcome:
        """What came of a URL, as it was first committed."""
        relevance = page.relevance_at_fetch
        return Outcome(
            lease=msgspec.structs.replace(lease, attempts=page.attempts),
            fetched_at=page.fetched_at,
            status=page.status,
            reason=page.reason,
            detail=page.detail,
            final_url=page.final_url,
            page=Page(
                page.final_url or lease.url,
                title=page.title,
                description=page.description,
                text=stored.row.text or "",
                language=page.language,
                encoding=page.encoding,
                fingerprint=_signed(page.fingerprint),
                facts=page.facts,
            )
            if page.fingerprint or page.relevance is not None
            else None,
            judgement=None
            if relevance is None
            else Judgement(relevance, bool(page.relevant_at_fetch), page.judged),
            left_out=page.left_out,
            near_duplicate_of=page.near_duplicate_of,
            warc=self._place(page.place, which),
            content_type=page.content_type,
            declared_type=page.declared_type,
            size=page.size,
            truncated=page.truncated,
            etag=page.etag,
            last_modified=page.last_modified,
            address=page.address,
        )

    def _place(self, place: WarcPlace | None, which: int) -> WarcPlace | None:
        if place is None or place.file not in self._archives[which]:
            return None
        return WarcPlace(self._archives[which][place.file], place.offset, place.length)

    def _links(self, parent: str, ids: bytes) -> list[NewLink]:
        """Links of a page; those not concluded come again with their own scores, as all waiting links do."""
        found = [self._urls[id] for id in array("q", ids) if id in self._urls]
        return [NewLink(checksum(url), url, host_of(url), -SEED_SCORE, [], 1, parent) for url in found]

    async def _take_marks(self) -> None:
        """The later mark of two counts."""
        marks = [mark for reader in self._readers for mark in reader.marks()]
        marks.sort(key=lambda mark: mark.at)
        await self._store.commit(Batch(marks=[Mark(each.url, each.on, each.who, each.at) for each in marks]))


def _lease(link: QueuedLink) -> Lease:
    return Lease(
        id=checksum(link.url),
        url=link.url,
        host=host_of(link.url),
        score=link.score,
        parts=link.parts,
        depth=link.depth,
        parent=link.parent,
        anchor=link.anchor,
    )


def _signed(fingerprint: str) -> int:
    value = int(fingerprint, 16) if fingerprint else 0
    return value - (1 << 64) if value >> 63 else value


def _slices(rows: Iterator[_T]) -> Iterator[list[_T]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some
