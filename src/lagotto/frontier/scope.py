"""Which links may enter the frontier at all; every refusal has its reason."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable
from enum import StrEnum

from lagotto.errors import InputError
from lagotto.urls import MAX_URL_LENGTH, host_of, site_of


class Refused(StrEnum):
    """Why a link did not enter the frontier."""

    SCHEME = "scheme"
    INCLUDE = "not-included"
    EXCLUDE = "excluded"
    SITE = "other-site"
    DEPTH = "too-deep"
    LENGTH = "url-too-long"
    PATH_DEPTH = "path-too-deep"
    REPEATED = "repeated-segments"
    ESCAPES = "escaped-again"
    FILE_TYPE = "file-type"
    PATTERN_LIMIT = "pattern-limit"
    NOFOLLOW = "nofollow"


_NOT_PAGES = re.compile(
    r"\.(?:7z|apk|avi|bmp|bz2|css|deb|dmg|docx?|eps|exe|flac|flv|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|m4v|"
    r"mkv|mov|mp3|mp4|mpe?g|msi|odp|ods|odt|ogg|ogv|pdf|png|pptx?|ps|rar|rpm|svg|swf|tar|tgz|tiff?|ttf|"
    r"wasm|wav|webm|webp|wmv|woff2?|xlsx?|xz|zip|zst)$",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\d+|[0-9a-f]{12,}|[0-9A-Za-z_-]{24,}")


class Scope:
    """The rules of one crawl, cheapest first.

    `pattern_limit` bounds how many URLs of one shape (`/calendar?m=#&y=#`) a host may bring in:
    an endless calendar or a session number in the path cannot fill the frontier, while the other
    pages of the host still come through.
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
        pattern_limit: int = 5000,
        file_types: bool = True,
        schemes: Iterable[str] = ("http", "https"),
    ) -> None:
        self.include = [_compile(pattern) for pattern in include]
        self.exclude = [_compile(pattern) for pattern in exclude]
        self.sites = frozenset(sites)
        self.depth = depth
        self.url_length = url_length
        self.path_depth = path_depth
        self.repeats = repeats
        self.pattern_limit = pattern_limit
        self.file_types = file_types
        self.schemes = frozenset(schemes)
        self._patterns: OrderedDict[int, int] = OrderedDict()
        self.full_patterns: Counter[str] = Counter()
        """URL shape -> links refused because there were too many of it."""

    def refuses(self, url: str, depth: int) -> Refused | None:
        """Why the canonical URL stays out, or None; a refusal for its number is not counted here."""
        if url.partition(":")[0] not in self.schemes:
            return Refused.SCHEME
        if self.depth and depth > self.depth:
            return Refused.DEPTH
        if len(url) > self.url_length:
            return Refused.LENGTH
        if self.sites and site_of(host_of(url)) not in self.sites:
            return Refused.SITE
        if self.include and not any(pattern.search(url) for pattern in self.include):
            return Refused.INCLUDE
        if any(pattern.search(url) for pattern in self.exclude):
            return Refused.EXCLUDE
        return self._odd_path(url)

    def admits(self, url: str, depth: int) -> Refused | None:
        """As `refuses`, and count the URL's shape against `pattern_limit`; for links not yet known."""
        refused = self.refuses(url, depth)
        if refused is None and self.pattern_limit and self._too_many(url):
            return Refused.PATTERN_LIMIT
        return refused

    def _odd_path(self, url: str) -> Refused | None:
        path = url[url.index("/", 8) :].partition("?")[0]
        if self.file_types and _NOT_PAGES.search(path):
            return Refused.FILE_TYPE
        segments = path.split("/")[1:]
        if len(segments) > self.path_depth:
            return Refused.PATH_DEPTH
        if self.repeats and len(segments) >= self.repeats:
            named = [segment for segment in segments if segment]
            if len(named) - len(set(named)) >= self.repeats - 1 and _repeats(named, self.repeats):
                return Refused.REPEATED
        return Refused.ESCAPES if "%25252525" in url else None

    def _too_many(self, url: str) -> bool:
        shape = shape_of(url)
        if "#" not in shape and "?" not in shape:
            return False
        key = hash(shape)
        count = self._patterns.pop(key, 0) + 1
        self._patterns[key] = count
        if len(self._patterns) > 200_000:
            self._patterns.popitem(last=False)
        if count <= self.pattern_limit:
            return False
        if shape in self.full_patterns or len(self.full_patterns) < 1000:
            self.full_patterns[shape] += 1
        return True


def shape_of(url: str) -> str:
    """The URL with all that varies replaced by `#`, and its query reduced to sorted names.

    >>> shape_of("http://a.org/events/2024/05/?sort=x&day=3")
    'http://a.org/events/#/#/?day&sort'
    """
    address, _, query = url.partition("?")
    start = address.find("/", 8)
    if start < 0:
        return url
    shape = address[:start] + _VARIABLE.sub("#", address[start:])
    if not query:
        return shape
    return shape + "?" + "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")}))


def _repeats(segments: list[str], times: int) -> bool:
    """Whether one segment, or one run of segments, occurs that often in a row or in alternation."""
    counts = Counter(segments)
    return counts.most_common(1)[0][1] >= times


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InputError(f"'{pattern}' is not a valid regular expression: {error}") from None
