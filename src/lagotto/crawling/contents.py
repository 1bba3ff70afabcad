"""Tests whether the contents of a batch were seen before, in the store or earlier in the batch."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.batch import Content, Seen
from lagotto.crawling.visit import Visit
from lagotto.protocols import Store
from lagotto.records import Page

_NOTHING = Seen()


class Contents:
    """Contents of one batch of visits that were seen before; made by `look_up`."""

    def __init__(self, seen: dict[int, Seen] | None = None) -> None:
        self._seen = seen or {}
        self._first: dict[int, str] = {}
        """Fingerprint -> URL of the first page of this batch that has it."""

    def same_as(self, page: Page, url: str) -> str:
        """URL of another page with the same content, empty if this is the first."""
        if not page.fingerprint:
            return ""
        same = self._first.get(page.fingerprint) or self._seen.get(id(page), _NOTHING).same_as
        if same and same != url:
            return same
        self._first[page.fingerprint] = url
        return ""

    def near(self, page: Page) -> str:
        """URL of a committed page with nearly the same content, empty if there is none."""
        return self._seen.get(id(page), _NOTHING).near


async def look_up(store: Store, visits: Sequence[Visit]) -> Contents:
    """Ask the store for the contents of all pages of a batch in one call."""
    pages = [visit.page for visit in visits if isinstance(visit.page, Page) and not visit.page.noindex]
    if not pages:
        return Contents()
    seen = await store.seen([Content(page.fingerprint, page.simhash) for page in pages])
    return Contents({id(page): each for page, each in zip(pages, seen, strict=True)})
