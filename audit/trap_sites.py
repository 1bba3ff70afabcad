"""Crawler traps, each with 100 real pages beside it, served to a crawler through a proxy on loopback.

A request is wasted unless it is the first for one of the real pages, the front page or robots.txt.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Self

from aiohttp import web

PAGES = 100
TOPIC = "solar power panels"
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_HEX = "0123456789abcdef"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORDS = ["".join(Random(n).choices(_LETTERS, k=7)) for n in range(3000)]
_ABOUT = [
    "solar",
    "power",
    "panels",
    "energy",
    "sun",
    "roof",
    "inverter",
    "electricity",
    "photovoltaic",
    "cell",
]


@dataclass
class Answer:
    """What a site says: words and links, or where to go instead."""

    words: str = ""
    links: list[str] = field(default_factory=list)
    location: str = ""
    kind: str = "text/html"
    """Content type; anything else has no words."""
    real: str = ""
    """Name of the real page that this is; empty in a trap."""


class Site:
    """100 real pages in a tree, each with links to three others; traps override `trap` and `link`."""

    name = ""
    host = "trap.example"

    def __init__(self) -> None:
        self.random = Random(self.name)

    @property
    def seed(self) -> str:
        """Where a crawl starts."""
        return f"http://{self.host}/"

    def answer(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Answer a request."""
        found = re.fullmatch(r"/(?:article/(\w+)-(\d+))?", path)
        number = int(found[2]) if found and found[2] else -1
        if found is None or number >= PAGES or (number >= 0 and found[1] != _WORDS[number]):
            return self.trap(host, path, query)
        further = [child for child in (3 * number + 4, 3 * number + 5, 3 * number + 6) if child < PAGES]
        further = list(range(4)) if number < 0 else further
        links = [self.link(host, path_of(child)) for child in further]
        words = " ".join(prose(("page", number), 90) + Random(number).choices(_ABOUT, k=12))
        return Answer(words, links + self.entrances(host, number), real=path)

    def link(self, host: str, path: str) -> str:
        """How a real page is linked to."""
        return path

    def entrances(self, host: str, number: int) -> list[str]:
        """Links of a real page that lead into the trap."""
        return []

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Answer for what is no real page."""
        return Answer("Not found")

    def token(self, length: int, letters: str = _HEX) -> str:
        """A new random name."""
        return "".join(self.random.choices(letters, k=length))


def path_of(number: int) -> str:
    """Path of a real page."""
    return f"/article/{_WORDS[number]}-{number}"


def prose(seed: object, length: int) -> list[str]:
    """Words that are the same for the same seed."""
    return Random(str(seed)).choices(_WORDS, k=length)


class SessionIds(Site):
    """Every link carries a session id of its own."""

    name = "session ids"

    def link(self, host: str, path: str) -> str:
        """The page with a new session id."""
        return f"{path}?sid={self.token(16)}"

    def entrances(self, host: str, number: int) -> list[str]:
        """Menu entries, each with a new session id."""
        return [self.link(host, path_of(other)) for other in Random(number).sample(range(PAGES), 6)]

    def answer(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The page, which names the session."""
        answer = super().answer(host, path, query)
        answer.words += f" Your session: {query.get('sid', 'none')}."
        return answer


class SessionPaths(SessionIds):
    """Session ids stand in the path, as some application servers write them."""

    name = "session ids in paths"

    def link(self, host: str, path: str) -> str:
        """The page below a new session id."""
        return f"/(S({self.token(24)})){path}"

    def answer(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The page, whatever the session id."""
        return super().answer(host, re.sub(r"^/\(S\(\w+\)\)", "", path), query)


class Facets(Site):
    """A shop of twelve products that can be filtered and sorted in thousands of ways."""

    name = "facets"
    choices: ClassVar[dict[str, list[str]]] = {
        "colour": ["red", "green", "blue", "black", "white", "grey"],
        "size": ["s", "m", "l", "xl"],
        "brand": ["acme", "umbra", "helio", "zenit", "nova"],
        "stock": ["now", "soon", "all"],
        "sort": ["price", "name", "rating", "newest"],
    }

    def entrances(self, host: str, number: int) -> list[str]:
        """The shop itself."""
        return ["/shop"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Some of the products, and links that set or clear one filter."""
        links = []
        for name, values in self.choices.items():
            for value in self.random.sample(values, 2):
                chosen = dict(query)
                if chosen.pop(name, "") != value:
                    chosen[name] = value
                links.append("/shop?" + "&".join(f"{key}={chosen[key]}" for key in sorted(chosen)))
        shown = [prose(("product", n), 6) for n in range(12)]
        Random(str(sorted(query.items()))).shuffle(shown)
        words = [word for product in shown[: 12 - 2 * len(query)] for word in product]
        said = " ".join(f"{name} {value}" for name, value in query.items())
        return Answer(f"Solar panels filtered by {said or 'nothing'}: {' '.join(words)}", links)


class SoftNotFound(Site):
    """Every unknown path is answered with 200, the path itself and ten links to more of them."""

    name = "soft 404"

    def entrances(self, host: str, number: int) -> list[str]:
        """A broken link on every second page."""
        return [] if number % 2 else [f"/{self.token(9, _LETTERS)}"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The page that stands for all that is missing."""
        links = [f"/{self.token(9, _LETTERS)}" for _ in range(10)]
        return Answer(f"{path[1:]} was not found. {' '.join(prose('missing', 40))}", links)


class Mirrors(Site):
    """Ten hosts that hold the same pages; each page names its copies."""

    name = "mirror hosts"
    host = "mirror0.example"

    def entrances(self, host: str, number: int) -> list[str]:
        """The same page on all hosts."""
        path = path_of(number) if number >= 0 else "/"
        return [f"http://mirror{n}.example{path}" for n in range(10)]


class LetterCase(Site):
    """A server that ignores letter case and is linked to in all kinds of it."""

    name = "letter case"

    def link(self, host: str, path: str) -> str:
        """The path with some letters in upper case."""
        return "".join(self.random.choice((letter, letter.upper())) for letter in path)

    def entrances(self, host: str, number: int) -> list[str]:
        """Menu entries in other spellings."""
        return [self.link(host, path_of(other)) for other in Random(number).sample(range(PAGES), 5)]

    def answer(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The page, whatever the letter case."""
        return super().answer(host, path.lower(), query)


class Calendar(Site):
    """A calendar without end in both directions."""

    name = "calendar"

    def entrances(self, host: str, number: int) -> list[str]:
        """This month."""
        return ["/calendar?year=2026&month=5"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """A month with its days, and links to the months around it and to its days."""
        at = int(query["year"]) * 12 + int(query["month"]) - 1
        day = query.get("day", "")
        around = [f"/calendar?year={n // 12}&month={n % 12 + 1}" for n in (at - 1, at + 1, at - 12, at + 12)]
        days = [] if day else [f"/calendar?year={at // 12}&month={at % 12 + 1}&day={n}" for n in (1, 11, 21)]
        title = f"{day} {MONTHS[at % 12]} {at // 12}".strip()
        week = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
        numbers = " ".join(map(str, range(1, 31)))
        return Answer(f"Events in {title}. {week} {numbers}. There are no events.", around + days)


class RedirectCounters(Site):
    """Links that redirect to the next number, again and again."""

    name = "redirect counters"

    def entrances(self, host: str, number: int) -> list[str]:
        """Counters, each starting somewhere else."""
        return [f"/next?n={self.random.randrange(10**9)}" for _ in range(5)]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """One further."""
        return Answer(location=f"/next?n={int(query['n']) + 1}")


class WikiHistory(Site):
    """A wiki whose pages link to their histories, and these to all versions and what changed between them."""

    name = "wiki history"

    def entrances(self, host: str, number: int) -> list[str]:
        """The page's history and its latest change."""
        title = path_of(number)[9:] if number >= 0 else "Main"
        return [f"/w/index.php?title={title}&action=history", f"/w/index.php?title={title}&diff=prev&oldid=9"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """A version of the page, with a few words changed, and links to others."""
        title = query.get("title", "Main")
        number = int(title.rpartition("-")[2]) if "-" in title else 0
        old, new = self.random.sample(range(10**6), 2)
        words = prose(("page", number), 90)
        words[self.random.randrange(90)] = self.random.choice(_WORDS)
        base = f"/w/index.php?title={title}"
        links = [f"{base}&oldid={old}", f"{base}&diff={new}&oldid={old}", f"{base}&diff=prev&oldid={new}"]
        return Answer(f"Revision {query.get('oldid', '')} of {title}: {' '.join(words)} solar power", links)


class Honeypot(Site):
    """Hidden links that are marked nofollow lead into a maze of made-up pages."""

    name = "hidden honeypot"

    def entrances(self, host: str, number: int) -> list[str]:
        """Two links that no reader sees."""
        return [f"!/members/{self.token(10)}" for _ in range(2)]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Solar words, and five hidden links to more."""
        words = prose(path, 60) + Random(path).choices(_ABOUT, k=20)
        return Answer(" ".join(words), [f"!/members/{self.token(10)}" for _ in range(5)])


class Tags(Site):
    """Tags that can be combined without end; each combination lists the same posts."""

    name = "tag combinations"

    def entrances(self, host: str, number: int) -> list[str]:
        """Two tags."""
        return [f"/tag/{tag}" for tag in Random(number).sample(_ABOUT, 2)]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Beginnings of the posts, and the combination with one more tag."""
        chosen = path.removeprefix("/tag/").split("+")
        posts = Random(path).sample(range(PAGES), 8)
        words = [word for post in posts for word in prose(("page", post), 90)[:15]]
        links = [f"/tag/{'+'.join([*chosen, tag])}" for tag in self.random.sample(_WORDS[:60], 6)]
        return Answer(f"Solar power posts tagged {' and '.join(chosen)}: {' '.join(words)}", links)


class Tarpit(Site):
    """Made-up text on the topic, and made-up links to more of it."""

    name = "generated text"

    def entrances(self, host: str, number: int) -> list[str]:
        """One way in."""
        return [f"/papers/{self.random.choice(_WORDS)}-{self.token(4)}"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """A text that nobody wrote."""
        words = prose(path, 100) + Random(path).choices(_ABOUT, k=25)
        Random(path).shuffle(words)
        return Answer(
            " ".join(words), [f"/papers/{self.random.choice(_WORDS)}-{self.token(4)}" for _ in range(8)]
        )


class DayArchive(Site):
    """An archive with a page for each day, most of them empty."""

    name = "archive by day"

    def entrances(self, host: str, number: int) -> list[str]:
        """The day of the post."""
        return [f"/archive/{2000 + number % 20}/{number % 12 + 1}/{number % 28 + 1}"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Beginnings of a few posts, and the days and months around."""
        year, month, day = (int(part) for part in path.split("/")[2:5])
        at = (year * 12 + month - 1) * 28 + day - 1
        days = [
            (n // 336, n // 28 % 12 + 1, n % 28 + 1) for n in (at - 1, at + 1, at - 28, at + 28, at + 336)
        ]
        posts = Random(path).sample(range(PAGES), 3)
        words = [word for post in posts for word in prose(("page", post), 90)[:20]]
        return Answer(
            f"Solar power posts of {day} {MONTHS[month - 1]} {year}: {' '.join(words)}",
            [f"/archive/{y}/{m}/{d}" for y, m, d in days],
        )


class CursorFeed(Site):
    """A feed that always has one page more."""

    name = "cursor feed"

    def entrances(self, host: str, number: int) -> list[str]:
        """The feed."""
        return [f"/feed?cursor={self.token(12)}"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Beginnings of posts, and the next page."""
        posts = Random(query.get("cursor", "")).sample(range(PAGES), 10)
        words = [word for post in posts for word in prose(("page", post), 90)[:12]]
        return Answer(f"Solar panels feed: {' '.join(words)}", [f"/feed?cursor={self.token(12)}"])


class WrongTypes(Site):
    """Links that look like pages and lead to pictures."""

    name = "wrong content types"

    def entrances(self, host: str, number: int) -> list[str]:
        """Twenty pictures of solar panels."""
        return [f"/photo/solar-{self.token(8)}" for _ in range(20)]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """A picture."""
        return Answer(kind="image/png")


class SoftTeasers(SoftNotFound):
    """Unknown paths are answered with 200 and ever other beginnings of posts."""

    name = "soft 404, teasers"

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """A few posts that may be meant, and broken links."""
        posts = Random(path).sample(range(PAGES), 6)
        words = [word for post in posts for word in prose(("page", post), 90)[:15]]
        links = [f"/{self.token(9, _LETTERS)}" for _ in range(6)]
        return Answer(f"Solar power: {path[1:]} is not here. {' '.join(words)}", links)


class Variants(Site):
    """Every page for the printer, for phones, for sharing and with a form to reply."""

    name = "print, amp, mobile, share"

    def entrances(self, host: str, number: int) -> list[str]:
        """The variants of a page."""
        path = path_of(max(number, 0))
        return [f"/amp{path}", f"/m{path}", f"{path}/print", f"{path}/share", f"{path}/reply"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The page with a line above it."""
        found = re.search(r"/article/\w+-(\d+)", path)
        number = int(found[1]) if found else 0
        real = super().answer(host, path_of(number), {})
        return Answer(f"{real.words} Printed for you.", [path_of(number)])


class RelativePaths(Site):
    """Relative links that make a path longer with each page."""

    name = "growing paths"

    def entrances(self, host: str, number: int) -> list[str]:
        """The guide."""
        return ["/guide/start/"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """Any of ten texts, and links below the page's own address."""
        words = prose(("guide", len(path) % 10), 80)
        return Answer(
            f"Solar guide {' '.join(words)}", [f"{_WORDS[n]}/" for n in self.random.sample(range(9), 3)]
        )


class Translations(Site):
    """Every page in ever more made-up languages, the text the same."""

    name = "made-up languages"

    def entrances(self, host: str, number: int) -> list[str]:
        """The page in three languages."""
        return [self._in_another(max(number, 0)) for _ in range(3)]

    def _in_another(self, number: int) -> str:
        return f"/{self.token(2, _LETTERS)}-{self.token(2, _LETTERS)}{path_of(number)}"

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """The same page, and further languages."""
        found = re.search(r"(/article/\w+-(\d+))", path)
        number = int(found[2]) if found else 0
        links = [self._in_another(number) for _ in range(5)]
        return Answer(" ".join(prose(("page", number), 90)), links)


class Quotes(Site):
    """A random quotation at an address of its own, with links to others."""

    name = "random quotations"

    def entrances(self, host: str, number: int) -> list[str]:
        """A quotation."""
        return [f"/quote/{self.token(12)}"]

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """One of forty quotations on solar power."""
        words = prose(("quote", self.random.randrange(40)), 40)
        return Answer(f"Solar power: {' '.join(words)}", [f"/quote/{self.token(12)}" for _ in range(4)])


class Comparisons(Site):
    """Any two products beside each other, from a list of hundreds."""

    name = "comparisons"

    def entrances(self, host: str, number: int) -> list[str]:
        """A comparison."""
        return [self._any()]

    def _any(self) -> str:
        one, other = self.random.sample(range(300), 2)
        return f"/compare/panel-{one}-vs-panel-{other}"

    def trap(self, host: str, path: str, query: dict[str, str]) -> Answer:
        """What is known of both, and further comparisons."""
        numbers = re.findall(r"panel-(\d+)", path)
        words = [word for number in numbers for word in prose(("panel", number), 40)]
        return Answer(f"Solar panels compared: {' '.join(words)}", [self._any() for _ in range(6)])


SITES: list[type[Site]] = [
    SessionIds,
    SessionPaths,
    Facets,
    SoftNotFound,
    Mirrors,
    LetterCase,
    Calendar,
    RedirectCounters,
    WikiHistory,
    Honeypot,
    Tags,
    Tarpit,
    DayArchive,
    CursorFeed,
    WrongTypes,
    SoftTeasers,
    Variants,
    RelativePaths,
    Translations,
    Quotes,
    Comparisons,
]


class TrapServer:
    """Serves one site as a proxy, in a thread of its own, and counts what is asked of it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: Counter[str] = Counter()
        """Real page, or an empty string for the trap -> requests."""
        self._changed = threading.Condition()

    @property
    def found(self) -> int:
        """Real pages that were asked for."""
        return sum(1 for name in self.asked if name.startswith("/article/"))

    @property
    def wasted(self) -> int:
        """Requests that brought no real page for the first time."""
        return self.asked[""] + sum(count - 1 for name, count in self.asked.items() if name)

    def wait_for(self, requests: int, seconds: float = 60.0) -> None:
        """Wait until this many requests have come."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.asked.total() >= requests, seconds):
                raise TimeoutError(f"{self.asked.total()} requests came, not {requests}")

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(20)
        return self

    async def _start(self) -> None:
        self._runner = web.ServerRunner(web.Server(self._answer), shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()

    @property
    def proxy(self) -> str:
        """URL of the proxy to crawl through."""
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.rel_url.raw_path
        if path == "/robots.txt":
            return web.Response(status=404)
        answer = self.site.answer(request.host, path, dict(request.rel_url.query))
        with self._changed:
            self.asked[answer.real] += 1
            self._changed.notify_all()
        if answer.location:
            return web.Response(status=302, headers={"Location": answer.location})
        if answer.kind != "text/html":
            return web.Response(body=b"\x89PNG\r\n\x1a\n" + bytes(99), content_type=answer.kind)
        links = "".join(map(_item, answer.links))
        title = " ".join(answer.words.split()[:5])
        body = f"<html><head><title>{title}</title></head><body><p>{answer.words}</p><ul>{links}</ul></body>"
        return web.Response(text=body, content_type="text/html")


def _item(link: str) -> str:
    """A link in a list; one that begins with an exclamation mark is hidden."""
    shown = link.removeprefix("!")
    if shown == link:
        return f'<li><a href="{link}">{_anchor(link)}</a></li>'
    return f'<div style="display:none"><a rel="nofollow" href="{shown}">solar power panels</a></div>'


def _anchor(link: str) -> str:
    """Anchor text that says where the link leads."""
    named = re.search(r"article/([a-z]+)", link, re.IGNORECASE)
    return named[1].lower() if named else "more"
