"""Synchronous calls: revisit and diff."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct

from lagotto.base import notebook
from lagotto.base.errors import InputError
from lagotto.base.records import Found
from lagotto.base.urls import seed_url
from lagotto.base.views import PageVersion
from lagotto.crawling.revisit.session import Revisiting
from lagotto.store import storage_at


class RevisitResult(Struct):
    """What a round of visits found."""

    directory: str
    why: str
    visited: int
    same: int
    changed: int
    gone: int
    moved: int
    failed: int
    new_links: int
    """Links on changed pages that were not known before; `lagotto.resume` fetches them."""

    @classmethod
    def of(cls, revisiting: Revisiting) -> RevisitResult:
        """What a run found."""
        counts = {str(found): revisiting.found[found] for found in Found}
        return cls(
            directory=revisiting.location,
            why=revisiting.why,
            visited=revisiting.visited,
            new_links=revisiting.new_links,
            **counts,
        )

    def _repr_html_(self) -> str:
        names = ("visited", *Found)
        figures = [str(getattr(self, name)) for name in names]
        return f"<p>{escape(self.directory)}: {escape(self.why)}</p>{notebook.table(names, [figures])}"


class Difference(Struct):
    """Two versions of a page, and what changed from one to the other."""

    url: str
    versions: list[PageVersion]
    """All versions that are kept, oldest first."""
    lines: list[str]
    """Unified diff of title and text; empty if there is one version only."""

    def _repr_html_(self) -> str:
        lines = "\n".join(self.lines) or "there is one version only"
        return f"<p>{notebook.link(self.url, self.url)}</p><pre>{escape(lines)}</pre>"


async def visit_all(directory: str | Path, **options: Any) -> RevisitResult:
    """Visit pages of a crawl again; see `Revisiting` for the options."""
    async with Revisiting(directory, **options) as revisiting:
        await revisiting.run()
    return RevisitResult.of(revisiting)


def diff(directory: str | Path, url: str, *, old: int = -2, new: int = -1) -> Difference:
    """What changed on a page between two of its versions; by default the last two.

    Versions are counted from 0, or from the end as -1, -2 and so on.
    """
    wanted = seed_url(url)
    storage = storage_at(directory)
    with storage.reader() as reader:
        versions = reader.page_versions(wanted)
    if not versions:
        raise InputError(f"{wanted} is no page of the crawl in {storage.location}; see `lagotto status`")
    if len(versions) == 1 and (old, new) == (-2, -1):
        return Difference(wanted, versions, [])
    try:
        one, other = versions[old], versions[new]
    except IndexError:
        raise InputError(
            f"{wanted} has {len(versions)} versions, counted from 0; there is no version {old} or {new}"
        ) from None
    if one.text is None or other.text is None:
        raise InputError("the crawl keeps no texts (--no-keep-text), so versions cannot be compared")
    lines = difflib.unified_diff(_lines(one), _lines(other), _when(one), _when(other), lineterm="", n=1)
    return Difference(wanted, versions, list(lines))


def _lines(version: PageVersion) -> list[str]:
    return [version.title, *(version.text or "").splitlines()]


def _when(version: PageVersion) -> str:
    return datetime.fromtimestamp(version.fetched_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
