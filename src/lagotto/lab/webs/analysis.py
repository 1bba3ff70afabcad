"""Analysing a frozen web: every page is parsed once, on all cores, and kept for any number of replays.

The analysis is itself a frozen web, whose bodies are parsed pages. It is used until the parsing code changes.
"""

from __future__ import annotations

import glob
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import as_completed
from functools import cache
from pathlib import Path

import msgspec
import xxhash

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.lab.experiments.processes import process_pool, usual_jobs
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.parsing import analyse
from lagotto.lab.webs.web import FrozenWeb, WebPage, input_errors

PACKAGE = Path(__file__).resolve().parents[2]
_CHUNK = 1 << 20


@cache
def source_hash(*modules: str) -> str:
    """Digest of the files of modules and packages of Lagotto, named such as `urls` or `lab.webs`."""
    places = (PACKAGE.joinpath(*name.split(".")) for name in modules)
    return _digest(place if place.is_dir() else place.with_suffix(".py") for place in places)


def class_hash(cls: type) -> str:
    """Digest of the package that a class comes from, or of its module if that is in no package."""
    place = _home(cls.__module__)
    return _digest([place] if place is not None else [])


def _digest(places: Iterable[Path]) -> str:
    hasher = xxhash.xxh3_64()
    for place in places:
        for file in _files(place):
            hasher.update(str(file.relative_to(place.parent)).encode())
            with file.open("rb") as opened:
                while chunk := opened.read(_CHUNK):
                    hasher.update(chunk)
    return hasher.hexdigest()


def _files(place: Path) -> list[Path]:
    """A file itself, or all files of a folder except compiled Python."""
    if not place.is_dir():
        return [place]
    found = (file for file in place.rglob("*") if "__pycache__" not in file.relative_to(place).parts)
    return sorted(file for file in found if file.is_file())


def _home(module: str) -> Path | None:
    """Folder of the outermost package of a module, or its own file if it is in no package."""
    names = module.split(".")
    for depth in range(1, len(names) + 1):
        # A namespace package has no file: other distributions may have a part of it.
        file = getattr(sys.modules.get(".".join(names[:depth])), "__file__", None)
        if file and (path := Path(file)).exists():
            return path.parent if path.stem == "__init__" else path
    return None


PAGE_TYPE = "application/x-lagotto-page"
PART = 250
"""Pages that a process parses before it writes them to disk."""
FRAME_BYTES = 16 << 10
"""Pages are read one at a time in random order, so a frame holds few of them."""

_encoder = msgspec.msgpack.Encoder()
_parts = msgspec.msgpack.Decoder(list[bytes])

Progress = Callable[[int, int], None]
"""Callback that receives the number of finished pages and of all pages."""


def analysis_of(
    web: FrozenWeb,
    folder: Path | None = None,
    phrases: tuple[str, ...] = (),
    *,
    jobs: int = 0,
    progress: Progress = lambda done, total: None,
) -> FrozenWeb:
    """The web's parsed pages, read from a file in `folder` (by default the web's own) or made now."""
    folder = folder or web.path.parent
    code = source_hash("base", "parse", "lab.webs.parsing", "lab.webs.spelling")
    spoken = xxhash.xxh3_64_hexdigest("\n".join(sorted(phrases)).encode())
    path = folder / f"{web.path.name}.{web.content_hash[:16]}.{code}.{spoken}.pages"
    if not path.exists():
        _remove_outdated(folder, web.path.name, code)
        _analyse_all(web, path, phrases, jobs or usual_jobs(), progress)
    return FrozenWeb.open(path)


def _remove_outdated(folder: Path, name: str, code: str) -> None:
    """Remove analyses, parts of them and link graphs that an older version of the code made."""
    for kind in ("pages", "parts", "links.npz"):
        for path in folder.glob(f"{glob.escape(name)}.*.*.*.{kind}"):
            if f".{code}." not in path.name:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


class OnDemand:
    """A web whose pages are analysed on demand, for a few crawls of a part of it."""

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
    """Parse every page; parts of an interrupted analysis are reused."""
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
            for body in _parts.decode(zstd.decompress(part.read_bytes())):
                writer.add(next(urls), body, PAGE_TYPE)
    for part in parts:
        part.unlink()
    parts[0].parent.rmdir()


_opened: tuple[FrozenWeb, tuple[str, ...]]


def _open(path: str, phrases: tuple[str, ...]) -> None:
    global _opened
    _opened = FrozenWeb.open(path), phrases


def _analyse_part(span: tuple[int, int], part: Path) -> int:
    """Parse some pages into a file, which is renamed when complete; returns their number."""
    web, phrases = _opened
    pages = []
    for url in web.urls()[slice(*span)]:
        page = web.page(url)
        if page is None:
            raise InputError(f"the frozen web lists {url} but does not hold it; make or import the web again")
        pages.append(_encoder.encode(analyse(web, page, phrases)))
    unfinished = part.with_name(f".{part.name}.{os.getpid()}")
    unfinished.write_bytes(zstd.compress(_encoder.encode(pages), level=1))
    unfinished.replace(part)
    return len(pages)
