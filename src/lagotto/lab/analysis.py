"""Analysing a frozen web: every page parsed once, by all cores, and kept for any number of replays.

The analysis is itself a frozen web, whose bodies are parsed pages. It is used as long as the code that parses
stays the same.
"""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path

import msgspec
import xxhash
import zstandard

from lagotto.lab.freezing import WebWriter
from lagotto.lab.parsing import analyse
from lagotto.lab.processes import process_pool, usual_jobs
from lagotto.lab.sources import source_hash
from lagotto.lab.web import FrozenWeb, WebPage, input_errors

PAGE_TYPE = "application/x-lagotto-page"
PART = 250
"""Pages that a process parses before it puts them on disk."""
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
    code = source_hash("errors", "records", "urls", "text", "parse", "lab.parsing", "lab.spelling")
    spoken = xxhash.xxh3_64_hexdigest("\n".join(sorted(phrases)).encode())
    path = folder / f"{web.path.name}.{web.content_hash[:16]}.{code}.{spoken}.pages"
    if not path.exists():
        _remove_outdated(folder, web.path.name, code)
        _analyse_all(web, path, phrases, jobs or usual_jobs(), progress)
    return FrozenWeb.open(path)


def _remove_outdated(folder: Path, name: str, code: str) -> None:
    """Remove what other code has made of the web: analyses, parts of them, and link graphs."""
    for kind in ("pages", "parts", "links.npz"):
        for path in folder.glob(f"{glob.escape(name)}.*.*.*.{kind}"):
            if f".{code}." not in path.name:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


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
