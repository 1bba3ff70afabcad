"""From anchors in a document to links: targets resolved, one for each URL, with words around them."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from lagotto.base.hashing import END, hash_link, place_key
from lagotto.base.reasons import SCHEMES, Refused
from lagotto.base.records import Link
from lagotto.base.urls import canonical
from lagotto.parse.encoding import encode_query
from lagotto.parse.wording import REMEMBERED, SHORT, Wording


class Anchor(Struct):
    """What the document says of one target, and where in its whole text."""

    target: str
    """The reference without its fragment."""
    rel: str
    path: str
    heading: str = ""
    start: int = 0
    end: int = 0
    """The first place that links there."""
    text_start: int = 0
    text_end: int = 0
    """The place with the longest anchor text."""
    length: int = -1
    """Length of that text, white space included; negative before any was found."""
    label: str = ""
    """What an element without text calls its target, by `title` or `aria-label`."""
    alt: str = ""


CONTEXT_WORDS = 10
MAX_ANCHOR = 500
_WINDOW = 300
"""Characters on each side that ten words lie in, but for the longest of words."""

_scheme = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\-\t\r\n]*):", re.IGNORECASE).match


class LinkReader:
    """Makes links of one page's anchors."""

    def __init__(self, url: str, base: str, encoding: str, wording: Wording) -> None:
        self._url = url
        self._base = base
        self._folder = _folder(base)
        self._root = _root(base)
        self._encoding = encoding
        self._wording = wording
        self.left_out: dict[str, int] = {}
        """Reason -> distinct targets that can never be fetched."""

    def read(self, anchors: list[Anchor], text: str, *, words: bool = True) -> list[Link]:
        """One link for each distinct target: its first place counts, its longest anchor text is kept.

        Without `words`, links come with hashes in place of what was hashed.
        """
        places: dict[str, tuple[Anchor, Anchor]] = {}
        for anchor in anchors:
            url = self._target(anchor.target)
            if url is not None:
                first, longest = places.get(url, (anchor, anchor))
                places[url] = (first, anchor if anchor.length > longest.length else longest)
        link = self._whole_link if words else self._bare_link
        return [link(url, first, longest, text) for url, (first, longest) in places.items()]

    def resolve(self, reference: str) -> str | None:
        """Canonical URL of a reference on the page, None if it is not http(s)."""
        if not reference.isascii():
            reference = encode_query(reference, self._encoding)
        resolved = _canonical if len(reference) <= SHORT else canonical
        return resolved(reference, self._needed(reference))

    def _needed(self, reference: str) -> str:
        """As much of the base as the reference needs, so that pages share what is remembered of it."""
        if reference.startswith(("http://", "https://")):
            return ""
        if reference.startswith("/"):
            return self._root
        return self._folder if reference[:1].isalnum() or reference.startswith(".") else self._base

    def _target(self, reference: str) -> str | None:
        """Canonical URL to follow, or None after counting why there is none."""
        url = self.resolve(reference)
        if url is None:
            self.leave_out(_why_not(reference))
        elif url == self._url:
            self.leave_out(Refused.SAME_PAGE)
            url = None
        return url

    def leave_out(self, reason: str, count: int = 1) -> None:
        """Count links that are not followed."""
        self.left_out[reason] = self.left_out.get(reason, 0) + count

    def _whole_link(self, url: str, first: Anchor, longest: Anchor, text: str) -> Link:
        anchor, alt = _shown(first, longest, text)
        context = " ".join(_around(text, first.start, first.end))
        link = Link(
            url=url,
            anchor=anchor,
            alt=alt,
            context=context,
            heading=first.heading,
            path=first.path,
            rel=first.rel,
            anchor_terms=self._wording.terms(f"{anchor} {alt}"),
            context_terms=self._wording.terms(context),
            url_terms=self._wording.url_terms(url),
        )
        hash_link(link)
        return link

    def _bare_link(self, url: str, first: Anchor, longest: Anchor, text: str) -> Link:
        """What `drop_link_words` leaves of a whole link, made without what it drops."""
        anchor, alt = _shown(first, longest, text)
        hashes = self._wording.hashes
        target = self._wording.target(url)
        of_anchor = hashes([*anchor.split(), *alt.split()])
        of_context = hashes(_around(text, first.start, first.end))
        return Link(
            url=url,
            anchor=anchor,
            alt=alt,
            rel=first.rel,
            host=target.host,
            keys=target.keys + place_key(first.path),
            hashes=b"".join((of_anchor, END, of_context, END, target.hashes)),
        )


def _shown(first: Anchor, longest: Anchor, text: str) -> tuple[str, str]:
    """Anchor text and alt text of a link."""
    shown = text[longest.text_start : longest.text_end].split() or (first.label or longest.label).split()
    alt = first.alt or longest.alt
    return " ".join(shown)[:MAX_ANCHOR], " ".join(alt.split())[:MAX_ANCHOR] if alt else ""


def _folder(base: str) -> str:
    """The base up to the last slash of its path, which all pages of a folder share."""
    path = base.partition("#")[0].partition("?")[0]
    return path[: path.rindex("/") + 1] if path.startswith(("http://", "https://")) else base


def _root(base: str) -> str:
    """The base up to the first slash of its path, which all pages of a site share."""
    start = base.find("/", len("https://")) if base.startswith(("http://", "https://")) else -1
    return base[: start + 1] if start >= 0 else base


_canonical = lru_cache(REMEMBERED)(canonical)


def _around(text: str, start: int, end: int) -> list[str]:
    """Up to ten words before and ten after, a word that the window cuts left out."""
    before = text[max(0, start - _WINDOW) : start].rsplit(None, CONTEXT_WORDS)
    if len(before) > CONTEXT_WORDS or (before and start > _WINDOW):
        del before[0]
    after = text[end : end + _WINDOW].split(None, CONTEXT_WORDS)
    if len(after) > CONTEXT_WORDS or (after and end + _WINDOW < len(text)):
        del after[-1]
    return before + after


def _why_not(reference: str) -> str:
    """Name of a scheme that is not fetched, or `invalid`."""
    match = _scheme(reference)
    if not match:
        return Refused.INVALID
    scheme = re.sub(r"[\t\r\n]", "", match[1]).lower()
    if scheme in ("http", "https"):
        return Refused.INVALID
    return scheme if scheme in SCHEMES else Refused.OTHER_SCHEME
