"""From a visit to its outcome: retries, redirects, duplicates, and the step for a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from lagotto.base.batch import Content, Seen
from lagotto.base.facts import PageFacts, Use
from lagotto.base.protocols import WorkerStore
from lagotto.base.reasons import facts_of
from lagotto.base.records import Failure, Fetched, Lease, Link, NewLink, Outcome, Page, Reason
from lagotto.base.urls import canonical, checksum, host_of
from lagotto.crawling.frontier import Hosts, Refused, Scope, Sighting
from lagotto.crawling.worker.redirects import Redirects
from lagotto.crawling.worker.step import Watch, take_step
from lagotto.crawling.worker.visit import THROTTLING, Visit
from lagotto.fetch import Sitemap
from lagotto.focus.strategies.base import Strategy

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


async def look_up(store: WorkerStore, visits: Sequence[Visit]) -> Contents:
    """Ask the store for the contents of all pages of a batch in one call."""
    pages = [visit.page for visit in visits if isinstance(visit.page, Page) and not visit.page.noindex]
    if not pages:
        return Contents()
    seen = await store.seen([Content(page.fingerprint, page.simhash) for page in pages])
    return Contents({id(page): each for page, each in zip(pages, seen, strict=True)})


TOO_MANY_REQUESTS = 429
"""Status of a host that gives its pages to those who wait."""
MAX_HOPS = 10
MAX_NESTING = 3
"""How deep sitemaps may be nested; the protocol itself has two levels."""
OBEYED_USES = frozenset({Use.TDM, Use.AI, Use.AI_INPUT, Use.SEARCH})
"""Uses that a harvest is made for; pictures are not harvested."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})


class Conclusions:
    """Turns visits into outcomes, in the order in which they are committed."""

    def __init__(
        self,
        *,
        strategy: Strategy,
        scope: Scope,
        hosts: Hosts,
        wall: Callable[[], float],
        redirects: Redirects | None = None,
        retries: int = 2,
        retry_wait: float = 5.0,
        obey_nofollow: bool = False,
        obey_opt_outs: bool = False,
        content_seen: bool = True,
        watch: Watch | None = None,
    ) -> None:
        self.strategy = strategy
        self.scope = scope
        self.hosts = hosts
        self.wall = wall
        self.redirects = redirects or Redirects()
        self.retries = retries
        self.retry_wait = retry_wait
        self.obey_nofollow = obey_nofollow
        self.obey_opt_outs = obey_opt_outs
        self.content_seen = content_seen
        self.watch = watch

    def conclude(self, visit: Visit, contents: Contents) -> Outcome:
        """The outcome of a visit; `contents` knows which contents were seen before."""
        outcome = self._outcome(visit, contents)
        self.redirects.concluded(outcome)
        return outcome

    def _outcome(self, visit: Visit, contents: Contents) -> Outcome:
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
        elif isinstance(visit.page, Sitemap):
            self._sitemap(outcome, visit.page)
        elif visit.page is not None:
            self._page(outcome, visit.page, contents)
        return outcome

    def count(self, outcome: Outcome) -> None:
        """Count a page for its host, its URL's shape and the traps, before the next one is concluded."""
        if outcome.status == 200 and outcome.retry_at is None and not _missed(outcome):
            lease, page = outcome.lease, outcome.page
            relevant = outcome.judgement is not None and outcome.judgement.relevant
            self.hosts.fetched(lease.host, relevant=relevant)
            self.scope.shapes.count(lease.url)
            if page is not None:
                self.scope.traps.count(
                    Sighting(
                        lease.url, page.fingerprint, page.simhash, lease.parent, page.text, outcome.links
                    )
                )
        elif _missed(outcome):
            self.hosts.missed(outcome.lease.host)
            if not Reason(outcome.reason).facts.about_host:
                self.scope.traps.miss(outcome.lease.url)

    def full_patterns(self) -> dict[str, int]:
        """URL shapes and sites that have given enough -> links refused since, most first."""
        return dict(self.scope.shapes.full.most_common())

    def traps(self) -> dict[str, int]:
        """Traps that were recognised -> links refused because of them, most first."""
        return dict(self.scope.traps.found.most_common())

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
        """The target enters the frontier in this link's place, and is checked there like any other link."""
        lease = outcome.lease
        self.hosts.redirected(lease.host)
        outcome.reason = Reason.REDIRECT
        if not answer.location:
            outcome.reason, outcome.detail = Reason.REDIRECT_REFUSED, "no usable Location"
            return
        outcome.final_url = answer.location
        # A link that the scope would not admit as a page is a sitemap, or a seed that the user chose.
        as_page = self.scope.refuses(lease.url, lease.depth) is None
        location = answer.location
        refusal = (
            self.scope.refusal(location, lease.depth) if as_page else self.scope.sitemap_refusal(location)
        )
        target = checksum(answer.location)
        if refusal is not None:
            outcome.reason, outcome.detail = Reason.REDIRECT_REFUSED, refusal
        elif lease.hops >= MAX_HOPS or target == lease.id:
            outcome.reason = Reason.REDIRECT_LIMIT
        elif not_followed := self.redirects.follow(lease, answer.location):
            outcome.reason, outcome.detail = Reason.REDIRECT_REFUSED, not_followed
        else:
            outcome.links = [_in_place_of(lease, answer.location, math.nextafter(lease.score, math.inf))]

    def _sitemap(self, outcome: Outcome, sitemap: Sitemap) -> None:
        """A sitemap's URLs are scored as links without anchor text; further sitemaps come before them."""
        lease = outcome.lease
        if not sitemap.kind:
            outcome.reason, outcome.detail = Reason.CONTENT_TYPE, "neither a page nor a sitemap"
            return
        outcome.reason = Reason.SITEMAP
        found = dict.fromkeys(url for url in map(canonical, sitemap.urls) if url)
        page = Page(url=lease.url, links=[Link(url) for url in found])
        step = take_step(page, lease, self.strategy, self.scope, watch=self.watch)
        left_out = step.left_out
        outcome.links = step.links
        if lease.hops < MAX_NESTING:
            further = dict.fromkeys(url for url in map(canonical, sitemap.sitemaps) if url)
            for url in further:
                refusal = self.scope.sitemap_refusal(url)
                if refusal is None:
                    outcome.links.append(_in_place_of(lease, url, lease.score))
                else:
                    left_out[refusal] += 1
        outcome.left_out = dict(left_out)

    def _page(self, outcome: Outcome, page: Page, contents: Contents) -> None:
        lease = outcome.lease
        outcome.page = page
        closed = self._closed(page)
        if closed is not None:
            outcome.reason, outcome.detail = closed.reason, closed.detail
            opt_outs = page.facts.opt_outs if page.facts else []
            facts = PageFacts(opt_outs=opt_outs) if opt_outs else None
            outcome.page = msgspec.structs.replace(
                page, text="", title="", description="", headings=[], fingerprint=0, facts=facts
            )
        elif self.content_seen:
            if same_as := contents.same_as(page, lease.url):
                outcome.reason, outcome.detail = Reason.DUPLICATE, same_as
                return
            outcome.near_duplicate_of = contents.near(page)
        alike = len(page.links) if self.scope.traps.holds(lease.url, page.simhash) else 0
        if alike:
            page = msgspec.structs.replace(page, links=[])
        step = take_step(
            page, lease, self.strategy, self.scope, obey_nofollow=self.obey_nofollow, watch=self.watch
        )
        outcome.links, outcome.left_out = step.links, dict(step.left_out)
        if alike:
            outcome.left_out[Refused.ALIKE] = alike
        if closed is None:
            outcome.judgement = step.judgement
            outcome.sample = step.sample

    def _closed(self, page: Page) -> Failure | None:
        """Why nothing of a page may be kept, if so."""
        if page.noindex:
            return Failure(Reason.NOINDEX)
        opt_outs = page.facts.opt_outs if self.obey_opt_outs and page.facts else []
        refused = [str(each) for each in opt_outs if each.use in OBEYED_USES]
        return Failure(Reason.OPT_OUT, "; ".join(refused)) if refused else None


def _missed(outcome: Outcome) -> bool:
    """Whether the host was asked for a page and gave none, for a reason of its own."""
    if outcome.reason in (Reason.REDIRECT, Reason.REDIRECT_REFUSED, Reason.REDIRECT_LIMIT):
        return False
    facts = facts_of(outcome.reason)
    return facts is not None and facts.asked and facts.error and outcome.status != TOO_MANY_REQUESTS


def _in_place_of(lease: Lease, url: str, score: float) -> NewLink:
    """A link that replaces a lease: same depth and anchor, one hop more."""
    return NewLink(
        id=checksum(url),
        url=url,
        host=host_of(url),
        score=score,
        parts=lease.parts,
        depth=lease.depth,
        parent=lease.url,
        anchor=lease.anchor,
        hops=lease.hops + 1,
    )
