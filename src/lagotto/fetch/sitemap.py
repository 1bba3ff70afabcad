"""Sitemaps: XML, plain text, RSS or Atom, also gzipped, to the URLs and further sitemaps they name.

What a site sends is not trusted: entities are not expanded, nothing outside the file is opened,
and reading stops at the caps. A file that breaks off or goes wrong gives what it said until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from xml.parsers import expat

from msgspec import Struct

from lagotto.fetch.decode import BadEncoding, Decoder, TooLarge

MAX_URLS = 50_000
MAX_SIZE = 50 * 1024 * 1024
_MAX_URL = 8 * 1024
_MAX_ENTITY = 16
_MAX_DEPTH = 64
_CHUNK = 64 * 1024
_LOOKED_AT = 16 * 1024
_KINDS = {"urlset": "urlset", "sitemapindex": "index", "rss": "rss", "rdf": "rss", "feed": "atom"}
# The elements that stand for one URL, each with the children that may hold it, best first.
_ENTRIES = {"url": ("loc",), "sitemap": ("loc", "sitemap"), "item": ("link", "guid"), "entry": ("link",)}


class Sitemap(Struct):
    """What a sitemap names, as written: neither absolute nor canonical yet."""

    kind: str = ""
    """`urlset`, `index`, `rss`, `atom` or `text`; empty when it is none of them."""
    urls: list[str] = []
    sitemaps: list[str] = []


class _Enough(Exception):
    """Stops reading: a cap is reached, or the file is malicious."""


def read_sitemap(body: bytes) -> Sitemap:
    """Read a sitemap of any kind; never raises.

    >>> read_sitemap(b"<urlset><url><loc>http://a.org/1</loc></url></urlset>").urls
    ['http://a.org/1']
    """
    chunks = _chunks(body)
    start = next(chunks, b"").removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return _XmlReader().read(start, chunks)
    return _read_text(start, chunks)


def lists_urls(body: bytes) -> bool:
    """Whether a plain text is a list of URLs, one a line, as a sitemap may be.

    >>> lists_urls(b"http://a.org/1\\nhttp://a.org/2\\n"), lists_urls(b"See http://a.org/1")
    (True, False)
    """
    start = body[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf")
    lines = start.split(b"\n") if len(body) <= _LOOKED_AT else start.split(b"\n")[:-1]
    lines = [line.strip() for line in lines if line.strip()]
    return bool(lines) and all(
        line.startswith((b"http://", b"https://")) and len(line.split()) == 1 for line in lines
    )


def _chunks(body: bytes) -> Iterator[bytes]:
    """The body piece by piece, unpacked if it is gzipped, up to the cap."""
    decoder = Decoder("gzip" if body.startswith(b"\x1f\x8b") else "", MAX_SIZE)
    try:
        for start in range(0, min(len(body), MAX_SIZE), _CHUNK):
            yield decoder.decode(body[start : start + _CHUNK])
    except (TooLarge, BadEncoding):
        return


def _read_text(start: bytes, chunks: Iterator[bytes]) -> Sitemap:
    sitemap = Sitemap()
    for line in BytesIO(b"".join((start, *chunks))):
        url = line.strip().decode("utf-8", "replace")
        if url.startswith(("http://", "https://")) and len(url) <= _MAX_URL:
            sitemap.kind = "text"
            sitemap.urls.append(url)
            if len(sitemap.urls) == MAX_URLS:
                break
    return sitemap


class _XmlReader:
    """Follows the elements of one file, by their local names: namespaces are often wrong."""

    def __init__(self) -> None:
        self.sitemap = Sitemap()
        self._path: list[str] = []
        self._entry = ""
        self._found: dict[str, str] = {}
        self._spoilt = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        # With a default handler expat hands over entity references unexpanded.
        self._parser.DefaultHandler = self._other

    def read(self, start: bytes, chunks: Iterator[bytes]) -> Sitemap:
        # However reading ends, the URLs read before count.
        with suppress(_Enough, expat.ExpatError, ValueError, LookupError):
            self._parser.Parse(start, False)
            for chunk in chunks:
                self._parser.Parse(chunk, False)
            self._parser.Parse(b"", True)
        return self.sitemap

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        if not self._path:
            self.sitemap.kind = _KINDS.get(name, "")
            if not self.sitemap.kind:
                raise _Enough
        self._path.append(name)
        if len(self._path) > _MAX_DEPTH:
            raise _Enough
        if name in _ENTRIES and not self._entry:
            self._entry, self._found, self._spoilt = name, {}, False
        elif self._path[-2:] == ["entry", "link"] and attributes.get("rel", "alternate") == "alternate":
            # Atom keeps the URL in an attribute; links other than to the page itself are left out.
            self._found.setdefault("link", attributes.get("href", ""))

    def _text(self, text: str) -> None:
        if not self._entry:
            return
        name = self._path[-1]
        direct = name == self._entry or self._path[-2] == self._entry
        if direct and name in _ENTRIES[self._entry] and self._entry != "entry":
            self._found[name] = (self._found.get(name, "") + text)[: 2 * _MAX_URL]

    def _end(self, name: str) -> None:
        name = self._path.pop()
        if name != self._entry or name in self._path:
            return
        self._entry = ""
        urls = (self._found.get(child, "").strip() for child in _ENTRIES[name])
        url = next(filter(None, urls), "")
        if not url or self._spoilt or len(url) > _MAX_URL:
            return
        wanted = self.sitemap.sitemaps if name == "sitemap" else self.sitemap.urls
        wanted.append(url)
        if len(wanted) == MAX_URLS:
            raise _Enough

    def _other(self, text: str) -> None:
        if text.startswith("&"):
            self._spoilt = True

    def _entity(self, name: str, is_parameter: bool, value: str | None, *outside: str | None) -> None:
        # Entities in attributes are expanded all the same, so none may grow.
        if is_parameter or (value is not None and (len(value) > _MAX_ENTITY or "&" in value)):
            raise _Enough
