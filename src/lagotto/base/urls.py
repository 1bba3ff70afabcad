"""Canonical URLs: parsing as browsers do (WHATWG), one spelling for one page, 64-bit checksums."""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url
import xxhash

from lagotto.base.errors import InputError
from lagotto.base.suffixes import public_suffix

MAX_URL_LENGTH = 2048
LONGEST_SEED = 4 * MAX_URL_LENGTH
"""Characters of a URL that is looked at at all; a user's seed may be longer than a link."""
SHARDS = 256


def canonical(url: str, base: str | None = None) -> str | None:
    """Return the one spelling of an http(s) URL, or None if it is not one.

    WHATWG parsing lower-cases scheme and host, drops default ports and resolves dot segments. On top
    of that go the fragment, user information, an empty query and a dot at the end of the host;
    escapes of unreserved characters are undone, all others upper-case, a stray % is escaped.
    Nothing is done that could name another page: the order of the query, double slashes, index
    pages, `www.` and session identifiers stay as they are.

    >>> canonical("HTTP://Example.ORG.:80/a/../%7Eb?#top")
    'http://example.org/~b'
    >>> canonical("../c", base="http://example.org/a/b/")
    'http://example.org/a/c'
    >>> canonical("mailto:me@example.org") is None
    True
    """
    if len(url) > LONGEST_SEED:
        return None
    try:
        href = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except ValueError:
        return None
    if not href.startswith(("http://", "https://")):
        return None
    if "#" in href:
        href = href[: href.index("#")]
    if href.endswith("?") and href.find("?") == len(href) - 1:
        href = href[:-1]
    start = href.index("//") + 2
    end = href.index("/", start)
    host = href[start:end]
    if "@" in host or host.endswith(".") or ".:" in host:
        href = href[:start] + _plain_host(host) + href[end:]
    return _normalise_escapes(href) if "%" in href else href


def base_url(href: str, document: str) -> str:
    """What a document's relative URLs start from, given the href of its `base` element.

    >>> base_url("/docs/", "http://example.org/a/b")
    'http://example.org/docs/'
    >>> base_url("javascript:alert(1)", "http://example.org/a/b")
    'http://example.org/a/b'
    """
    try:
        base = ada_url.join_url(document, href)
    except ValueError:
        return document
    return document if base.startswith(("data:", "javascript:")) else base


def _plain_host(host: str) -> str:
    """Host and port without user information and without the dot that ends a full domain name."""
    name, colon, port = host.rpartition("@")[2].partition(":")
    if name.endswith(".") and not name.endswith("..") and name != ".":
        name = name[:-1]
    return f"{name}{colon}{port}"


_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset("0123456789abcdefABCDEF")


def _normalise_escapes(text: str) -> str:
    """Unescape unreserved characters, write other escapes in upper case, escape a % that begins none.

    Without the last, undoing `%%37%65` would give `%7e`, an escape that was not there before.
    """
    head, *rest = text.split("%")
    out = [head]
    for piece in rest:
        code = piece[:2]
        if len(code) < 2 or not _HEX.issuperset(code):
            out.append("%25" + piece)
            continue
        byte = int(code, 16)
        out.append((chr(byte) if byte in _UNRESERVED else "%" + code.upper()) + piece[2:])
    return "".join(out)


_other_scheme = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d)", re.IGNORECASE).match


def seed_url(text: str) -> str:
    """Canonical form of what a person typed; `example.org` means `http://example.org/`.

    >>> seed_url("example.org:8080/a")
    'http://example.org:8080/a'
    """
    typed = text.strip()
    if len(typed) > LONGEST_SEED:
        raise InputError(
            f"the URL '{shortened(typed)}' has more than {LONGEST_SEED:,} characters; shorten it"
        )
    absolute = "://" in typed or _other_scheme(typed)
    url = canonical(typed if absolute else f"http://{typed}")
    if url is None or any(character.isspace() for character in typed):
        raise InputError(
            f"'{shortened(text)}' is not an http or https URL; write it like http://example.org/page"
        )
    return url


def shortened(text: str) -> str:
    """The beginning of a text, for messages."""
    return text if len(text) <= 100 else f"{text[:100]}..."


def checksum(url: str) -> int:
    """Signed 64-bit checksum of a canonical URL."""
    value = xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >> 63 else value


def host_of(url: str) -> str:
    """Host and explicit port of a canonical URL, the unit of politeness and robots.txt.

    >>> host_of("http://example.org:8080/a?b")
    'example.org:8080'
    """
    start = url.index("//") + 2
    end = url.find("/", start)
    return url[start:] if end < 0 else url[start:end]


def origin_of(url: str) -> str:
    """Scheme and host: what credentials and robots.txt belong to."""
    start = url.index("//") + 2
    end = url.find("/", start)
    return url if end < 0 else url[:end]


@lru_cache(maxsize=65536)
def site_of(host: str) -> str:
    """Registrable domain of a host (`a.b.co.uk` -> `b.co.uk`); the host itself if it has none.

    Below a name that is not on the public suffix list, such as `.internal`, it is the last two labels.

    >>> site_of("a.wiki.internal:8080")
    'wiki.internal'
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    labels = name.split(".")
    if name.endswith("]") or labels[-1].isdecimal() or "" in labels:
        return name
    return ".".join(labels[-2 - public_suffix(name).count(".") :])


@lru_cache(maxsize=65536)
def shard_of(host: str) -> int:
    """Logical shard of a host, the same on every machine."""
    return int(xxhash.xxh3_64_intdigest(host.encode("utf-8", "surrogatepass")) % SHARDS)
