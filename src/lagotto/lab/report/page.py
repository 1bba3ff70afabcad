"""The report as one HTML page that needs nothing else: style, charts and tables are inside it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from lagotto.base.svg import drawing
from lagotto.lab.experiments.measures import ENOUGH
from lagotto.lab.experiments.papers import segment_length
from lagotto.lab.experiments.results import SHARE, Comparison
from lagotto.lab.experiments.tasks import ORACLE
from lagotto.lab.report.charts import COLOURS, Chart, looks, numbered
from lagotto.lab.report.pictures import (
    class_names,
    mean_curves,
    segment_counts,
    shares,
    topic_curves,
    verdict_charts,
)
from lagotto.lab.report.tables import html_text
from lagotto.lab.report.tabulate import tables_of

PROTOCOLS = {
    "words": "Given words and seeds",
    "examples": "Given words, seeds and example pages",
    "log": "Given words, seeds, a query log and search results",
}


def unlabelled_note(topics: Iterable[str]) -> str:
    """That these topics were taken as absent."""
    return f"no page is labelled {', '.join(topics)}: taken as topics that the web does not have"


def headline(comparison: Comparison, protocol: str) -> str:
    """Who found most, how sure that is, and what going without a focus brings."""
    ranking = comparison.ranking(protocol)
    ahead = [name for name in ranking if name in comparison.contenders]
    if not ahead:
        return (
            f"Only bounds ran; breadth first reaches {_share(comparison, protocol, 'bfs')} of the oracle's."
        )
    best = ahead[0]
    if ranking[0] != best:
        return (
            f"No strategy is ahead of {ranking[0]}, which reaches "
            f"{_share(comparison, protocol, ranking[0])} of the oracle's harvest; {best} reaches "
            f"{_share(comparison, protocol, best)}."
        )
    interval = comparison.interval(SHARE, protocol, best)
    how_sure = f"95 % interval {_percent(interval.low)} to {_percent(interval.high)}"
    if len(comparison.topics) < ENOUGH:
        how_sure = "too few topics to say how sure that is"
    sentences = [
        f"{best} does best, with {_percent(interval.mean)} of the oracle's harvest (area under the curve; "
        f"{how_sure})."
    ]
    if len(ahead) > 1:
        paired = comparison.paired(protocol, best, ahead[1])
        second = f"{ahead[1]} comes next with {_share(comparison, protocol, ahead[1])}"
        close = "" if paired.sure else ", too close to be sure"
        sentences.append(f"{second}{close}: {best} is ahead on {paired.wins} of {paired.topics} topics.")
    return " ".join([*sentences, f"Breadth first reaches {_share(comparison, protocol, 'bfs')}."])


def _share(comparison: Comparison, protocol: str, strategy: str) -> str:
    return _percent(comparison.mean(SHARE, protocol, strategy))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def page(comparison: Comparison) -> str:
    """The whole page."""
    facts = comparison.facts
    title = f"Strategies compared on {facts.web}"
    under = (
        f"{facts.pages:,} pages on {facts.hosts:,} host{'s' * (facts.hosts > 1)}, {facts.links:,} links · "
        f"{len(comparison.topics)} topics · {comparison.budget:,} pages a crawl · "
        f"{len(comparison.draws)} draw{'s' * (len(comparison.draws) > 1)} of seeds"
    )
    sections = "".join(_section(comparison, protocol) for protocol in comparison.protocols)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style(comparison)}</style></head><body>"
        f"<h1>{escape(title)}</h1><p class=under>{escape(under)}</p>{_notes(comparison)}{sections}"
        f"{_reading()}{_settings(comparison)}</body></html>\n"
    )


def _section(comparison: Comparison, protocol: str) -> str:
    heading = PROTOCOLS.get(protocol, protocol)
    shown_heading = f"<h2>{escape(heading)}</h2>" if len(comparison.protocols) > 1 else ""
    tables = "".join(map(html_text, tables_of(comparison, protocol)))
    return (
        f"<section>{shown_heading}<p class=headline>{escape(headline(comparison, protocol))}</p>"
        f"{_shares(comparison, protocol)}{_legend(comparison)}{_mean_curves(comparison, protocol)}"
        f"{_multiples(comparison, protocol)}{_segments(comparison, protocol)}"
        f"{_verdicts(comparison, protocol)}<h3>In figures</h3>{tables}</section>"
    )


def _notes(comparison: Comparison) -> str:
    notes, facts = [], comparison.facts
    if unknown := facts.unknown_labels:
        labels = "1 label names a URL" if unknown == 1 else f"{unknown:,} labels name URLs"
        notes.append(f"{labels} that this web does not hold; they count for nothing.")
    if facts.unlabelled:
        notes.append(unlabelled_note(facts.unlabelled))
    return "".join(f"<p class=notes>{escape(note)}</p>" for note in notes)


def _shares(comparison: Comparison, protocol: str) -> str:
    title = "Share of the oracle's area under the harvest curve, by strategy"
    return f"<figure>{_drawn(shares(comparison, protocol), title)}</figure>"


def _legend(comparison: Comparison) -> str:
    swatch = '<svg viewBox="0 0 22 8" aria-hidden=true><path class="line {}" d="M0 4H22"/></svg>'
    chips = "".join(
        f'<li class="chip {key}" tabindex=0>{swatch.format(key)}{escape(name)}</li>'
        for name, key in class_names(comparison).items()
    )
    return (
        "<h3>Relevant pages found as the crawl goes on</h3>"
        "<p class=note>Mean over topics and draws. Point at a name to bring it forward, with its band.</p>"
        f"<ul class=legend>{chips}</ul>"
    )


def _mean_curves(comparison: Comparison, protocol: str) -> str:
    chart = _drawn(mean_curves(comparison, protocol), "Relevant pages found, mean over topics")
    return f"<figure>{chart}<figcaption>Bands: 95 % interval over topics.</figcaption></figure>"


def _multiples(comparison: Comparison, protocol: str) -> str:
    figures, facts = [], comparison.facts
    for topic in comparison.topics:
        chart = _drawn(topic_curves(comparison, protocol, topic), f"Relevant pages found: {topic}")
        figures.append(
            f"<figure><figcaption><b>{escape(topic)}</b> {escape(facts.words.get(topic, ''))} · "
            f"{facts.relevant.get(topic, 0):,} pages</figcaption>{chart}</figure>"
        )
    return (
        "<h3>Topic by topic</h3>"
        "<p class=note>Mean over draws of seeds; bands from the worst draw to the best.</p>"
        f"<div class=multiples>{''.join(figures)}</div>"
    )


def _segments(comparison: Comparison, protocol: str) -> str:
    length = segment_length(comparison.budget)
    title = f"Relevant pages in each segment of {length} pages"
    return (
        f"<h3>Segment by segment</h3><p class=note>Relevant pages among each {length} pages fetched, as the "
        "paper of 'linkrank' draws it; mean over topics and draws.</p>"
        f"<figure>{_drawn(segment_counts(comparison, protocol), title)}</figure>"
    )


def _verdicts(comparison: Comparison, protocol: str) -> str:
    figures = "".join(
        f"<figure><figcaption>{escape(title)}.</figcaption>{_drawn(chart, title)}</figure>"
        for title, chart in verdict_charts(comparison, protocol).values()
    )
    note = "Of pages given a relevance, how many were on topic: on the diagonal, relevance is a chance."
    return f"<h3>Verdicts</h3><p class=note>{note}</p>{figures}"


def _drawn(chart: Chart, title: str) -> str:
    return drawing(chart.width, chart.height, title, chart.parts)


def _style(comparison: Comparison) -> str:
    """The style sheet, with the strategies' colours and what happens when one is pointed at."""
    keys = class_names(comparison)
    light, dark, forward = [], [], []
    for name, look in looks(comparison).items():
        key = keys[name]
        light.append(f".{key}{{--c:{look.light};--d:{look.dashes or 'none'}}}")
        dark.append(f".{key}{{--c:{look.dark}}}")
        pointed = f"section:has(.chip.{key}:is(:hover,:focus))"
        forward.append(f"{pointed} :is(.line,.end):not(.{key},.chip *){{opacity:.13}}")
        forward.append(f"{pointed} .band:not(.{key}){{opacity:0}}{pointed} .band.{key}{{opacity:.2}}")
    for number, look in enumerate(COLOURS):
        light.append(f".{numbered(number)}{{--c:{look.light};--d:none}}")
        dark.append(f".{numbered(number)}{{--c:{look.dark}}}")
    sheet = files("lagotto.lab.report").joinpath("style.css").read_text(encoding="utf-8")
    return f"{sheet}{''.join(light)}@media (prefers-color-scheme:dark){{{''.join(dark)}}}{''.join(forward)}"


def _reading() -> str:
    return (
        "<h2>How to read this</h2><p>Every strategy crawled the same frozen web from the same pages, knowing "
        "the same, and none saw a label. Relevant is what the labels say; seeds and example pages do not "
        f"count. <b>{ORACLE}</b> is no crawler but a bound: it knows of every link whether its target is "
        "relevant, and takes those first. <b>bfs</b> goes breadth first, <b>indegree</b> takes the link that "
        "most pages point to, <b>random</b> any. Links out of the frozen web are left out for all.</p>"
    )


def _settings(comparison: Comparison) -> str:
    facts = comparison.facts
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    rows = {"web": facts.web, "content hash": facts.content_hash, **facts.settings, "versions": versions}
    pairs = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows.items())
    return f"<h2>Configuration</h2><dl>{pairs}</dl>"
