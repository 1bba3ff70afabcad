"""The file `/.well-known/tdmrep.json`, in which a site reserves the right to mine its text and data.

It is a JSON array of rules, each with a `location` that is matched as in robots.txt, a `tdm-reservation` of 0
or 1, and perhaps the URL of a `tdm-policy`. Of the rules that match a path the longest decides.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec
from cachetools import LRUCache
from msgspec import Struct

from lagotto.base.facts import OptOut, tdm_opt_outs
from lagotto.base.records import Failure, Fetched
from lagotto.base.urls import origin_of
from lagotto.fetch.robots import matches, path_of

SOURCE = "tdmrep.json"
MAX_SIZE = 256 * 1024
_MAX_RULES = 1_000
_KEEP = 86_400.0
_RETRY = 3_600.0
"""Seconds after which a file that could not be had is asked for again."""


class TdmRule(Struct, frozen=True, rename={"reservation": "tdm-reservation", "policy": "tdm-policy"}):
    """What the file says of some paths."""

    location: str
    reservation: int | str = 0
    policy: str = ""


_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_rule = msgspec.json.Decoder(TdmRule)


def read_rules(body: bytes) -> list[TdmRule]:
    """The rules of a file, the longest location first; what cannot be read is left out."""
    try:
        entries = _decoder.decode(body)[:_MAX_RULES]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return []
    found = []
    for entry in entries:
        try:
            found.append(_rule.decode(entry))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
    return sorted(found, key=lambda rule: -len(rule.location))


class _Entry(Struct):
    rules: list[TdmRule]
    until: float


class TdmFiles:
    """The files of the origins that are crawled, each asked for once a day at most."""

    def __init__(
        self,
        get: Callable[[str], Awaitable[Fetched | Failure]],
        *,
        max_origins: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.get = get
        self.clock = clock
        self._entries: LRUCache[str, _Entry] = LRUCache(max_origins)

    def known(self, url: str) -> bool:
        """Whether the file of the URL's origin has been asked for lately."""
        entry = self._entries.get(origin_of(url))
        return entry is not None and self.clock() < entry.until

    async def fetch(self, url: str, *, allowed: bool = True) -> float | Failure:
        """Send one request for the file; returns when it left, 0 if it did not.

        Nothing is asked for if robots.txt does not allow it. A file that cannot be had reserves nothing.
        """
        origin = origin_of(url)
        if not allowed:
            self._entries[origin] = _Entry([], self.clock() + _RETRY)
            return 0.0
        answer = await self.get(tdm_url(url))
        if isinstance(answer, Failure) and answer.again:
            return answer
        rules: list[TdmRule] = []
        keep = _RETRY
        if isinstance(answer, Fetched):
            rules = read_rules(answer.body) if answer.status == 200 else []
            keep = _RETRY if answer.status >= 500 or answer.status == 429 else _KEEP
        self._entries[origin] = _Entry(rules, self.clock() + keep)
        return answer.sent_at

    def opt_outs(self, url: str) -> list[OptOut]:
        """The reservation for a URL, if the file of its origin makes one."""
        entry = self._entries.get(origin_of(url))
        path = path_of(url)
        for rule in entry.rules if entry else ():
            if matches(rule.location, path):
                return tdm_opt_outs(str(rule.reservation), rule.policy, SOURCE)
        return []


def tdm_url(url: str) -> str:
    """Where the file of the URL's origin lies.

    >>> tdm_url("http://a.example/b/c")
    'http://a.example/.well-known/tdmrep.json'
    """
    return f"{origin_of(url)}/.well-known/tdmrep.json"
