"""Hosts that hold the same pages as another host."""

from __future__ import annotations

from collections import OrderedDict

from lagotto.base.reasons import Refused
from lagotto.base.urls import host_of
from lagotto.crawling.frontier.traps.evidence import Comparison, Content, Sighting, Trapped, remember

MOST_HOSTS = 16
"""Hosts remembered for one path."""


class Mirrors:
    """Pairs of hosts with the same pages.

    The rule: once two hosts gave 5 different pages at the same paths, and at most one in ten paths
    gave different pages, a path that one of them gave is not asked of the other.
    """

    def __init__(self) -> None:
        self._at_path: OrderedDict[int, dict[str, Content]] = OrderedDict()
        self._evidence: OrderedDict[tuple[str, str], Comparison] = OrderedDict()
        self._mirrors: dict[str, set[str]] = {}

    def count(self, page: Sighting) -> None:
        """Compare the page with those that other hosts gave at its path."""
        if not page.fingerprint:
            return
        host = host_of(page.url)
        content, path = Content(page.fingerprint, page.simhash), _path_key(page.url)
        given = self._at_path.get(path, {})
        for other, known in given.items():
            if other != host:
                self._compare(host, other, known, content)
        if len(given) < MOST_HOSTS:
            remember(self._at_path, path, given | {host: content})

    def _compare(self, host: str, other: str, known: Content, content: Content) -> None:
        pair = (min(host, other), max(host, other))
        evidence = self._evidence.get(pair) or Comparison()
        remember(self._evidence, pair, evidence)
        if content.same_as(known):
            evidence.agree(known.fingerprint)
        else:
            evidence.differ()
        for one, mirror in ((host, other), (other, host)):
            mirrors = self._mirrors.setdefault(one, set())
            change = mirrors.add if evidence.convincing else mirrors.discard
            change(mirror)
            if not mirrors:
                del self._mirrors[one]

    @property
    def refuse_some(self) -> bool:
        """Whether any URL would be refused."""
        return bool(self._mirrors)

    def refuses(self, url: str) -> Trapped | None:
        """Why the URL stands for a page that a mirror gave, or None."""
        if not self._mirrors:
            return None
        host = host_of(url)
        mirrors = self._mirrors.get(host)
        if mirrors is None:
            return None
        for other in self._at_path.get(_path_key(url), {}):
            if other in mirrors:
                return Trapped(Refused.MIRROR, f"{host} holds the same pages as {other}")
        return None


def _path_key(url: str) -> int:
    return hash(url[url.index("/", 8) :])
