"""The head of a report, and what the crawl was asked for."""

from __future__ import annotations

from lagotto.harvest.report.facts import Facts
from lagotto.harvest.report.html import Html, element, join, link, pairs
from lagotto.harvest.report.words import as_sentence, count, moment, percent, seconds

SEEDS = 12
"""Seeds that are shown."""


def head(facts: Facts) -> Html:
    """Title, the answer in a paragraph, and the figures that matter."""
    return join(
        [
            element("p", "Report of a focused crawl", class_="kicker"),
            element("h1", title(facts)),
            element("p", _dates(facts), class_="dates"),
            element("p", _answer(facts), class_="lead"),
            _figures(facts),
        ]
    )


def title(facts: Facts) -> str:
    """What was looked for."""
    return facts.config.in_words()


def _dates(facts: Facts) -> str:
    first, last = facts.status.first_at, facts.status.last_at
    if first is None or last is None:
        return "Nothing was fetched yet"
    return f"{moment(first)} to {moment(last)} ({seconds(last - first)})"


def _answer(facts: Facts) -> str:
    """The whole report in a few sentences."""
    status, judging = facts.status, facts.judging
    if not status.pages:
        tried = f" {count(status.concluded, 'URL')} brought no page." if status.concluded else ""
        return f"The crawl has fetched no page.{tried}"
    fetched = f"The crawl fetched {count(status.pages, 'page')} from {count(status.hosts, 'host')}"
    if not facts.pages.judged:
        return f"{fetched}. It judged none of them, so nothing is known about their relevance."
    said = (
        f"{fetched} and judged {status.relevant:,} of them, {percent(status.harvest_ratio)}, to be on topic."
    )
    if judging is None:
        return f"{said} The verdicts are those of the moment of the fetch."
    if not judging.here:
        return f"{said} {as_sentence(judging.absence())}"
    if judging.early:
        return f"{said} {as_sentence(judging.too_early())}"
    if judging.recall_low <= 0.0 and judging.recall_high >= 1.0:
        return f"{said} There are too few pages to say how much was missed."
    return (
        f"{said} That is an estimated {percent(judging.recall)} of the pages on topic that can be reached "
        f"(90\u00a0% interval: {percent(judging.recall_low)} to {percent(judging.recall_high)})."
    )


def _figures(facts: Facts) -> Html:
    status = facts.status
    shown = [(f"{status.pages:,}", "pages fetched")]
    if facts.pages.judged:
        sites = sum(1 for host in facts.hosts if host.relevant)
        shown.insert(0, (f"{status.relevant:,}", "pages on topic"))
        shown += [(percent(status.harvest_ratio), "harvest ratio"), (f"{sites:,}", "hosts on topic")]
    else:
        shown.append((f"{status.hosts:,}", "hosts"))
    if facts.subtopics.subtopics:
        shown.append((str(len(facts.subtopics.subtopics)), "subtopics"))
    cells = (element("li", element("b", figure), element("span", name)) for figure, name in shown)
    return element("ul", join(cells), class_="figures")


def asked(facts: Facts) -> Html:
    """Words, examples, seeds, strategy, limits."""
    config = facts.config
    given = [
        ("Words", config.topic),
        ("Phrases", ", ".join(config.phrases)),
        ("Saved topic", config.saved_topic),
        ("Network", config.network),
        ("Query log", config.query_log),
        ("Examples", _listed(config.examples)),
        ("Counter-examples", _listed(config.counter_examples)),
        ("Language", config.language),
        ("Strategy", config.strategy),
        ("Seeds", _listed(config.seeds)),
        ("Limits", _limits(facts)),
    ]
    return element("section", element("h2", "What was asked"), pairs(given), id="asked")


def _listed(urls: list[str]) -> Html | None:
    if not urls:
        return None
    more = [element("li", f"and {len(urls) - SEEDS} more")] if len(urls) > SEEDS else []
    return element("ul", join([*(element("li", link(url)) for url in urls[:SEEDS]), *more]), class_="plain")


def _limits(facts: Facts) -> str:
    config = facts.config
    limits = [
        count(config.max_pages, "page") if config.max_pages else "",
        seconds(config.max_time) if config.max_time else "",
        f"{config.max_bytes:,} bytes" if config.max_bytes else "",
        f"{config.depth} links from a seed" if config.depth else "",
        "the sites of the seeds" if config.same_site else "",
        "until little more is to be found" if config.stop == "auto" else "",
    ]
    return ", ".join(filter(None, limits)) or "none"
