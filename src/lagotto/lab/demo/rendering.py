"""The HTML of a demo page: its text, with the links in it, in its site's layout."""

from __future__ import annotations

import posixpath
from functools import cache
from html import escape
from importlib.resources import files
from random import Random
from string import Template
from typing import NamedTuple

from lagotto.base.urls import host_of
from lagotto.lab.demo import prose
from lagotto.lab.demo import web as calendar
from lagotto.lab.demo.linking import PlannedLink, Spot, links_of
from lagotto.lab.demo.prose import GENERAL, Vocabulary, topic_words
from lagotto.lab.demo.sites import PageKind, Plan, PlannedPage, Site

LATIN_LAYOUT = "tables"
"""Layout of sites that use Latin-1 and declare it only in the page itself."""
SESSION_HOST = "curious-post.example"
"""Site that adds a session id to every URL."""
PRINT_HOSTS = frozenset({"long-climb.example", "back-rank.example", "long-table.example"})
"""Sites that have a printer version of each article."""
LINK_SENTENCES = (
    "Compare this with {a}, where the {{thing}} {{does}} the {{quality}} {{thing}}.",
    "More on that under {a}.",
    "In {a} we wrote how {{things}} {{move}}.",
    "{{Persons}} often mention {a} when they talk of {{stuff}}.",
    "The {{quality}} {{thing}} is another story: {a}.",
    "See {a} for {{things}} and {{stuff}}.",
    "A {{person}} sent us {a}; it {{does}} the {{thing}} rather well.",
)
NOTICES = (
    "This site uses cookies to remember what you read. By staying you agree to that.",
    "Sign up for our newsletter and never miss a new page. We send it once a week.",
    "Help us to keep this site free: tell your friends about it.",
)
ROWS = {
    "modern": "<li>{}</li>", "columns": '<div class="row">{}</div>', "tables": "{}<BR>",
    "journal": "<li>{}</li>",
}  # fmt: skip
LISTS = {"modern": "<ul>{}</ul>", "columns": "{}", "tables": "<P>{}</P>", "journal": "<ol>{}</ol>"}


class Written(NamedTuple):
    """The parts of a page that a layout arranges."""

    title: str
    description: str
    body: str
    related: str = ""
    extra: str = ""


def render(plan: Plan, page: PlannedPage) -> bytes:
    """The page's HTML, always the same."""
    draw = Random(f"text {plan.seed} {page.number}")
    links = links_of(plan, page)
    spots: dict[Spot, list[PlannedLink]] = {spot: [] for spot in Spot}
    for link in links:
        spots[link.spot].append(link)
    body = _article(draw, page, spots[Spot.TEXT]) + _listing(draw, page, spots[Spot.LIST])
    if page.site.host in PRINT_HOSTS and page.kind is PageKind.ARTICLE:
        body += f'<p><a href="{escape(with_parameter(page.url, "print=1"))}">Printer-friendly version</a></p>'
    related = ""
    if spots[Spot.RELATED]:
        inner = _links(draw, page.site, page.url, spots[Spot.RELATED])
        related = f'<div class="related"><h2>Related</h2>{LISTS[page.site.layout].format(inner)}</div>'
    description = prose.sentence(draw, page.vocabulary)
    written = Written(page.title, description, body, related, _extra(page))
    return _in_layout(plan, page.site, page.url, written, spots)


def render_calendar(plan: Plan, day: calendar.Day) -> bytes:
    """A page of a calendar that never ends."""
    draw = Random(f"calendar {plan.seed} {day.url}")
    vocabulary = topic_words()[calendar.HOSTS[day.host]].vocabulary
    date = f"{prose.MONTHS[day.month - 1]} {day.year}"
    events = "".join(f"<p>{_text(prose.sentence(draw, vocabulary))}</p>" for _ in range(3))
    listed = "".join(f'<li><a href="{url}">{name}</a></li>' for url, name in calendar.links_of(day, draw))
    title = f"Calendar, {day.day or ''} {date}".replace("  ", " ")
    written = Written(title, title, f'{events}<ul class="calendar">{listed}</ul>')
    return _in_layout(plan, plan.sites[day.host], day.url, written, {})


def render_search(plan: Plan, site: Site, url: str) -> bytes:
    """A page of search results that links to more searches; robots.txt disallows it."""
    draw = Random(f"search {plan.seed} {url}")
    found = draw.sample(plan.by_host[site.host], 5)
    words = draw.sample(topic_words()[draw.choice(site.topics)].vocabulary.things, 5)
    listed = "".join(f'<li><a href="{escape(page.url)}">{_text(page.title)}</a></li>' for page in found)
    listed += "".join(
        f'<li><a href="/search?q={word.split()[0]}{draw.randrange(99)}">{word}</a></li>' for word in words
    )
    written = Written("Search results", "Search results", f"<ul>{listed}</ul>")
    return _in_layout(plan, site, url, written, {})


def content_type(site: Site) -> str:
    """The Content-Type that a site's server sends."""
    return "text/html" if site.layout == LATIN_LAYOUT else "text/html; charset=utf-8"


def with_parameter(url: str, parameter: str) -> str:
    """The URL with one more query parameter."""
    return f"{url}{'&' if '?' in url else '?'}{parameter}"


def _in_layout(
    plan: Plan, site: Site, url: str, written: Written, spots: dict[Spot, list[PlannedLink]]
) -> bytes:
    # Random choices of the layout depend on the site, so that they are the same on all of its pages.
    draw = Random(f"furniture {plan.seed} {site.host}")
    notice = draw.choice(NOTICES)
    boilerplate = " ".join(prose.sentence(draw, topic_words()[GENERAL].vocabulary) for _ in range(2))
    html = _layout(site.layout).substitute(
        title=_text(written.title),
        description=escape(written.description),
        site=_text(site.name),
        extra=written.extra,
        menu=_links(draw, site, url, spots.get(Spot.MENU, [])),
        body=written.body,
        related=written.related,
        side=_links(draw, site, url, spots.get(Spot.SIDE, [])),
        foot=_links(draw, site, url, spots.get(Spot.FOOT, [])),
        notice=notice,
        boilerplate=_text(f"{boilerplate} © 2024 {site.name}."),
    )
    return html.encode("latin-1" if site.layout == LATIN_LAYOUT else "utf-8", "xmlcharrefreplace")


@cache
def _layout(name: str) -> Template:
    return Template((files("lagotto.lab.demo") / "layouts" / f"{name}.html").read_text("utf-8"))


def _extra(page: PlannedPage) -> str:
    return '<meta name="robots" content="noindex">' if page.title == "Terms of use" else ""


def _article(draw: Random, page: PlannedPage, links: list[PlannedLink]) -> str:
    """Paragraphs, each with at most one link in its middle."""
    if page.kind is PageKind.HUB:
        return f"<p>{_text(prose.sentence(draw, topic_words()[GENERAL].vocabulary))}</p>"
    count = max(len(links), draw.randint(3, 6)) if page.kind is PageKind.ARTICLE else 1
    voices, weights = _voices(draw, page)
    blocks = []
    for number in range(count):
        if number and draw.random() < 0.35:
            heading = prose.plural(draw.choice(page.vocabulary.things)).capitalize()
            blocks.append(f"<h2>{_text(heading)}</h2>")
        text = _text(prose.paragraph(draw, voices, weights))
        if number < len(links):
            text += " " + _link_sentence(draw, page, links[number])
        blocks.append(f"<p>{text}</p>")
    return "\n".join(blocks)


def _voices(draw: Random, page: PlannedPage) -> tuple[list[Vocabulary], list[float]]:
    """The subject of a sentence: mostly the page's own, sometimes a related or an unrelated one."""
    words = topic_words()
    near = words[draw.choice(words[page.topic].related or (GENERAL,))].vocabulary
    far = words[draw.choice(list(words))].vocabulary
    own = draw.choice((0.8, 0.65, 0.65, 0.4))
    return [page.vocabulary, words[GENERAL].vocabulary, near, far], [
        own,
        (1 - own) / 2,
        (1 - own) / 3,
        (1 - own) / 6,
    ]


def _link_sentence(draw: Random, page: PlannedPage, link: PlannedLink) -> str:
    """A sentence around a link, mostly with words of its target."""
    told = link.target is not None and draw.random() < 0.6
    vocabulary = link.target.vocabulary if link.target is not None and told else page.vocabulary
    template = draw.choice(LINK_SENTENCES).format(a="\0")
    before, _, after = prose.write(draw, template, vocabulary).partition("\0")
    return _text(before) + _anchor(draw, page.url, link) + _text(after)


def _listing(draw: Random, page: PlannedPage, links: list[PlannedLink]) -> str:
    if not links:
        return ""
    layout = page.site.layout
    rows = []
    for link in links:
        teaser = prose.sentence(draw, link.target.vocabulary) if link.target and draw.random() < 0.6 else ""
        rows.append(ROWS[layout].format(f"{_anchor(draw, page.url, link)} {_text(teaser)}"))
    return LISTS[layout].format("\n".join(rows))


def _links(draw: Random, site: Site, url: str, links: list[PlannedLink]) -> str:
    return "\n".join(ROWS[site.layout].format(_anchor(draw, url, link)) for link in links)


def _anchor(draw: Random, base: str, link: PlannedLink) -> str:
    rel = ' rel="nofollow"' if link.spot is Spot.SIDE and draw.random() < 0.1 else ""
    return f'<a href="{escape(_spelled(draw, base, link))}"{rel}>{_text(link.anchor)}</a>'


def _spelled(draw: Random, base: str, link: PlannedLink) -> str:
    """A random spelling of a link to the same page."""
    url = link.url
    host = host_of(url)
    chance, form = draw.random(), draw.random()
    if url.endswith("/") and chance < 0.08:
        url += "index.html"
    elif host == SESSION_HOST and chance < 0.1:
        url = with_parameter(url, f"sid={draw.randrange(1000):03d}")
    elif chance > 0.95:
        url += "#start"
    if host_of(base) != host:
        return url.replace("http:", "https:", 1) if form < 0.1 else url
    path = url[len("http://") + len(host) :]
    if form < 0.5:
        return path
    if form < 0.65 and "?" not in url:
        return _relative(path, base[len("http://") + len(host) :])
    return url


def _relative(path: str, base_path: str) -> str:
    """A path relative to another one on the same host."""
    folder, _, name = path.rpartition("/")
    base_folder = base_path.partition("?")[0].rpartition("/")[0]
    return posixpath.relpath(folder + "/", base_folder + "/") + "/" + name


def _text(text: str) -> str:
    return escape(text, quote=False)
