"""Which links may enter the frontier at all; every refusal has its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from lagotto.base.errors import InputError
from lagotto.base.patterns import within
from lagotto.base.reasons import Refused
from lagotto.base.urls import MAX_URL_LENGTH, host_of, site_of
from lagotto.crawling.frontier.shapes import Shapes
from lagotto.crawling.frontier.traps import Traps

_NOT_PAGES = re.compile(
    r"\.(?:7z|apk|avi|bmp|bz2|css|deb|dmg|docx?|eps|exe|flac|flv|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|m4v|"
    r"mkv|mov|mp3|mp4|mpe?g|msi|odp|ods|odt|ogg|ogv|pdf|png|pptx?|ps|rar|rpm|svg|swf|tar|tgz|tiff?|ttf|"
    r"wasm|wav|webm|webp|wmv|woff2?|xlsx?|xz|zip|zst)$",
    re.IGNORECASE,
)

_REMEMBERED = 20_000
"""URLs whose looks are remembered: a site's menus stand on all its pages."""


class Scope:
    """The rules of one crawl, cheapest first.

    `shapes` knows which parts of the web have given enough, `traps` what was recognised as a trap.
    """

    def __init__(
        self,
        *,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        sites: Iterable[str] = (),
        depth: int = 0,
        url_length: int = MAX_URL_LENGTH,
        path_depth: int = 20,
        repeats: int = 3,
        shapes: Shapes | None = None,
        traps: Traps | None = None,
        file_types: bool = True,
        pdf: bool = False,
        schemes: Iterable[str] = ("http", "https"),
    ) -> None:
        self.set_patterns(include, exclude)
        self.sites = frozenset(sites)
        self.depth = depth
        self.url_length = url_length
        self.path_depth = path_depth
        self.repeats = repeats
        self.shapes = shapes or Shapes()
        self.traps = traps or Traps()
        self.file_types = file_types
        self.pdf = pdf
        self.schemes = frozenset(schemes)

    def set_sites(self, sites: Iterable[str]) -> None:
        """Stay on these sites from now on."""
        self.sites = frozenset(sites)
        self._by_looks = lru_cache(_REMEMBERED)(self._look_at)

    def set_patterns(self, include: Iterable[str], exclude: Iterable[str]) -> None:
        """Admit URLs by other patterns from now on."""
        self.include = [compile_pattern(pattern) for pattern in include]
        self.exclude = [compile_pattern(pattern) for pattern in exclude]
        self._by_looks = lru_cache(_REMEMBERED)(self._look_at)

    def refuses(self, url: str, depth: int) -> Refused | None:
        """Why the canonical URL stays out by its depth or its looks, or None."""
        if self.depth and depth > self.depth:
            return Refused.DEPTH
        return self._by_looks(url)

    def _look_at(self, url: str) -> Refused | None:
        if url.partition(":")[0] not in self.schemes:
            return Refused.SCHEME
        if len(url) > self.url_length:
            return Refused.LENGTH
        if self.sites and site_of(host_of(url)) not in self.sites:
            return Refused.SITE
        if self.include and not within(self._is_included, url, otherwise=False):
            return Refused.INCLUDE
        if self.exclude and within(self._is_excluded, url, otherwise=True):
            return Refused.EXCLUDE
        return self._odd_path(url)

    def _is_included(self, url: str) -> bool:
        return any(pattern.search(url) for pattern in self.include)

    def _is_excluded(self, url: str) -> bool:
        return any(pattern.search(url) for pattern in self.exclude)

    def refusal(self, url: str, depth: int, parent: str = "") -> Refused | None:
        """Why the link does not enter the frontier: like `refuses`, with all limits and traps."""
        refused = self.refuses(url, depth) or self.shapes.refuses(url)
        if refused is None and (trapped := self.traps.refuses(url, parent)):
            return trapped.reason
        return refused

    def refusals(self, depth: int, parent: str = "") -> Callable[[str], Refused | None]:
        """`refusal` for all links of a page; until the next page is counted nothing new is refused."""
        if (self.depth and depth > self.depth) or self.shapes.refuse_some or self.traps.refuse_some:
            return partial(self.refusal, depth=depth, parent=parent)
        return self._by_looks

    def sitemap_refusal(self, url: str) -> Refused | None:
        """Like `refusal` for a sitemap, for which neither file type nor `include` matters."""
        if self.sites and site_of(host_of(url)) not in self.sites:
            return Refused.SITE
        if self.exclude and within(self._is_excluded, url, otherwise=True):
            return Refused.EXCLUDE
        return self.shapes.refuses(url)

    def _odd_path(self, url: str) -> Refused | None:
        path = url[url.index("/", 8) :].partition("?")[0]
        if self.file_types and _NOT_PAGES.search(path) and not (self.pdf and path.lower().endswith(".pdf")):
            return Refused.FILE_TYPE
        segments = path.split("/")[1:]
        if len(segments) > self.path_depth:
            return Refused.PATH_DEPTH
        if self.repeats and len(segments) >= self.repeats:
            named = [segment for segment in segments if segment]
            if len(named) - len(set(named)) >= self.repeats - 1 and _repeats(named, self.repeats):
                return Refused.REPEATED
        return Refused.ESCAPES if "%25252525" in url else None


def _repeats(segments: list[str], times: int) -> bool:
    """Whether one segment, or one run of segments, occurs that often in a row or in alternation."""
    counts = Counter(segments)
    return counts.most_common(1)[0][1] >= times


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The regular expression; one that is not valid is refused with a sentence."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InputError(f"'{pattern}' is not a valid regular expression: {error}") from None
