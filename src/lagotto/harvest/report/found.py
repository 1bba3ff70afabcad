"""What was found: the curve, hosts, subtopics, pages."""

from __future__ import annotations

from lagotto.base.text import terms
from lagotto.base.views import Step
from lagotto.harvest.explain import Explanation
from lagotto.harvest.report.facts import Facts
from lagotto.harvest.report.figures import harvest_curve, share_bar, spark_bars
from lagotto.harvest.report.html import Html, element, join, link, table
from lagotto.harvest.report.words import count, listed, percent
from lagotto.harvest.subtopics import Subtopic

HOSTS = 15
WORDS = 6


def found(facts: Facts) -> Html:
    """The section."""
    if not facts.status.pages:
        return element("section", element("h2", "What was found"), element("p", "Nothing yet."), id="found")
    parts = [element("h2", "What was found"), _curve(facts), *_subtopics(facts), *_hosts(facts)]
    return element("section", *parts, *_sample(facts), id="found")


def _curve(facts: Facts) -> Html:
    if not facts.pages.judged:
        return element("p", "No page was judged, so there is no harvest curve.", class_="note")
    caption = (
        "Pages on topic against pages fetched, by the verdicts of today. "
        "The thin line is a crawl that would find nothing else."
    )
    return element("figure", harvest_curve(facts.course), element("figcaption", caption))


def _subtopics(facts: Facts) -> list[Html]:
    found = facts.subtopics
    if not found.subtopics:
        return []
    largest = max(each.share for each in found.subtopics)
    intro = (
        f"The {count(found.pages, 'page')} fall into {len(found.subtopics)} groups. "
        "The bars at the right show when the crawl found each."
    )
    rows = [
        (
            _named(each),
            f"{each.pages:,}",
            share_bar(each.share / largest),
            spark_bars(each.growth),
        )
        for each in found.subtopics
    ]
    heads = ("Subtopic", "Pages", "", "Growth")
    return [element("h3", "Subtopics"), element("p", intro), table(heads, rows, numbers=(1,))]


def _named(each: Subtopic) -> Html:
    first = each.typical[0] if each.typical else None
    example = link(first.url, first.title or first.url) if first else ""
    return join(
        [
            element("b", each.name),
            element("span", " ", ", ".join(each.keywords[:4]), class_="more"),
            element("span", example, class_="example"),
        ]
    )


def _hosts(facts: Facts) -> list[Html]:
    judged = facts.pages.judged > 0
    ordered = sorted(facts.hosts, key=lambda host: (-host.relevant, -host.pages, host.host))
    shown = [host for host in ordered if host.relevant or not judged][:HOSTS]
    if not shown:
        return []
    rows = [
        (
            host.host,
            f"{host.relevant:,}" if judged else "",
            f"{host.pages:,}",
            _ratio(host.relevant, host.pages),
        )
        for host in shown
    ]
    having = sum(1 for host in facts.hosts if host.relevant) if judged else len(facts.hosts)
    what = "with pages on topic" if judged else "with pages"
    most = f"; the {len(shown)} that gave most" if having > len(shown) else ""
    intro = f"{count(having, 'host')} {what}{most}."
    heads = ("Host", "On topic", "Pages", "Share on topic")
    numbers = (1, 2)
    if not judged:
        rows, heads, numbers = [(row[0], row[2], "", "") for row in rows], ("Host", "Pages", "", ""), (1, 1)
    return [element("h3", "Hosts"), element("p", intro), table(heads, rows, numbers=numbers)]


def _ratio(relevant: int, pages: int) -> Html | str:
    share = relevant / pages if pages else 0.0
    return join([share_bar(share), element("span", percent(share), class_="beside")])


def _sample(facts: Facts) -> list[Html]:
    if not facts.sample:
        return []
    intro = (
        f"{count(len(facts.sample), 'page')} drawn at random from the harvest, with how the crawl came to "
        "each. Read them to judge the harvest for yourself."
    )
    cards = (element("li", _page(each, facts)) for each in facts.sample)
    return [
        element("h3", "Pages, and why they are here"),
        element("p", intro),
        element("ol", join(cards), class_="pages"),
    ]


def _page(explained: Explanation, facts: Facts) -> Html:
    story = explained.story
    page = story.page if story is not None else None
    if story is None or page is None:
        return link(explained.url)
    verdict = "" if page.relevance is None else f"Relevance {page.relevance:.2f}"
    if explained.mark is not None:
        verdict += ", marked by a person"
    group = facts.subtopics.of_page.get(page.number)
    name = next((each.name for each in facts.subtopics.subtopics if each.id == group), "")
    judged = ", ".join(filter(None, [verdict, name and f"in \u201c{name}\u201d"]))
    return join(
        [
            element("p", link(explained.url, page.title or explained.url), class_="title"),
            element("p", element("span", explained.url, class_="url"), class_="where"),
            element(
                "p",
                judged,
                ". " if judged else "",
                _way(story.path),
                *_reasons(explained, page.language or facts.config.language),
                class_="why",
            ),
        ]
    )


def _way(path: list[Step]) -> Html:
    """How the crawl came to a page, in a sentence."""
    if len(path) < 2:
        return Html("A seed.")
    last, before = path[-1], path[-2]
    hops = len(path) - 1
    how = f"the link \u201c{last.anchor}\u201d" if last.anchor else "a link without text"
    where = link(before.url, before.title or before.url)
    return join([f"{count(hops, 'link')} from a seed, by {how} on ", where, "."])


def _reasons(explained: Explanation, language: str) -> list[Html | str]:
    """The words of the topic that the page has, each in one form."""
    by_term: dict[tuple[str, ...], str] = {}
    for word in sorted(explained.matched, key=lambda word: (-explained.matched[word], len(word), word)):
        by_term.setdefault(tuple(terms(word, language)), word)
    heaviest = list(by_term.values())[:WORDS]
    if not heaviest:
        return []
    return [f" It has the {'word' if len(heaviest) == 1 else 'words'} {listed(heaviest)}."]
