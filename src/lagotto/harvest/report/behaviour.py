"""How the crawl behaved towards the web, and what went wrong."""

from __future__ import annotations

from lagotto.base.reasons import Reason, describe_counted
from lagotto.harvest.report.facts import Facts, median_gap
from lagotto.harvest.report.html import Html, element, pairs, table
from lagotto.harvest.report.words import count, percent, seconds, size

REASONS = 20
NO_FAULT = (Reason.DUPLICATE, Reason.REDIRECT, Reason.SITEMAP)
"""Reasons that are no failure."""


def behaviour(facts: Facts) -> Html:
    """The section."""
    return element(
        "section",
        element("h2", "How it behaved"),
        pairs(_politeness(facts)),
        *_failures(facts),
        *_traps(facts),
        id="behaviour",
    )


def _politeness(facts: Facts) -> list[tuple[str, str]]:
    config, status, pages = facts.config, facts.status, facts.pages
    gap = median_gap(pages)
    refused = status.reasons.get(Reason.ROBOTS, 0)
    throttled = sum(n for reason, n in status.reasons.items() if reason.split()[0] == Reason.THROTTLED)
    robots = (
        f"obeyed; {count(refused, 'URL')} refused" if config.obey_robots else "not obeyed, as the user asked"
    )
    waits = f"; {count(len(facts.waiting), 'host')} asked to be left alone for now" if facts.waiting else ""
    return [
        (
            "Requests",
            f"{pages.requests:,}, of which {pages.answered:,} were answered; "
            f"{status.relevant / pages.requests:.2f} relevant pages a request"
            if pages.requests
            else "",
        ),
        ("Received", size(status.bytes) if status.bytes else ""),
        ("Delay", f"{seconds(config.delay)} between requests to a host" if config.delay else "none was set"),
        ("Gap", f"{seconds(gap)} between two answers of a host, in the median" if gap is not None else ""),
        ("At a time", count(config.concurrency, "request")),
        ("robots.txt", robots),
        ("Rate limits", f"{count(throttled, 'URL')} given up because the host had enough{waits}"),
        ("Retries", f"{count(pages.retried, 'URL')} asked for more than once" if pages.retried else "none"),
        (
            "Opt-outs",
            f"{count(facts.opted_out, 'page')} say how they may not be used" if facts.opted_out else "",
        ),
        ("Left to fetch", count(status.queued, "link")),
        ("Revisits", f"{status.revisits:,}, {status.changed:,} found a change" if status.revisits else ""),
    ]


def _failures(facts: Facts) -> list[Html]:
    status = facts.status
    if not status.reasons:
        return []
    rows = [
        (element("code", reason), describe_counted(reason), f"{number:,}", percent(number / status.concluded))
        for reason, number in list(status.reasons.items())[:REASONS]
    ]
    failed = sum(n for reason, n in status.reasons.items() if reason.split()[0] not in NO_FAULT)
    intro = f"Of {count(status.concluded, 'URL')}, {failed:,} brought no page."
    heads = ("Reason", "What it means", "URLs", "Of all")
    return [element("h3", "URLs without a page"), element("p", intro), table(heads, rows, numbers=(2, 3))]


def _traps(facts: Facts) -> list[Html]:
    traps = facts.status.traps
    if not traps:
        return []
    rows = [(trap, f"{links:,}") for trap, links in traps.items()]
    return [element("h3", "Traps"), table(("What was recognised", "Links refused"), rows, numbers=(1,))]
