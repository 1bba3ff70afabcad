"""From a visit to a known page to what it found."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from lagotto.base.errors import LostAnswer
from lagotto.base.protocols import Reader
from lagotto.base.records import Fetched, Found, Outcome, Page
from lagotto.base.views import PageDetails
from lagotto.crawling.histories import history_of_page
from lagotto.crawling.worker.conclude import Conclusions, Contents
from lagotto.crawling.worker.visit import Visit
from lagotto.fetch.client import REDIRECTS
from lagotto.store.warc.records import Original, payload_of

_words = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*").findall
_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_UNITS = "second minute hour day week month year"
_CLOCK = "am pm utc gmt cet cest est edt pst pdt ago now today yesterday just st nd rd th a an one sec min hr"
IGNORED = frozenset(
    [
        *_MONTHS.split(),
        *(name[:3] for name in (_MONTHS + " " + _WEEKDAYS).split()),
        *_WEEKDAYS.split(),
        *_UNITS.split(),
        *(f"{unit}s" for unit in _UNITS.split()),
        *_CLOCK.split(),
        "sept",
    ]
)
"""Words that do not count, besides those with a digit."""


def compared(text: str) -> list[str]:
    """The words of a text that count."""
    return [
        word for word in _words(text.casefold()) if word not in IGNORED and not any(map(str.isdecimal, word))
    ]


def has_changed(title: str, text: str | None, fingerprint: str, page: Page) -> bool:
    """Whether a page is another one now; `text` is None if the old one was not kept.

    Without the old text, or on a page that has hardly any words, the fingerprints decide.
    """
    before = compared(f"{title}\n{text}") if text is not None else []
    now = compared(f"{page.title}\n{page.text}")
    if text is None or not (before or now):
        return fingerprint != f"{page.fingerprint & (1 << 64) - 1:016x}"
    return before != now


GONE = frozenset({404, 410})
NOT_MODIFIED = 304


class Known:
    """What the store has of the pages under way."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._pages: dict[str, PageDetails] = {}

    def page(self, url: str) -> PageDetails:
        """The page as it is stored."""
        if url not in self._pages:
            _, self._pages[url] = history_of_page(self._reader, url)
        return self._pages[url]

    def changed(self, url: str, page: Page) -> bool:
        """Whether a page is another one than is stored."""
        old = self.page(url)
        return has_changed(old.title, self._reader.text(old.number), old.fingerprint, page)

    def original_of(self, fetched: Fetched) -> Original | None:
        """The stored answer that has the same body as this one, if it has."""
        page = self.page(fetched.url)
        same = fetched.status == NOT_MODIFIED
        if fetched.status == 200 and page.place is not None:
            try:
                same = self._reader.body(page.place).wire == payload_of(fetched)
            except LostAnswer:
                same = False
        return Original(fetched.url, page.fetched_at) if same else None

    def conditions(self, url: str) -> list[tuple[str, str]]:
        """Request headers that ask for a page only if it is not the one we have."""
        page = self.page(url)
        found = [("If-None-Match", page.etag)] if page.etag else []
        return [*found, ("If-Modified-Since", page.last_modified)] if page.last_modified else found

    def forget(self, url: str) -> None:
        """The visit is over."""
        self._pages.pop(url, None)


class Findings(Conclusions):
    """Concludes visits by the rules of a crawl, and says what each found; nothing is counted or learned."""

    def __init__(self, known: Known, **options: Any) -> None:
        super().__init__(content_seen=False, **options)
        self.known = known
        self._found: dict[int, Found] = {}

    def conclude(self, visit: Visit, contents: Contents) -> Outcome:
        """The outcome of a visit."""
        if isinstance(visit.answer, Fetched) and visit.answer.status == NOT_MODIFIED:
            outcome = Outcome(
                visit.lease, visit.answer.fetched_at, NOT_MODIFIED, address=visit.answer.address
            )
        else:
            outcome = super().conclude(visit, contents)
        outcome.sample = None
        outcome.links = [msgspec.structs.replace(link, held=False) for link in outcome.links]
        if outcome.judgement is not None:
            outcome.judgement = msgspec.structs.replace(outcome.judgement, shelf=None)
        if outcome.retry_at is None:
            self._found[outcome.lease.id] = self._look(outcome)
        return outcome

    def count(self, outcome: Outcome) -> None:
        """A page that was counted once is not counted again."""

    def found_of(self, outcome: Outcome) -> Found:
        """What the visit of an outcome found; asked once."""
        self.known.forget(outcome.lease.url)
        return self._found.pop(outcome.lease.id)

    def _look(self, outcome: Outcome) -> Found:
        if outcome.status == NOT_MODIFIED:
            return Found.SAME
        if outcome.status in GONE:
            return Found.GONE
        if outcome.status in REDIRECTS:
            return Found.MOVED
        if outcome.status != 200 or outcome.page is None:
            return Found.FAILED
        return Found.CHANGED if self.known.changed(outcome.lease.url, outcome.page) else Found.SAME
