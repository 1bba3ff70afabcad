"""The links of the demo web's pages, with their anchors.

Articles mostly link to pages of the same topic, but over half of a page's links belong to the site's layout:
menus, partners, advertisements. Most anchors describe their target; some say only "read more", and a few are
misleading.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import NamedTuple

from lagotto.lab.demo import web as calendar
from lagotto.lab.demo.prose import GENERAL, topic_words
from lagotto.lab.demo.sites import FORMER_HOSTS, LOOP_HOST, MIRRORS, PageKind, Plan, PlannedPage, SiteKind

VAGUE_ANCHORS = (
    "read more", "here", "this page", "continue reading", "more", "as described here", "details",
    "link", "a longer piece", "next", "the full story", "see also",
)  # fmt: skip
TEXT_TARGETS = {"subtopic": 30, "topic": 18, "related": 14, "any": 16, "general": 22}
"""Targets of the links in an article's text, in per cent."""
TEXT_LINKS = (2, 5)
RELATED_LINKS = 4
SIDE_LINKS = 10
PARTNERS = 4
LATEST = 8
HUB_LINKS = 14
HUB_OTHERS = 6
BRIDGE_LINKS = 4
SHARE_DEAD = 0.025
SHARE_MOVED = 0.025
SHARE_ALIAS = 0.2


class Spot(StrEnum):
    """Place of a link on its page."""

    MENU = "menu"
    TEXT = "text"
    LIST = "list"
    RELATED = "related"
    SIDE = "side"
    FOOT = "foot"


class PlannedLink(NamedTuple):
    """A link of a page."""

    spot: Spot
    url: str
    anchor: str
    target: PlannedPage | None = None
    """The page it leads to; None for dead links and traps."""


def links_of(plan: Plan, page: PlannedPage) -> list[PlannedLink]:
    """All links of a page, always the same."""
    draw = Random(f"links {plan.seed} {page.number}")
    links = _menu(plan, page)
    links += [_link(draw, Spot.TEXT, target) for target in _text_targets(draw, plan, page)]
    links += [
        PlannedLink(Spot.LIST, target.url, target.title, target) for target in _listed(draw, plan, page)
    ]
    if page.kind is PageKind.ARTICLE:
        links += [_link(draw, Spot.RELATED, target) for target in _related(draw, plan, page)]
    if page.kind is not PageKind.INFO:
        links += [_link(draw, Spot.SIDE, draw.choice(plan.pages)) for _ in range(SIDE_LINKS)]
    return [_perhaps_a_detour(draw, link) for link in links] + _foot(plan, page)


def _menu(plan: Plan, page: PlannedPage) -> list[PlannedLink]:
    pages = plan.by_host[page.site.host]
    shown = [other for other in pages if other.kind in (PageKind.HOME, PageKind.SECTION, PageKind.HUB)]
    menu = [PlannedLink(Spot.MENU, other.url, _menu_name(other), other) for other in shown]
    if page.site.host in calendar.HOSTS:
        menu.append(PlannedLink(Spot.MENU, calendar.first_day(page.site.host).url, "Calendar"))
    if page.site.kind is SiteKind.MAGAZINE:
        menu.append(PlannedLink(Spot.MENU, f"http://{page.site.host}/search?q=new", "Search"))
    return menu


def _menu_name(page: PlannedPage) -> str:
    return "Home" if page.kind is PageKind.HOME else page.title


def _foot(plan: Plan, page: PlannedPage) -> list[PlannedLink]:
    infos = [other for other in plan.by_host[page.site.host] if other.kind is PageKind.INFO]
    links = [PlannedLink(Spot.FOOT, other.url, other.title, other) for other in infos]
    if page.site.host == LOOP_HOST:
        links.append(PlannedLink(Spot.FOOT, f"http://{LOOP_HOST}/loop/a", "Complaints"))
    # A site's partners are the same on all of its pages.
    hosts = Random(f"partners {plan.seed} {page.site.host}").sample(list(plan.sites), PARTNERS)
    homes = [plan.by_host[host][0] for host in hosts if not plan.sites[host].hidden]
    return links + [PlannedLink(Spot.FOOT, home.url, home.site.name, home) for home in homes]


def _listed(draw: Random, plan: Plan, page: PlannedPage) -> list[PlannedPage]:
    match page.kind:
        case PageKind.HOME:
            articles = [other for other in plan.by_host[page.site.host] if other.kind is PageKind.ARTICLE]
            return draw.sample(articles, min(LATEST, len(articles)))
        case PageKind.SECTION:
            return plan.sections[page.site.host, page.topic, page.subtopic][1:]
        case PageKind.HUB:
            return _hub_list(draw, plan, page.topic)
        case _:
            return []


def _hub_list(draw: Random, plan: Plan, topic: str) -> list[PlannedPage]:
    """A directory's links on a topic, some of them off topic."""
    known = plan.articles[topic] + plan.hidden[topic][:2]
    return draw.sample(known, HUB_LINKS) + draw.sample(plan.pages, HUB_OTHERS)


def _related(draw: Random, plan: Plan, page: PlannedPage) -> list[PlannedPage]:
    """Links to pages of the same section or site."""
    section = plan.sections[page.site.host, page.topic, page.subtopic][1:]
    whole = [other for other in plan.by_host[page.site.host] if other.kind is PageKind.ARTICLE]
    chosen = [draw.choice(section if draw.random() < 0.5 else whole) for _ in range(RELATED_LINKS)]
    return [other for other in chosen if other != page]


def _text_targets(draw: Random, plan: Plan, page: PlannedPage) -> list[PlannedPage]:
    if page.kind is not PageKind.ARTICLE:
        return []
    targets = [_text_target(draw, plan, page) for _ in range(draw.randint(*TEXT_LINKS))]
    if page.number in plan.bridge_to:
        targets += draw.sample(plan.hidden[plan.bridge_to[page.number]], BRIDGE_LINKS)
    return targets


def _text_target(draw: Random, plan: Plan, page: PlannedPage) -> PlannedPage:
    words = topic_words()[page.topic]
    wanted = draw.choices(list(TEXT_TARGETS), list(TEXT_TARGETS.values()))[0]
    if page.topic == GENERAL:
        wanted = "any" if draw.random() < 0.35 else "general"
    if wanted == "general" and page.topic != GENERAL and draw.random() < 0.4:
        return draw.choice(plan.bridges[page.topic])
    if wanted == "any":
        return draw.choice(plan.articles[draw.choice(list(plan.articles))])
    if wanted == "related":
        return draw.choice(plan.articles[draw.choice(words.related)])
    if wanted == "general":
        return draw.choice(plan.articles[GENERAL])
    own = plan.hidden[page.topic] if page.site.hidden and draw.random() < 0.6 else plan.articles[page.topic]
    if wanted == "subtopic":
        alike = [other for other in own if other.subtopic == page.subtopic]
        return draw.choice(alike or own)
    return draw.choice(own)


def _link(draw: Random, spot: Spot, target: PlannedPage) -> PlannedLink:
    words = target.vocabulary
    chance = draw.random()
    if chance < 0.45:
        anchor = target.title
    elif chance < 0.72:
        anchor = f"{draw.choice(words.qualities)} {draw.choice(words.things)}"
    elif chance < 0.9:
        anchor = draw.choice(VAGUE_ANCHORS)
    else:
        other = topic_words()[draw.choice(list(topic_words()))].vocabulary
        anchor = f"{draw.choice(other.qualities)} {draw.choice(other.things)}"
    return PlannedLink(spot, target.url, anchor, target)


def _perhaps_a_detour(draw: Random, link: PlannedLink) -> PlannedLink:
    """The link itself, or sometimes one to a page that is gone, redirected or a copy."""
    chance = draw.random()
    if link.target is None or link.spot is Spot.MENU:
        return link
    host = link.target.site.host
    if chance < SHARE_DEAD:
        return link._replace(url=f"http://{host}/gone/{draw.randrange(20)}.html", target=None)
    if chance < SHARE_DEAD + SHARE_MOVED:
        return link._replace(url=f"http://{host}/moved/{link.target.number}")
    if chance < SHARE_ALIAS:
        alias = MIRRORS.get(host) or FORMER_HOSTS.get(host) or host
        return link._replace(url=link.url.replace(host, alias, 1))
    return link
