"""The report as one HTML page that needs nothing else: style, charts and tables are inside it."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from lagotto.lab.comparison import SHARE, Comparison
from lagotto.lab.measures import Curve, band_of_mean
from lagotto.lab.report.look import looks
from lagotto.lab.report.svg import Row, Series, dot_chart, line_chart
from lagotto.lab.report.tables import html_text
from lagotto.lab.report.tabulate import tables_of
from lagotto.lab.report.words import PROTOCOLS, headline
from lagotto.lab.tasks import ORACLE


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
        f"{_multiples(comparison, protocol)}<h3>In figures</h3>{tables}</section>"
    )


def _notes(comparison: Comparison) -> str:
    unknown = comparison.facts.unknown_labels
    if not unknown:
        return ""
    labels = "1 label names a URL" if unknown == 1 else f"{unknown:,} labels name URLs"
    return f"<p class=notes>{labels} that this web does not hold; they count for nothing.</p>"


def _shares(comparison: Comparison, protocol: str) -> str:
    keys = _keys(comparison)
    rows = [
        Row(keys[name], name, comparison.interval(SHARE, protocol, name))
        for name in comparison.ranking(protocol)
    ]
    chart = dot_chart(
        rows,
        title="Share of the oracle's area under the harvest curve, by strategy",
        width=760,
        x_title="share of the oracle's area under the harvest curve; lines: 95 % interval over topics",
    )
    return f"<figure>{chart}</figure>"


def _legend(comparison: Comparison) -> str:
    swatch = '<svg viewBox="0 0 22 8" aria-hidden=true><path class="line {}" d="M0 4H22"/></svg>'
    chips = "".join(
        f'<li class="chip {key}" tabindex=0>{swatch.format(key)}{escape(name)}</li>'
        for name, key in _keys(comparison).items()
    )
    return (
        "<h3>Relevant pages found as the crawl goes on</h3>"
        "<p class=note>Mean over topics and draws. Point at a name to bring it forward, with its band.</p>"
        f"<ul class=legend>{chips}</ul>"
    )


def _mean_curves(comparison: Comparison, protocol: str) -> str:
    series = []
    for name in comparison.strategies:
        curves = comparison.mean_curves(protocol, name)
        low, high = band_of_mean(curves)
        series.append(_series(comparison, protocol, name, curves.mean(axis=0), low, high))
    chart = line_chart(
        series,
        title="Relevant pages found, mean over topics",
        width=1020,
        height=440,
        labelled=True,
        x_title="pages fetched",
    )
    return f"<figure>{chart}<figcaption>Bands: 95 % interval over topics.</figcaption></figure>"


def _multiples(comparison: Comparison, protocol: str) -> str:
    figures = []
    for topic in comparison.topics:
        series = []
        for name in comparison.strategies:
            curves = comparison.curve(protocol, name, topic)
            low, high = curves.min(axis=0), curves.max(axis=0)
            series.append(_series(comparison, protocol, name, curves.mean(axis=0), low, high))
        facts = comparison.facts
        chart = line_chart(
            series, title=f"Relevant pages found: {topic}", width=330, height=210, labelled=False
        )
        figures.append(
            f"<figure><figcaption><b>{escape(topic)}</b> {escape(facts.words.get(topic, ''))} · "
            f"{facts.relevant.get(topic, 0):,} pages</figcaption>{chart}</figure>"
        )
    return (
        "<h3>Topic by topic</h3>"
        "<p class=note>Mean over draws of seeds; bands from the worst draw to the best.</p>"
        f"<div class=multiples>{''.join(figures)}</div>"
    )


def _series(
    comparison: Comparison, protocol: str, name: str, values: Curve, low: Curve, high: Curve
) -> Series:
    lead = name == comparison.lead(protocol)
    emphasis = "lead" if lead else "plain" if name == "bfs" else ""
    return Series(_keys(comparison)[name], name, values, low, high, emphasis)


def _keys(comparison: Comparison) -> dict[str, str]:
    """Class of each strategy in charts and style sheet."""
    return {name: f"k{number}" for number, name in enumerate(comparison.strategies)}


def _style(comparison: Comparison) -> str:
    """The style sheet, with the strategies' colours and what happens when one is pointed at."""
    keys = _keys(comparison)
    light, dark, forward = [], [], []
    for name, look in looks(comparison).items():
        key = keys[name]
        light.append(f".{key}{{--c:{look.light};--d:{look.dashes or 'none'}}}")
        dark.append(f".{key}{{--c:{look.dark}}}")
        pointed = f"section:has(.chip.{key}:is(:hover,:focus))"
        forward.append(f"{pointed} :is(.line,.end):not(.{key},.chip *){{opacity:.13}}")
        forward.append(f"{pointed} .band:not(.{key}){{opacity:0}}{pointed} .band.{key}{{opacity:.2}}")
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
