"""The sites of the demo web and their pages, with subjects and URLs.

Each topic has three sites: a large one, a medium one, and a small hidden one to which the other two do not
link (it is found only through pages about something else). Magazines have sections on several topics,
directories have links to all topics, and general sites are about no topic.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from enum import StrEnum
from random import Random
from typing import NamedTuple

from lagotto.lab.demo import prose
from lagotto.lab.demo.prose import GENERAL, TopicWords, Vocabulary, topic_words, words_about

MAGAZINES = (
    "slow-weekend", "the-lantern", "harbour-street", "field-notes", "country-almanac",
    "makers-journal", "curious-post", "sunday-reader", "old-road", "window-seat", "commonplace",
    "long-table",
)  # fmt: skip
MAGAZINE_STEPS = (0, 3, 5, 8)
"""Magazine n has the topics n, n + 3, ...: each topic is in four magazines."""
DIRECTORIES = ("links", "webguide", "startpage", "village-index")
EVENTS_HOST = "events.example"
MEMBERS_HOSTS = frozenset({"signal-box.example", "quiet-move.example", "warp-and-weft.example"})
"""Sites whose last section is disallowed by robots.txt."""
MIRRORS = {"crumb-and-crust.example": "mirror.example"}
"""Site -> host that copies it, page by page."""
FORMER_HOSTS = {"birds.example": "old-birds.example"}
"""Site -> former host, which redirects to it."""
LOOP_HOST = "town-hall.example"
INFO_PAGES = {"about": "About us", "contact": "Contact", "terms": "Terms of use"}
BRIDGES_PER_TOPIC = 3


class SiteKind(StrEnum):
    """What a site is."""

    TOPICAL = "topical"
    MAGAZINE = "magazine"
    DIRECTORY = "directory"
    GENERAL = "general"


class PageKind(StrEnum):
    """What a page is."""

    HOME = "home"
    SECTION = "section"
    ARTICLE = "article"
    INFO = "info"
    HUB = "hub"


class Site(NamedTuple):
    """A host and the style of its pages and URLs."""

    host: str
    kind: SiteKind
    topics: tuple[str, ...]
    layout: str
    path_style: str
    hidden: bool = False
    """Not linked to by the other sites of its topic."""

    @property
    def name(self) -> str:
        """The site's title."""
        return self.host.removesuffix(".example").replace("-", " ").title()


class PlannedPage(NamedTuple):
    """A planned page; its links and HTML are made on request."""

    number: int
    url: str
    site: Site
    kind: PageKind
    topic: str
    """Name of a word list: a topic, or `general`."""
    subtopic: str
    title: str

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that the page is written with."""
        return words_about(self.topic, self.subtopic)


class Plan:
    """All sites and pages of a demo web."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.pages: list[PlannedPage] = []
        self.sites: dict[str, Site] = {}
        self.sections: dict[tuple[str, str, str], list[PlannedPage]] = defaultdict(list)
        """(host, topic, subtopic) -> the section's page, then its articles."""
        self.by_host: dict[str, list[PlannedPage]] = defaultdict(list)
        self.articles: dict[str, list[PlannedPage]] = defaultdict(list)
        """Topic -> articles, without those of hidden sites."""
        self.hidden: dict[str, list[PlannedPage]] = defaultdict(list)
        """Topic -> pages of its hidden site."""
        self._draw = Random(f"plan {seed}")
        for site in _sites(self._draw):
            self.sites[site.host] = site
            self._add_pages(site)
        topics = [name for name in topic_words() if name != GENERAL]
        chosen = self._draw.sample(self.articles[GENERAL], BRIDGES_PER_TOPIC * len(topics))
        self.bridges = {topic: chosen[place :: len(topics)] for place, topic in enumerate(topics)}
        """Topic -> pages about something else that lead to its hidden site."""
        self.bridge_to = {page.number: topic for topic in topics for page in self.bridges[topic]}
        """Number of such a page -> topic of the hidden site."""

    def _add_pages(self, site: Site) -> None:
        self._add(site, PageKind.HOME, site.topics[0], "", site.name, "/")
        for place, (topic, subtopic, articles) in enumerate(_sections(self._draw, site)):
            folder = "members" if site.host in MEMBERS_HOSTS and place == 7 else _slug(subtopic or topic)
            kind = PageKind.HUB if site.kind is SiteKind.DIRECTORY else PageKind.SECTION
            self._add(
                site,
                kind,
                topic,
                subtopic,
                (subtopic or topic).capitalize(),
                _section_path(site, folder, place),
            )
            for _ in range(articles):
                heading = prose.title(self._draw, words_about(topic, subtopic))
                path = self._article_path(site, folder, heading, subtopic)
                self._add(site, PageKind.ARTICLE, topic, subtopic, heading, path)
        for name, heading in INFO_PAGES.items():
            self._add(site, PageKind.INFO, GENERAL, "", heading, f"/{name}.html")

    def _add(self, site: Site, kind: PageKind, topic: str, subtopic: str, title: str, path: str) -> None:
        page = PlannedPage(len(self.pages), f"http://{site.host}{path}", site, kind, topic, subtopic, title)
        self.pages.append(page)
        self.by_host[site.host].append(page)
        if kind in (PageKind.SECTION, PageKind.ARTICLE):
            self.sections[site.host, topic, subtopic].append(page)
        if site.hidden and kind is not PageKind.INFO:
            self.hidden[topic].append(page)
        elif kind is PageKind.ARTICLE:
            self.articles[topic].append(page)

    def _article_path(self, site: Site, folder: str, heading: str, subtopic: str) -> str:
        number = len(self.pages)
        slug = _slug(heading)
        match site.path_style:
            case "folders":
                return f"/{folder}/{slug}-{number}/"
            case "numbers" if folder != "members":
                return f"/article.php?id={number}"
            case "dates" if folder != "members":
                return f"/{2010 + number % 14}/{1 + number % 12:02d}/{slug}-{number}.html"
            case "wiki" if folder != "members":
                return f"/wiki/{slug.replace('-', '_').capitalize()}_{number}_({_slug(subtopic)})"
            case _:
                return f"/{folder}/{slug}-{number}.html"


def _sites(draw: Random) -> Iterator[Site]:
    styles = ("words", "folders", "dates", "numbers", "wiki")
    layouts = ("modern", "columns", "tables", "journal")
    words = topic_words()
    topics = [topic for topic in words.values() if topic.name != GENERAL]
    for topic in topics:
        for rank, host in enumerate(topic.hosts):
            yield Site(
                host, SiteKind.TOPICAL, (topic.name,), draw.choice(layouts), draw.choice(styles), rank == 2
            )
    for number, name in enumerate(MAGAZINES):
        carried = tuple(topics[(number + step) % len(topics)].name for step in MAGAZINE_STEPS)
        yield Site(f"{name}.example", SiteKind.MAGAZINE, carried, draw.choice(layouts), draw.choice(styles))
    for name in DIRECTORIES:
        yield Site(f"{name}.example", SiteKind.DIRECTORY, (GENERAL,), draw.choice(layouts), "words")
    for host in (*words[GENERAL].hosts, EVENTS_HOST):
        yield Site(host, SiteKind.GENERAL, (GENERAL,), draw.choice(layouts), draw.choice(styles))


def _sections(draw: Random, site: Site) -> Iterator[tuple[str, str, int]]:
    """Topic, subtopic and number of articles of each section of a site."""
    words = topic_words()
    match site.kind:
        case SiteKind.TOPICAL:
            topic = words[site.topics[0]]
            count, articles = _topical_size(topic, topic.hosts.index(site.host))
            for subtopic in draw.sample(list(topic.subtopics), count):
                yield topic.name, subtopic, max(2, articles + draw.randint(-2, 2))
        case SiteKind.MAGAZINE:
            for name in site.topics:
                yield name, draw.choice(list(words[name].subtopics)), 6
        case SiteKind.DIRECTORY:
            for name in words:
                yield name, "", 0
        case SiteKind.GENERAL:
            for subtopic in words[GENERAL].subtopics:
                yield GENERAL, subtopic, 4


def _topical_size(topic: TopicWords, rank: int) -> tuple[int, int]:
    """Number of sections, and of articles in each, of a topic's large, medium and small site."""
    count, articles = ((8, 10), (8, 5), (4, 6))[rank]
    return count, round(articles * topic.size)


def _section_path(site: Site, folder: str, place: int) -> str:
    if folder == "members" or site.path_style in ("words", "folders"):
        return f"/{folder}/"
    if site.path_style == "numbers":
        return f"/list.php?section={place + 1}"
    return f"/topics/{folder}/"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
