"""How sure the harvest is: precision, calibration, recall, whether the topic is there at all."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

from lagotto.base.views import NEAR_CUT, Judging
from lagotto.harvest.report.facts import BINS, Checked, Facts
from lagotto.harvest.report.figures import interval_bar, relevance_bars
from lagotto.harvest.report.html import Html, element, join, table
from lagotto.harvest.report.words import as_sentence, count, percent

NINETY_FIVE = 1.96


class Share(Struct, frozen=True):
    """A share and its interval."""

    share: float
    low: float
    high: float
    of: int


def wilson(hits: int, of: int) -> Share | None:
    """Share of hits with its 95 % interval (Wilson 1927); None of nothing.

    >>> share = wilson(9, 10)
    >>> round(share.low, 2), share.share, round(share.high, 2)
    (0.6, 0.9, 0.98)
    """
    if not of:
        return None
    share, z = hits / of, NINETY_FIVE
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half), of)


ENOUGH = 20
"""Marked pages from which calibration is shown."""
STEPS = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01))


def certainty(facts: Facts) -> Html:
    """The section."""
    head = element("h2", "How sure it is")
    if not facts.pages.judged:
        said = element("p", "No page was judged, so there is nothing to say about precision and recall.")
        return element("section", head, said, id="sure")
    parts = [_summary(facts), *_relevances(facts), *_calibration(facts.checked)]
    return element("section", head, *parts, id="sure")


def _summary(facts: Facts) -> Html:
    judging = facts.judging
    rows: list[tuple[str, Html | str, Html | str]] = []
    checked = wilson(
        sum(each.on for each in facts.checked if each.claimed), sum(each.claimed for each in facts.checked)
    )
    if checked is not None:
        rows.append(("Precision, by marks", _shown(checked), _by_marks(checked)))
    else:
        asks = "asks about the pages that teach most."
        nobody = join(["Nobody has marked a page. ", element("code", "lagotto ask"), " ", asks])
        rows.append(("Precision, by marks", "not known", nobody))
    if judging is not None and judging.precision is not None:
        why = "What the crawl's own relevances add up to, over the pages that it calls on topic."
        rows.append(("Precision, expected", _expected(judging), why))
    if judging is not None and judging.cut is not None and judging.relevant:
        near = f"{count(judging.near, 'page')} within {NEAR_CUT:g} of it, whose verdict could be the other."
        rows.append(("Cut", f"{judging.cut:.2f}", f"The relevance from which on a page is on topic. {near}"))
    rows.append(("Recall, estimated", *_recall(facts)))
    if judging is not None:
        rows.append(("Is the topic here?", *_presence(facts)))
    return table(("", "Estimate", "What it rests on"), [(element("b", a), b, c) for a, b, c in rows])


def _expected(judging: Judging) -> Html | str:
    """Expected precision with its interval, if that is known."""
    assert judging.precision is not None
    if judging.precision_low is None or judging.precision_high is None:
        return percent(judging.precision)
    low, high = judging.precision_low, judging.precision_high
    label = f"{percent(judging.precision)}, 90\u00a0% interval {percent(low)} to {percent(high)}"
    return element("span", label, interval_bar(low, judging.precision, high, label))


def _shown(share: Share) -> Html:
    label = f"{percent(share.share)}, 95\u00a0% interval {percent(share.low)} to {percent(share.high)}"
    return element("span", label, interval_bar(share.low, share.share, share.high, label))


def _by_marks(share: Share) -> str:
    return (
        f"{count(share.of, 'page')} called on topic at the fetch that somebody marked. "
        "Marks are asked for where they teach most, so this is no even sample of the harvest."
    )


def _recall(facts: Facts) -> tuple[Html | str, str]:
    judging = facts.judging
    if judging is None:
        return "not known", "The pages were not judged again; the command lagotto judge does it."
    low, high = judging.recall_low, judging.recall_high
    if low <= 0.0 and high >= 1.0:
        return "not known", "There are too few pages on topic to estimate it."
    label = f"{percent(judging.recall)}, 90\u00a0% interval {percent(low)} to {percent(high)}"
    bar = interval_bar(low, judging.recall, high, label)
    return element(
        "span", label, bar
    ), "How much the crawl still found at its end, and links among what it found."


def _presence(facts: Facts) -> tuple[str, str]:
    judging = facts.judging
    assert judging is not None
    named = (
        ""
        if judging.naming is None
        else f"{count(judging.naming, 'page')} of {judging.pages:,} name its words."
    )
    if judging.early:
        return "too early to say", as_sentence(judging.too_early())
    if judging.narrow:
        pages = count(judging.relevant, "page")
        return f"yes, as a small topic: {pages}", f"A page shows it by itself. {named}"
    if judging.here:
        return f"yes, with a chance of {percent(judging.presence)}", named
    return "it does not seem so", as_sentence(judging.absence())


def _relevances(facts: Facts) -> list[Html]:
    on, off = facts.pages.relevances[:BINS], facts.pages.relevances[BINS:]
    caption = "Pages by relevance, which is meant to be the chance of being on topic. Dark: called on topic."
    return [element("figure", relevance_bars(on, off), element("figcaption", caption))]


def _calibration(checked: list[Checked]) -> list[Html]:
    """What marks say of pages with a certain relevance at the fetch."""
    if len(checked) < ENOUGH:
        return []
    rows = []
    for low, high in STEPS:
        inside = [each for each in checked if low <= each.relevance < high]
        share = wilson(sum(each.on for each in inside), len(inside))
        if share is not None:
            rows.append((f"{low:g} to {min(high, 1.0):g}", f"{share.of}", _shown(share)))
    heads = ("Relevance at the fetch", "Marked pages", "Marked on topic")
    return [element("h3", "Calibration"), table(heads, rows, numbers=(1,))]
