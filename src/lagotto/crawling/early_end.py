"""Why a crawl ended after a handful of pages, and what would help.

Everything is read from the store, so a resumed crawl that finds nothing to do says the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lagotto.base.protocols import Reader
from lagotto.base.reasons import Reason, Refused, describe_counted, describe_left_out, is_error
from lagotto.base.views import PageDetails, Status
from lagotto.crawling.worker.worker import EMPTY, HOSTS_GONE
from lagotto.focus.strategies.base import Strategy

HANDFUL = 10
"""Pages below which a crawl with nothing left to fetch may have ended early."""
MOST_SHOWN = 3

HELP: dict[str, str] = {
    Refused.INCLUDE: "widen --include",
    Refused.EXCLUDE: "narrow --exclude",
    Refused.SITE: "leave out --same-site, or add seeds of other sites",
    Refused.DEPTH: "raise --depth",
    Refused.FILE_TYPE: "start from a page that links to other pages",
    Refused.PATTERN_LIMIT: "raise --pattern-limit",
    Refused.HOSTS_PER_SITE: "raise --hosts-per-site",
    Refused.NOFOLLOW: "follow them with --ignore-nofollow",
    Refused.PAGE_NOFOLLOW: "start from another page; only --no-robots follows them, where you may",
}
"""Reason for which links were left out -> what to do if nothing else was left."""
CLOSED = {
    Reason.NOINDEX: ("asks robots not to index it", "only --no-robots keeps it, where you may"),
    Reason.OPT_OUT: ("opts out of being mined or used for AI", "without --obey-opt-outs it is kept"),
}
"""Reason for which nothing of a page was kept -> why, and what would keep it."""
_ASKED_NOT_TO = (Refused.NOFOLLOW, Refused.PAGE_NOFOLLOW)


def early_end(reader: Reader, strategy: Strategy, why: str) -> list[str]:
    """What stopped a crawl and what would help, as sentences; empty if the crawl ended as it should."""
    status = reader.status()
    if why == HOSTS_GONE and (status.pages < HANDFUL or status.queued > status.pages):
        return [_gone(status), *_failures(status)]
    if why not in (EMPTY, HOSTS_GONE) or status.pages >= HANDFUL:
        return []
    pages = dict(_pages(reader))
    left_out: Counter[str] = Counter()
    for page in pages.values():
        left_out.update(page.left_out)
    if not _stopped(reader, status, left_out):
        return []
    found = [*_closed(pages), *_left_out(left_out), *_failures(status)]
    if left_out[Refused.LOW_SCORE]:
        found += _low_scores(strategy, left_out[Refused.LOW_SCORE], pages)
    return found or [
        "the pages have no links to follow; pages made by JavaScript show none: "
        "start from other pages, or give --sitemaps"
    ]


def _stopped(reader: Reader, status: Status, left_out: Counter[str]) -> bool:
    """Whether something stopped the crawl; a small site that was fetched as a whole did not."""
    if not any(row.depth and row.status == 200 for row in reader.rows()):
        return True
    refused = sum(left_out[reason] for reason in _ASKED_NOT_TO)
    failed = sum(count for reason, count in status.reasons.items() if is_error(reason))
    return bool(left_out[Refused.LOW_SCORE]) or refused + failed >= status.pages


def _pages(reader: Reader) -> Iterator[tuple[str, PageDetails]]:
    for row in reader.rows():
        history = reader.history(row.url) if row.status == 200 else None
        if history is not None and history.page is not None:
            yield row.url, history.page


def _closed(pages: dict[str, PageDetails]) -> Iterator[str]:
    for reason, (why, kept_by) in CLOSED.items():
        closed = [url for url, page in pages.items() if page.reason == reason]
        if closed:
            yield f"not kept, since the page {why}: {_few(closed)}; start from another page; {kept_by}"


def _left_out(left_out: Counter[str]) -> Iterator[str]:
    for reason, count in left_out.most_common():
        if reason in HELP:
            yield f"{_links(count)} left out ({reason}: {describe_left_out(reason)}); {HELP[reason]}"


def _failures(status: Status) -> Iterator[str]:
    for reason, count in status.reasons.items():
        if is_error(reason):
            urls = f"{count} URL{'' if count == 1 else 's'}"
            yield f"{urls} without a page ({reason}: {describe_counted(reason)})"


def _low_scores(strategy: Strategy, count: int, pages: dict[str, PageDetails]) -> Iterator[str]:
    """Which links the strategy follows, which pages it judged off topic, and what to change."""
    follows = strategy.follows or "links that it gives a score"
    yield f"{_links(count)} left out by the strategy ({Refused.LOW_SCORE}): {strategy.name} follows {follows}"
    off = [
        f"{url} (relevance {page.relevance_at_fetch:.3f})"
        for url, page in pages.items()
        if page.relevant_at_fetch is False and page.relevance_at_fetch is not None
    ]
    if off:
        yield f"judged off topic by {strategy.name}: {_few(off)}"
    lower = " or ".join(f"{name} (now {getattr(strategy, name):g})" for name in strategy.thresholds)
    yield (
        "what would help: seeds that are about the topic themselves"
        + (f", a lower --option {lower}" if lower else "")
        + ", or a strategy that passes through pages off topic, such as scent"
    )


def _gone(status: Status) -> str:
    return (
        f"{_links(status.queued)} left on hosts that do not answer; check the network, "
        "then `lagotto resume` tries them again"
    )


def _links(count: int) -> str:
    return f"{count} link{'' if count == 1 else 's'}"


def _few(texts: Iterable[str]) -> str:
    every = list(texts)
    more = f" and {len(every) - MOST_SHOWN} more" if len(every) > MOST_SHOWN else ""
    return ", ".join(every[:MOST_SHOWN]) + more
