"""A web of crawler traps behind a proxy on loopback: every host is one endless trap with a few useful pages.

The useful pages of a host form a chain, each linked from the one before alone, so that a crawler
that drowns in the trap does not come to the last of them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from urllib.parse import quote

from aiohttp import web

USEFUL = 8
"""Useful pages on every host."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORDS = ["".join(Random(n).choices(_LETTERS, k=7)) for n in range(2000)]
_fresh = Random(7)
_number = count()


@dataclass
class Answer:
    """What a trap says: text, links, or something that is no page."""

    text: str = ""
    links: list[str] = field(default_factory=list)
    location: str = ""
    xml: str = ""
    slow: bool = False


Trap = Callable[[str, str, dict[str, str]], Answer]
"""Host, path and query to an answer."""


def prose(seed: object, length: int = 60) -> str:
    """Words that are the same for the same seed."""
    return " ".join(Random(str(seed)).choices(_WORDS, k=length))


def token(length: int, letters: str = _LETTERS) -> str:
    return "".join(_fresh.choices(letters, k=length))


def calendar(host: str, path: str, query: dict[str, str]) -> Answer:
    month = int(query["y"]) * 12 + int(query["m"]) - 1
    around = [f"/calendar?y={m // 12}&m={m % 12 + 1}" for m in (month - 1, month + 1)]
    return Answer(prose(month), around)


def calendar_path(host: str, path: str, query: dict[str, str]) -> Answer:
    year, month, day = map(int, re.findall(r"\d+", path))
    today = (year * 12 + month) * 30 + day
    days = [(d // 360, d // 30 % 12, d % 30) for d in (today - 1, today + 1)]
    return Answer(prose(path), [f"/events/{y:04}/{m:02}/{d:02}/" for y, m, d in days])


def session_in_query(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [f"/page?sid={token(32, '0123456789abcdef')}&id={n}" for n in range(1, 21)]
    return Answer(prose(query["id"]), links)


def session_in_path(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [f"/(S({token(24, _LETTERS + '012345')}))/page{n}.aspx" for n in range(1, 21)]
    return Answer(prose(path.rpartition("/")[2]), links)


def jsessionid(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [f"/page{n};jsessionid={token(32, '0123456789ABCDEF')}" for n in range(1, 21)]
    return Answer(prose(path.partition(";")[0]), links)


def facets(host: str, path: str, query: dict[str, str]) -> Answer:
    names = ["color", "size", "brand", "sort", "page", "price", "shape", "stock"]
    links = []
    for name in names:
        chosen = query | {name: str(_fresh.randrange(9))} if name not in query else dict(query)
        if name in query:
            del chosen[name]
        pairs = list(chosen.items())
        _fresh.shuffle(pairs)
        links.append("/shop?" + "&".join(f"{key}={value}" for key, value in pairs))
    return Answer(prose(sorted(query.items())), links)


def relative_loop(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer(prose(path), ["a/b/index.html", "b/a/index.html"])


def repeat_segment(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer(prose(path), ["css/", "../css/css/"])


def percent_growth(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer(prose(path), ["/" + quote(path[1:], safe="")])


def soft_404(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [f"/{token(9)}" for _ in range(10)]
    return Answer(f"{path[1:]} was not found. {prose('not found', 80)}", links)


def wildcard_dns(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer(prose(host), [f"http://{token(8)}.wildcard-dns.example/" for _ in range(5)])


def pagination(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer("", [f"/list?page={int(query['page']) + 1}"])


def search_reflection(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [f"/search?q={_fresh.choice(_WORDS)}+{_fresh.choice(_WORDS)}" for _ in range(8)]
    return Answer(f"{query['q']} {prose(query['q'])}", links)


def wiki_history(host: str, path: str, query: dict[str, str]) -> Answer:
    links = [
        f"/wiki?title=T&oldid={_fresh.randrange(10**6)}&diff={_fresh.randrange(10**6)}" for _ in range(6)
    ]
    return Answer(prose(sorted(query.items())), links)


def tarpit(host: str, path: str, query: dict[str, str]) -> Answer:
    return Answer(prose(path), [f"/maze/{token(16, '0123456789abcdef')}/" for _ in range(20)], slow=True)


def redirect_chain(host: str, path: str, query: dict[str, str]) -> Answer:
    if path == "/self":
        return Answer(location="/self")
    number = int(path.rpartition("/")[2])
    other = "pong" if host.startswith("ping") else "ping"
    if path.startswith("/across/"):
        return Answer(location=f"http://{other}.redirect-chain.example/across/{number + 1}")
    return Answer(location=f"/r/{number + 1}")


def sitemap_loop(host: str, path: str, query: dict[str, str]) -> Answer:
    number = int(re.findall(r"\d+", path)[0])
    named = [f"http://{host}{path}", f"http://{host}/sitemap{number + 1}.xml"]
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in named)
    return Answer(xml=f"<sitemapindex>{entries}</sitemapindex>")


def long_url(host: str, path: str, query: dict[str, str]) -> Answer:
    pairs = "&".join(f"k{n}={token(50)}" for n in range(20 * (len(query) // 20 + 1)))
    return Answer(prose(len(query)), [f"/x?{pairs}"])


TRAPS: dict[str, tuple[Trap, list[str]]] = {
    "calendar": (calendar, ["/calendar?y=2024&m=5"]),
    "calendar-path": (calendar_path, ["/events/2024/05/17/"]),
    "session-id-query": (session_in_query, ["/page?sid=0&id=1"]),
    "session-id-path": (session_in_path, ["/(S(0))/page1.aspx"]),
    "jsessionid": (jsessionid, ["/page1;jsessionid=0"]),
    "facets": (facets, ["/shop?color=red"]),
    "relative-loop": (relative_loop, ["/a/b/index.html"]),
    "repeat-segment": (repeat_segment, ["/css/"]),
    "percent-growth": (percent_growth, ["/%25"]),
    "soft-404": (soft_404, ["/nothing-here"]),
    "wildcard-dns": (wildcard_dns, ["http://first.wildcard-dns.example/"]),
    "pagination": (pagination, ["/list?page=1"]),
    "search-reflection": (search_reflection, ["/search?q=a+b"]),
    "replytocom/diff/oldid": (wiki_history, ["/wiki?title=T&oldid=1&diff=2"]),
    "tarpit": (tarpit, ["/maze/0123456789abcdef/", "/maze/1123456789abcdef/"]),
    "redirect-chain": (redirect_chain, ["/r/1", "/self", "http://ping.redirect-chain.example/across/1"]),
    "sitemap-loop": (sitemap_loop, []),
    "long-url": (long_url, ["/x?k=v"]),
}
"""Kind of trap -> what it answers, and the links that lead into it."""


def host_of_trap(kind: str) -> str:
    return re.sub(r"[^a-z0-9-]", "-", kind) + ".example"


class TrapWeb:
    """Serves traps, each on hosts of its own, and counts what is asked of them."""

    def __init__(self, kinds: Iterable[str] = TRAPS) -> None:
        self.asked: Counter[str] = Counter()
        """Kind -> requests into the trap."""
        self.useful: Counter[str] = Counter()
        self._kinds = {host_of_trap(kind): kind for kind in kinds}

    async def __aenter__(self) -> TrapWeb:
        self._runner = web.ServerRunner(
            web.Server(self._answer), handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @property
    def seeds(self) -> list[str]:
        return [f"http://{host}/" for host in self._kinds]

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        host, target = request.host, request.rel_url
        kind = self._kinds[".".join(host.split(".")[-2:])]
        if target.raw_path == "/robots.txt":
            return web.Response(text=f"Sitemap: http://{host}/sitemap0.xml" if kind == "sitemap-loop" else "")
        if target.raw_path.startswith("/useful/"):
            self.useful[kind] += 1
            return useful_page(kind, int(target.raw_path.rpartition("-")[2]))
        if target.raw_path == "/" and host in self._kinds:
            return page(f"Front of {kind} {prose(kind)}", ["/useful/page-one-0", *TRAPS[kind][1]])
        self.asked[kind] += 1
        answer = TRAPS[kind][0](host, target.raw_path, dict(target.query))
        if answer.location:
            headers = {"Location": answer.location, "Set-Cookie": f"seen={next(_number)}"}
            return web.Response(status=302, headers=headers)
        if answer.xml:
            return web.Response(text=answer.xml, content_type="application/xml")
        return await drip(request, answer) if answer.slow else page(answer.text, answer.links)


def useful_page(kind: str, number: int) -> web.Response:
    names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    onward = [f"/useful/page-{names[number + 1]}-{number + 1}"] if number + 1 < USEFUL else []
    return page(f"Useful {prose((kind, number))}", onward)


def page(text: str, links: list[str]) -> web.Response:
    anchors = "".join(f'<li><a href="{link}">more</a></li>' for link in links)
    body = f"<html><head><title>{text[:30]}</title></head><body><p>{text}</p><ul>{anchors}</ul></body></html>"
    return web.Response(text=body, content_type="text/html")


async def drip(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    """A byte at a time, for as long as the client stays."""
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    whole = page(answer.text, answer.links).text or ""
    with suppress(ConnectionError):
        for letter in whole:
            await response.write(letter.encode())
            await asyncio.sleep(0.05)
    return response
