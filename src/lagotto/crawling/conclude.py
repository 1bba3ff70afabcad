"""From a visit to its outcome: retries, redirects, duplicates, and the step for a real page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import msgspec

from lagotto.crawling.step import Watch, take_step
from lagotto.crawling.visit import Visit, is_sitemap
from lagotto.fetch import read_sitemap
from lagotto.frontier.scope import Scope
from lagotto.records import Failure, Fetched, Lease, Link, NewLink, Outcome, Page, Reason
from lagotto.seams import Store
from lagotto.strategies.base import Strategy
from lagotto.urls import canonical, checksum, host_of

MAX_HOPS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})
THROTTLING = frozenset({429, 503})


class Conclusions:
    """Makes outcomes of visits, one after the other, in the order they are to be committed."""

    def __init__(
        self,
        *,
        store: Store,
        strategy: Strategy,
        scope: Scope,
        wall: Callable[[], float],
        retries: int = 2,
        retry_wait: float = 5.0,
        obey_nofollow: bool = False,
        content_seen: bool = True,
        watch: Watch | None = None,
    ) -> None:
        self.store = store
        self.strategy = strategy
        self.scope = scope
        self.wall = wall
        self.retries = retries
        self.retry_wait = retry_wait
        self.obey_nofollow = obey_nofollow
        self.content_seen = content_seen
        self.watch = watch
        self.left_out: Counter[str] = Counter()

    def conclude(self, visit: Visit, pending: dict[int, str]) -> Outcome:
        """The outcome of a visit; `pending` holds fingerprints of pages about to be committed."""
        answer = visit.answer
        if isinstance(answer, Failure):
            return self._failed(visit.lease, answer)
        outcome = Outcome(
            lease=visit.lease,
            fetched_at=answer.fetched_at,
            status=answer.status,
            final_url=answer.url,
            content_type=answer.content_type,
            declared_type=answer.declared_type,
            size=len(answer.body),
            truncated=answer.truncated,
            etag=answer.etag,
            last_modified=answer.last_modified,
            address=answer.address,
        )
        if answer.status in _REDIRECTS:
            self._redirected(outcome, answer)
        elif answer.status in _TEMPORARY:
            reason = Reason.THROTTLED if answer.status in THROTTLING else Reason.HTTP_STATUS
            self._retry(outcome, reason, str(answer.status), answer.retry_after)
        elif answer.status != 200:
            outcome.reason, outcome.detail = Reason.HTTP_STATUS, str(answer.status)
        elif isinstance(visit.page, Failure):
            outcome.reason, outcome.detail = visit.page.reason, visit.page.detail
        elif is_sitemap(answer):
            self._sitemap(outcome, answer)
        elif visit.page is not None:
            self._page(outcome, visit.page, pending)
        return outcome

    def _failed(self, lease: Lease, failure: Failure) -> Outcome:
        outcome = Outcome(lease=lease, fetched_at=self.wall())
        if failure.reason.retry:
            self._retry(outcome, failure.reason, failure.detail, failure.retry_after)
        else:
            outcome.reason, outcome.detail = failure.reason, failure.detail
        return outcome

    def _retry(self, outcome: Outcome, reason: Reason, detail: str, retry_after: float) -> None:
        """Send the link back to the queue with a growing wait, or give it up after enough tries."""
        outcome.reason, outcome.detail = reason, detail
        attempts = outcome.lease.attempts
        if attempts < self.retries:
            wait = max(retry_after, self.retry_wait * 4**attempts)
            outcome.retry_at = self.wall() + wait

    def _redirected(self, outcome: Outcome, answer: Fetched) -> None:
        """The target enters the frontier in this link's place, and every check meets it there."""
        lease = outcome.lease
        outcome.reason = Reason.REDIRECT
        if not answer.location:
            outcome.reason, outcome.detail = Reason.REDIRECT_REFUSED, "no usable Location"
            return
        outcome.final_url = answer.location
        refusal = self.scope.refuses(answer.location, lease.depth)
        target = checksum(answer.location)
        if refusal is not None:
            outcome.reason, outcome.detail = Reason.REDIRECT_REFUSED, refusal
        elif lease.hops >= MAX_HOPS or target == lease.id:
            outcome.reason = Reason.REDIRECT_LIMIT
        else:
            link = NewLink(
                id=target,
                url=answer.location,
                host=host_of(answer.location),
                score=math.nextafter(lease.score, math.inf),
                parts=lease.parts,
                depth=lease.depth,
                parent=lease.url,
                anchor=lease.anchor,
                hops=lease.hops + 1,
            )
            outcome.links = [link]

    def _sitemap(self, outcome: Outcome, answer: Fetched) -> None:
        """A sitemap's URLs are scored as links without anchor text."""
        outcome.reason = Reason.SITEMAP
        sitemap = read_sitemap(answer.body)
        found = [url for url in map(canonical, [*sitemap.urls, *sitemap.sitemaps]) if url]
        page = Page(url=answer.url, links=[Link(url) for url in dict.fromkeys(found)])
        step = take_step(page, outcome.lease, self.strategy, self.scope)
        outcome.links = step.links

    def _page(self, outcome: Outcome, page: Page, pending: dict[int, str]) -> None:
        lease = outcome.lease
        outcome.page = page
        if self.content_seen:
            seen = pending.get(page.fingerprint) or self.store.content_seen(page.fingerprint)
            if seen is not None and seen != lease.url:
                outcome.reason, outcome.detail = Reason.DUPLICATE, seen
                return
            pending[page.fingerprint] = lease.url
            outcome.near_duplicate_of = self.store.near_duplicate(page.simhash) or ""
        step = take_step(
            page, lease, self.strategy, self.scope, obey_nofollow=self.obey_nofollow, watch=self.watch
        )
        self.left_out.update(step.left_out)
        outcome.links = step.links
        if page.noindex:
            outcome.reason = Reason.NOINDEX
            outcome.page = msgspec.structs.replace(page, text="", title="", description="", headings=[])
        else:
            outcome.judgement = step.judgement
            outcome.sample = step.sample
