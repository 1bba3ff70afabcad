"""Canonical URLs: parsing as browsers do (WHATWG), one spelling for one page, 64-bit checksums."""

from __future__ import annotations

from functools import lru_cache

import ada_url
import xxhash
from pydomainextractor import DomainExtractor

from lagotto.errors import InputError

MAX_URL_LENGTH = 2048
SHARDS = 256
_DEFAULT_PORTS = {"http:": "80", "https:": "443"}
_domains = DomainExtractor()


def canonical(url: str, base: str | None = None) -> str | None:
    """Return the one spelling of an http(s) URL, or None if it is not one.

    WHATWG parsing lower-cases scheme and host, drops default ports and resolves dot segments;
    on top of that the fragment and user information go, unreserved characters are unescaped,
    escapes are upper-case and an empty query goes.

    >>> canonical("HTTP://Example.ORG:80/a/../%7Eb?#top")
    'http://example.org/~b'
    >>> canonical("../c", base="http://example.org/a/b/")
    'http://example.org/a/c'
    >>> canonical("mailto:me@example.org") is None
    True
    """
    if len(url) > 4 * MAX_URL_LENGTH:
        return None
    try:
        parsed = ada_url.URL(url, base) if base else ada_url.URL(url)
    except (ValueError, UnicodeError):
        return None
    if parsed.protocol not in _DEFAULT_PORTS or not parsed.hostname:
        return None
    path = _normalise_escapes(parsed.pathname)
    query = parsed.search
    if "%" in query:
        query = _normalise_escapes(query)
    return f"{parsed.protocol}//{parsed.host}{path}{query if query != '?' else ''}"


def seed_url(text: str) -> str:
    """Canonical form of what a person typed; `example.org` means `http://example.org/`."""
    typed = text.strip()
    url = canonical(typed if "://" in typed else f"http://{typed}")
    if not typed or url is None or any(c.isspace() for c in typed):
        raise InputError(f"'{text}' is not an http or https URL; write it like http://example.org/page")
    return url


_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _normalise_escapes(text: str) -> str:
    """Unescape unreserved characters and write every other escape in upper case."""
    if "%" not in text:
        return text
    head, *rest = text.split("%")
    out = [head]
    for piece in rest:
        code = piece[:2]
        try:
            byte = int(code, 16) if len(code) == 2 and code.isalnum() else -1
        except ValueError:
            byte = -1
        if byte < 0:
            out.append("%" + piece)
        elif byte in _UNRESERVED:
            out.append(chr(byte) + piece[2:])
        else:
            out.append("%" + code.upper() + piece[2:])
    return "".join(out)


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
    """Registrable domain of a host (`a.b.co.uk` -> `b.co.uk`); the host itself if it has none."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        parts = _domains.extract(name)
    except ValueError:
        return name
    return f"{parts['domain']}.{parts['suffix']}" if parts["suffix"] and parts["domain"] else name


@lru_cache(maxsize=65536)
def shard_of(host: str) -> int:
    """Logical shard of a host, the same on every machine."""
    return int(xxhash.xxh3_64_intdigest(host.encode("utf-8", "surrogatepass")) % SHARDS)
