"""Analysing a frozen web: every page parsed once, by all cores, and kept for any number of replays.

The analysis is itself a frozen web, whose bodies are parsed pages. A frozen web ends somewhere, and a link
that leads out of it says nothing about a strategy: only links to pages of the web are kept, each under the
one spelling that the web counts its page by, redirects followed. So a replay meets every page once, and
never an error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path

import msgspec
import xxhash
import zstandard

from lagotto.lab.freezing import WebWriter
from lagotto.lab.processes import process_pool, usual_jobs
from lagotto.lab.sources import source_hash
from lagotto.lab.spelling import plain_links
from lagotto.lab.web import FrozenWeb, WebPage, input_errors
from lagotto.parse.page import parse_page
from lagotto.records import Link, Page

PAGE_TYPE = "application/x-lagotto-page"
PART = 250
"""Pages that a process parses before it puts them on disk."""
MAX_HOPS = 10
FRAME_BYTES = 16 << 10
"""Pages are read one at a time in no order, so a frame holds few of them."""

_encoder = msgspec.msgpack.Encoder()
_parts = msgspec.msgpack.Decoder(list[bytes])

Progress = Callable[[int, int], None]
"""Told how many of how many are done."""


def analysis_of(
    web: FrozenWeb,
    folder: Path | None = None,
    phrases: tuple[str, ...] = (),
    *,
    jobs: int = 0,
    progress: Progress = lambda done, total: None,
) -> FrozenWeb:
    """The web's parsed pages, from a file in the folder (the web's own unless given), made if need be."""
    folder = folder or web.path.parent
    code = source_hash("errors", "records", "urls", "text", "parse", "lab.analysis", "lab.spelling")
    spoken = xxhash.xxh3_64_hexdigest("\n".join(sorted(phrases)).encode())
    path = folder / f"{web.path.name}.{web.content_hash[:16]}.{code}.{spoken}.pages"
    if not path.exists():
        for outdated in set(folder.glob(f"{web.path.name}.*.pages")) - set(folder.glob(f"*.{code}.*.pages")):
            outdated.unlink()
        _analyse_all(web, path, phrases, jobs or usual_jobs(), progress)
    return FrozenWeb.open(path)


class OnDemand:
    """A web that is analysed page by page as it is asked for, when a few crawls do not pay for all of it."""

    def __init__(self, web: FrozenWeb, phrases: tuple[str, ...] = ()) -> None:
        self.web = web
        self.phrases = phrases
        self._analysed: dict[str, WebPage] = {}

    def page(self, url: str) -> WebPage | None:
        """The page's analysis."""
        if url not in self._analysed:
            page = self.web.page(url)
            if page is None:
                return None
            body = _encoder.encode(analyse(self.web, page, self.phrases))
            self._analysed[url] = WebPage(page.url, body, PAGE_TYPE)
        return self._analysed[url]


def analyse(web: FrozenWeb, page: WebPage, phrases: tuple[str, ...] = ()) -> Page:
    """A page as a crawl would parse it, its links as the web knows them, robots directives aside."""
    parsed = parse_page(page.url, plain_links(page.body), page.content_type, phrases=phrases)
    links: dict[str, Link] = {}
    for link in [*parsed.links, *([Link(parsed.refresh)] if parsed.refresh else [])]:
        target = _target(web, link.url)
        if target is not None and target != page.url:
            link.url = target
            links.setdefault(target, link)
    parsed.links = list(links.values())
    parsed.refresh = ""
    parsed.noindex = parsed.nofollow = False
    return parsed


def _target(web: FrozenWeb, url: str) -> str | None:
    """The page that a link leads to in the end, None when it leads out of the web."""
    for _ in range(MAX_HOPS):
        page = web.resolve(url)
        if page is not None:
            return page
        redirect = web.redirect(url)
        if redirect is None:
            return None
        url = redirect
    return None


def _analyse_all(web: FrozenWeb, path: Path, phrases: tuple[str, ...], jobs: int, progress: Progress) -> None:
    """Parse every page; parts that an earlier, interrupted analysis has left are taken over."""
    folder = path.with_suffix(".parts")
    with input_errors(f"cannot write the analysis of {web.path}"):
        folder.mkdir(parents=True, exist_ok=True)
    spans = [(start, min(start + PART, len(web))) for start in range(0, len(web), PART)]
    parts = {span: folder / f"{span[0]:07}-{span[1]:07}" for span in spans}
    missing = {span: part for span, part in parts.items() if not part.exists()}
    done = len(web) - sum(end - start for start, end in missing)
    progress(done, len(web))
    with process_pool(jobs, _open, str(web.path), phrases) as pool:
        for finished in as_completed([pool.submit(_analyse_part, *task) for task in missing.items()]):
            done += finished.result()
            progress(done, len(web))
    _join(web, list(parts.values()), path)


def _join(web: FrozenWeb, parts: list[Path], path: Path) -> None:
    urls = iter(web.urls())
    with WebWriter(path, FRAME_BYTES) as writer:
        for part in parts:
            for body in _parts.decode(zstandard.decompress(part.read_bytes())):
                writer.add(next(urls), body, PAGE_TYPE)
    for part in parts:
        part.unlink()
    parts[0].parent.rmdir()


_opened: tuple[FrozenWeb, tuple[str, ...]]


def _open(path: str, phrases: tuple[str, ...]) -> None:
    global _opened
    _opened = FrozenWeb.open(path), phrases


def _analyse_part(span: tuple[int, int], part: Path) -> int:
    """Parse some pages into a file of their own, put in place when it is whole; returns how many."""
    web, phrases = _opened
    pages = []
    for url in web.urls()[slice(*span)]:
        page = web.page(url)
        assert page is not None, url
        pages.append(_encoder.encode(analyse(web, page, phrases)))
    unfinished = part.with_name(f".{part.name}.{os.getpid()}")
    unfinished.write_bytes(zstandard.compress(_encoder.encode(pages), 1))
    unfinished.replace(part)
    return len(pages)
