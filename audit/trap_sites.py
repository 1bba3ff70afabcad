"""Seven crawler traps, each with 100 real pages beside it, served to a crawler through a proxy on loopback.

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


SITES: list[type[Site]] = [
    SessionIds,
    SessionPaths,
    Facets,
    SoftNotFound,
    Mirrors,
    LetterCase,
    Calendar,
    RedirectCounters,
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
        links = "".join(f'<li><a href="{link}">{_anchor(link)}</a></li>' for link in answer.links)
        title = " ".join(answer.words.split()[:5])
        body = f"<html><head><title>{title}</title></head><body><p>{answer.words}</p><ul>{links}</ul></body>"
        return web.Response(text=body, content_type="text/html")


def _anchor(link: str) -> str:
    """Anchor text that says where the link leads."""
    named = re.search(r"article/([a-z]+)", link, re.IGNORECASE)
    return named[1].lower() if named else "more"
